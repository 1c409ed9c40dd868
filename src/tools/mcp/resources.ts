import { readdirSync } from 'node:fs'
import { packageFile } from '../../lib/files/packageFile.js'
import { inputNames, type Operation, packaged } from './documents.js'

export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  text: () => string
}

const markdown = 'text/markdown'

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

function pages(): string[] {
  return readdirSync(packageFile('docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .sort()
}

function headingOf(page: string): string {
  return /^# (.+)$/m.exec(packaged(`docs/${page}.md`))?.[1] ?? page
}

/** For clients that fill in the address of a page. */
export const pageTemplate = {
  uriTemplate: 'svc-sim://docs/{+page}',
  name: 'docs',
  description: 'A page of the documentation, such as guides/time.',
  mimeType: markdown,
}

interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  text: (args: Readonly<Record<string, string>>) => string
}

export const prompts: readonly Prompt[] = [
  {
    name: 'test_my_client',
    title: 'Test a client',
    description: 'Run a client against the simulator, break things, and report what it got wrong.',
    arguments: [
      { name: 'command', description: 'What runs the client or its tests.', required: true },
    ],
    text: ({ command }) =>
      `Read svc-sim://skill. Start a simulator, run \`${command}\` against it, then again with a fault for each error that the client handles. Report what it got wrong, with what the tool explain says of it.`,
  },
  {
    name: 'explain',
    title: 'Explain an id',
    description: 'Find out why an account, plan, activity or request is as it is.',
    arguments: [
      { name: 'id', description: 'An acc_, pln_, act_, qi_ or req_ id.', required: true },
    ],
    text: ({ id }) =>
      `Ask the tool explain about ${id}, and explain in three sentences what happened and what to do.`,
  },
]
