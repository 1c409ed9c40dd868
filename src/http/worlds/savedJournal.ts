import { stringify } from 'yaml'
import { scenarioOfJournal } from '../../clients/scenarios/fromJournal.js'
import type { SavedScenario } from '../../clients/scenarios/savedRun.js'
import {
  type Filter,
  foundWithNeeds,
  isFound,
  isNarrowing,
  isOfWorld,
  noFilter,
} from '../../observe/journal/filter.js'
import { noteOf, type RecordedRequest } from '../../observe/journal/journal.js'
import { requestWire } from '../../observe/journal/page.js'
import { redacted } from '../core/apiKeys.js'
import type { AppDeps } from '../core/types.js'

// Loaded when somebody saves: a start pays nothing for YAML.

/** Selects exchanges. `account_id` replaces the filter's `account`. */
interface SavedPart extends Partial<Omit<Filter, 'account'>> {
  since?: number | undefined
  until?: number | undefined
  account_id?: string | undefined
  name: string
}

/** A scenario file that asks again what the journal has, and a test that plays it. */
export function savedJournal(deps: AppDeps, part: SavedPart) {
  const { scenario, leftOut } = savedScenario(deps, part)
  const notes = leftOut.map((what) => `# Left out: ${what.replaceAll(/\s+/g, ' ')}\n`).join('')
  const yaml = notes + stringify(scenario, { lineWidth: 0, aliasDuplicateObjects: false })
  const { clock } = scenario.given as { clock?: string }
  return { yaml, vitest: vitestOf(part.name, yaml, clock), left_out: leftOut }
}

/** A scenario that asks again what the journal has since the last reset. */
export function savedScenario(deps: AppDeps, part: SavedPart): SavedScenario {
  const { journal } = deps.records
  // Requests before the last reset are gone.
  const reset = journal.marks().findLast(({ snapshot }) => snapshot === undefined)?.order ?? 0
  const since = Math.max(reset, part.since ?? 0)
  const { path = '', status = '', fault = '', api = '' } = part
  const filter = { ...noFilter, path, status, fault, api }
  const exchanges = journal.all().filter((each) => isMeant(each, { ...part, since }))
  const all = exchanges.map(savedRequest)
  const selected = isNarrowing(filter) ? foundWithNeeds(all, (each) => isFound(each, filter)) : all
  return scenarioOfJournal({
    exchanges: redacted(deps, selected),
    clock: deps.control.timekeeper.time().mode,
    neverHit: deps.faults.list().flatMap(({ id, hits }) => (hits === 0 ? [id] : [])),
    name: part.name,
  })
}

/** What was done to the world concerns every account; what was asked of the service, the one that is asked for. */
function isMeant(recorded: RecordedRequest, { since = 0, until, account_id }: SavedPart): boolean {
  const { order, url, body, answer } = recorded
  if (order <= since || order > (until ?? order)) return false
  if (account_id === undefined || isOfWorld(url)) return true
  return [url, body, answer?.text].some((text) => text?.includes(account_id))
}

function savedRequest(recorded: RecordedRequest) {
  const notes = recorded.notes.map((each) => ({ order: each.order, ...noteOf(each) }))
  return { ...requestWire(recorded), notes }
}

/** How long all of it may take again, on a busy machine too. Milliseconds. */
const playedWithinMs = 120_000

/** The world of the test begins at the time of the scenario: its clock cannot be put back. */
function vitestOf(name: string, yaml: string, clock = 'real'): string {
  const text = yaml.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')
  return `import { expect, test } from 'svc-sim/vitest'

const yaml = \`${text}\`

test.override({ simulatorSettings: { clock: ${JSON.stringify(clock)} } })

test(${JSON.stringify(name)}, async ({ sim }) => {
  const response = await fetch(\`\${sim.controlUrl}/scenarios\`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: \`Bearer \${sim.apiKey}\` },
    body: JSON.stringify({ yaml }),
  })
  expect(await response.json()).toMatchObject({ passed: true, failure: null })
}, ${playedWithinMs})
`
}
