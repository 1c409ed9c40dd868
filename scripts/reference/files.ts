import { readFileSync } from 'node:fs'
import { createProgram } from '../../src/tools/cli/program.js'
import { listOf } from '../../tools/docs/sections.mjs'
import { faultsPage, faultTypes } from './faults.js'
import {
  commandsPage,
  environmentPage,
  errorsPage,
  eventsPage,
  routesPage,
  type Shown,
} from './pages.js'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const document = (name: string): Shown => JSON.parse(read(`openapi/${name}.json`))

/** The OpenAPI documents that the pages are made from. */
export const documents = { service: document('openapi'), control: document('control') }

/** The generated pages of the documentation, and the types of fault rules. */
export function files(): Record<string, string> {
  const { service, control } = documents
  return {
    'docs/faults.md': faultsPage(),
    'docs/index.md': indexPage(),
    'docs/reference/commands.md': commandsPage(createProgram(() => {})),
    'docs/reference/environment.md': environmentPage(),
    'docs/reference/errors.md': errorsPage(service, control),
    'docs/reference/events.md': eventsPage(service),
    'docs/reference/routes.md': routesPage(service, control),
    'src/faults/rules/faultRuleInput.ts': faultTypes(),
  }
}

/** The list of all pages, in the order of the sidebar, below what the site shows on its first page. */
function indexPage(): string {
  const [frontMatter] = /^---\n[\s\S]*?\n---\n/.exec(read('docs/index.md'))!
  return `${frontMatter}\n## All pages\n${listOf('###', (name) => `${name}.md`)}`
}
