import type { Operation } from './documents.js'
import { packaged } from './documents.js'

/** Something that an agent can read. */
export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  /** Reads it, when it is asked for. */
  text: () => string
}

const markdown = 'text/markdown'

/** What a person would have open in the browser. */
export function createResources(operations: ReadonlyMap<string, Operation>): Resource[] {
  const file = (
    name: string,
    path: string,
    description: string,
    mimeType = markdown,
  ): Resource => ({
    uri: `svc-sim://${name}`,
    name,
    description,
    mimeType,
    text: () => packaged(path),
  })
  return [
    file('readme', 'README.md', 'What it is for, and where everything is described.'),
    file('skill', 'docs/skill/SKILL.md', 'How to test a client with the simulator: start here.'),
    {
      uri: 'svc-sim://interface',
      name: 'interface',
      description: 'Every operation of the service and of the control API, a paragraph each.',
      mimeType: markdown,
      text: () => [...operations.values()].map(paragraphOf).join('\n'),
    },
    file('faults', 'docs/faults.md', 'Every seam and effect, and how to meet each error.'),
    file('ledger', 'docs/fidelity.md', 'What the interface leaves open and what is chosen here.'),
    file('openapi', 'openapi/openapi.json', 'The service as OpenAPI: long.', 'application/json'),
    file('control', 'openapi/control.json', 'The control API as OpenAPI.', 'application/json'),
  ]
}

function paragraphOf({ method, path, summary, description, inputs, required }: Operation): string {
  const names = Object.keys(inputs).map((name) => (required.includes(name) ? name : `${name}?`))
  const takes = names.length > 0 ? `Takes ${names.join(', ')}. ` : ''
  return `\`${method} ${path}\`: ${summary}. ${takes}${description}\n`
}
