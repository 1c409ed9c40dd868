import { readdirSync } from 'node:fs'
import { packageFile } from '../../lib/files/packageFile.js'
import { inputNames, type Operation, packaged } from './documents.js'

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
    file(
      'ledger',
      'docs/fidelity.md',
      'The choices of the simulator where the interface is silent.',
    ),
    file('openapi', 'openapi/openapi.json', 'The service as OpenAPI: long.', 'application/json'),
    file('control', 'openapi/control.json', 'The control API as OpenAPI.', 'application/json'),
    ...pages().map((page) => file(`docs/${page}`, `docs/${page}.md`, headingOf(page))),
  ]
}

function paragraphOf(operation: Operation): string {
  const { method, path, summary, description } = operation
  const names = inputNames(operation)
  const takes = names.length > 0 ? `Takes ${names.join(', ')}. ` : ''
  return `\`${method} ${path}\`: ${summary}. ${takes}${description}\n`
}

/** The pages of the documentation by their paths below `docs`, without `.md`. */
function pages(): string[] {
  return readdirSync(packageFile('docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .sort()
}

function headingOf(page: string): string {
  return /^# (.+)$/m.exec(packaged(`docs/${page}.md`))?.[1] ?? page
}

/** How the address of a page is made, for clients that fill it in. */
export const pageTemplate = {
  uriTemplate: 'svc-sim://docs/{+page}',
  name: 'docs',
  description: 'A page of the documentation, such as guides/time.',
  mimeType: markdown,
}
