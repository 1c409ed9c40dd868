import { stringify } from 'yaml'
import { scenarioOfJournal } from '../../clients/scenarios/fromJournal.js'
import {
  isControlRead,
  reasonLeftOut,
  reasonNotRepeated,
  undoneByReset,
} from '../../clients/scenarios/leftOut.js'
import { OlderAccountsError, playPart, SeveralRunsError } from '../../clients/scenarios/playPart.js'
import {
  made,
  ofOlderAccounts,
  playTitle,
  shownRequest,
  withOpenedAccounts,
} from '../../clients/scenarios/requestFacts.js'
import type { SavedRequest, SavedScenario } from '../../clients/scenarios/savedRun.js'
import { ServiceError } from '../../lib/errors.js'
import {
  type Filter,
  faultsOf,
  isFound,
  isNarrowing,
  noFilter,
} from '../../observe/journal/filter.js'
import { lastReset, type RecordedRequest } from '../../observe/journal/journal.js'
import { requestWire } from '../../observe/journal/page.js'
import type { ClockMode } from '../../time/clock.js'
import { redacted } from '../core/apiKeys.js'
import type { AppDeps } from '../core/types.js'

// Loaded when somebody saves: a start pays nothing for YAML.

/** Selects exchanges. `account_id` replaces the filter's `account`. */
interface SavedPart extends Partial<Omit<Filter, 'account'>> {
  since?: number | undefined
  until?: number | undefined
  account_id?: string | undefined
  name?: string | undefined
}

/**
 * A scenario file that repeats a run of the journal, and a test that plays it. Rejects with `conflict` for several runs, for accounts that
 * are older than the journal, and when there is nothing to repeat.
 */
export async function savedJournal(deps: AppDeps, part: SavedPart) {
  const { since, until, account_id: account = '' } = part
  const { path = '', status = '', fault = '', api = '' } = part
  const filter = { ...noFilter, account, path, status, fault, api }
  const { all, marks } = sinceReset(deps, since)
  const isNarrow = isNarrowing(filter)
  const selected = selectedBy(deps, part, isNarrow ? (each) => isFound(each, filter) : undefined)
  const everyMark = deps.records.journal.marks()
  const undone = undoneByReset(selected, everyMark, {
    problem: 'There is nothing to save',
    which: withText(part),
  })
  if (undone) throw undone
  const run = oneRun(() =>
    playPart({
      all,
      marks,
      until,
      older: ofOlderAccounts(all),
      isWanted: isNarrow ? (each) => isFound(each, filter) : undefined,
    }),
  )
  if (!run.focus) {
    const one = selected.find((each) => reasonLeftOut(each) !== undefined) ?? selected[0]
    const reason = one && reasonNotRepeated(one, everyMark, one.cursor)
    throw absentAccount(deps, part, all) ?? nothingToPlay(part, one, reason, all)
  }
  const title = playTitle(run.focus, all, run.exchanges)
  const name = part.name ?? title
  const clock = clockOf(deps, all, run.focus.cursor)
  const saved = await scenarioOfJournal({
    exchanges: redacted(deps, run.exchanges),
    end: run.end,
    clock,
    name,
  })
  const scenario = tidied(saved.scenario as unknown as Saved)
  const older = run.leftOut.map(
    ([{ cursor, method, url }, account]) =>
      [
        cursor,
        `${method} ${url}: ${account} was not created in the saved part of the journal`,
      ] as const,
  )
  const lacking = [...saved.leftOut, ...older]
  const notExpected = [...new Set(saved.notExpected)]
  const notes = [
    ...lacking.map(([, what]) => `# Left out: ${what.replaceAll(/\s+/g, ' ')}\n`),
    ...notExpected.map((what) => `# Not expected: ${what}\n`),
  ].join('')
  const yaml = notes + stringify(scenario, { lineWidth: 0, aliasDuplicateObjects: false })
  const vitest = vitestOf(name, yaml, scenario.given.clock)
  const { repeated } = saved
  const named = new Set(lacking.map(([cursor]) => cursor))
  const others = selected
    .filter(({ cursor }) => !repeated.has(cursor) && !named.has(cursor))
    // A look at the control API is no part of the run. Where it was selected, the reason is named.
    .filter((each) => isNarrow || until !== undefined || !isControlRead(each))
    .filter(
      ({ url, answer }) =>
        !/^\/_sim\/clock\/(freeze|resume|auto)/.test(url) || modeIn(answer?.body) !== clock,
    )
    .map((each) => {
      const reason = reasonNotRepeated(each, everyMark, run.focus!.cursor)
      return [each.cursor, `${each.method} ${each.url}: ${reason}`] as const
    })
  const wanted = selected.filter(({ cursor }) => repeated.has(cursor)).length
  return {
    name,
    file: fileName(part.name ?? title),
    ...{ yaml, vitest },
    repeats: repeatsText(part, isNarrow, {
      wanted,
      others: all.filter(({ cursor }) => repeated.has(cursor)).length - wanted,
    }),
    left_out: [...lacking, ...others].sort(([one], [other]) => one - other).map(([, what]) => what),
    not_expected: notExpected,
  }
}

/** The requests that are meant, whether a test can repeat them or not: with a filter, those before a reset too. */
function selectedBy(
  deps: AppDeps,
  { since = 0, until }: SavedPart,
  isWanted: ((each: Wire) => boolean) | undefined,
): Wire[] {
  const all = deps.records.journal.all().filter(({ order }) => order > since)
  if (isWanted) {
    const upTo = until ?? Number.POSITIVE_INFINITY
    return all
      .filter(({ order }) => order <= upTo)
      .map(savedRequest)
      .filter(isWanted)
  }
  if (until === undefined) return sinceReset(deps, since).all
  return all.filter(({ order }) => order === until).map(savedRequest)
}

function repeatsText(
  { until }: SavedPart,
  isNarrow: boolean,
  { wanted, others }: { wanted: number; others: number },
): string {
  const counted = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`
  if (isNarrow)
    return `${counted(wanted, 'request')} of the selected, and ${others} that led to the outcome`
  if (until === undefined) return `${counted(wanted, 'request')} since the last reset`
  const run = 'the run up to there, of all accounts'
  return wanted === 1
    ? `the request and ${counted(others, 'other')}: ${run}`
    : `${counted(others, 'request')}: ${run}`
}

type Wire = ReturnType<typeof savedRequest>

/** A scenario that repeats everything since the last reset, also what restores have undone. */
export function savedScenario(deps: AppDeps, name: string): Promise<SavedScenario> {
  return scenarioOfJournal({
    exchanges: redacted(deps, sinceReset(deps).all),
    clock: deps.control.timekeeper.time().mode,
    name,
  })
}

function sinceReset({ records: { journal } }: AppDeps, since = 0) {
  const from = Math.max(lastReset(journal.marks())?.order ?? 0, since)
  const all = journal.all().filter(({ order }) => order > from)
  const requests = withOpenedAccounts(all.map(savedRequest))
  return { all: requests, marks: journal.marks().filter(({ order }) => order > from) }
}

export function savedRequest(recorded: RecordedRequest) {
  const wire = requestWire(recorded)
  const notes = wire.notes.map((note, i) => ({ order: recorded.notes[i]!.order, ...note }))
  return { ...wire, notes, answered: recorded.answer?.order }
}

const olderHint =
  'The journal begins anew at each start, also with a data folder, and drops its oldest requests. Create an account with POST /accounts, fund it with POST /_sim/fund, repeat the requests with it, and save them with the filter account_id=ACCOUNT.'

/** The refusal of an account of which there is no request: it is older, or of another run. */
function absentAccount(
  { trace }: AppDeps,
  { account_id: id }: SavedPart,
  all: readonly SavedRequest[],
): ServiceError | undefined {
  if (id === undefined || all.some((each) => each.url.includes(id) || made(each).includes(id)))
    return undefined
  return new ServiceError(
    'conflict',
    `There is nothing to save: ${id} was not created in the saved part of the ${trace ? 'trace' : 'journal'}, which has no request of it`,
    {
      hint: trace
        ? 'A trace has the requests of its own run. Choose an account of a request of GET /_sim/journal, or open the trace of the run that used this account.'
        : olderHint,
    },
  )
}

/** `with status=409, api=service`; empty when nothing is asked for. */
function withText({ name: _, ...asked }: SavedPart): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return given.length > 0 ? `with ${given.map(([key, value]) => `${key}=${value}`).join(', ')}` : ''
}

/** A test without a request would pass whatever the simulator does. */
function nothingToPlay(
  part: SavedPart,
  selected: SavedRequest | undefined,
  reason: string | undefined,
  all: readonly (SavedRequest & Parameters<typeof faultsOf>[0])[],
): ServiceError {
  if (selected) {
    const { method, url } = selected
    return new ServiceError(
      'conflict',
      `No selected request can be repeated: ${method} ${url}: ${reason}`,
      { hint: 'Select other requests, or all since the last reset: without a filter.' },
    )
  }
  const ids = [...new Set(all.flatMap(faultsOf))].slice(0, 8)
  const rules = part.fault ? `. Rules that hit a request: ${ids.join(', ') || 'none'}` : ''
  return new ServiceError(
    'conflict',
    `There is nothing to save: the journal has no request ${withText(part) || 'since the last reset'}`,
    {
      hint: `Choose among the requests of GET /_sim/journal since the last reset. Reads of /_sim and failed control calls are not repeated${rules}.`,
    },
  )
}

/** Choices in a refusal: a hint has room for no more. */
const shownRuns = 4

function oneRun<Part>(select: () => Part): Part {
  try {
    return select()
  } catch (error) {
    if (error instanceof OlderAccountsError)
      throw new ServiceError('conflict', error.message, {
        hint: olderHint,
        cause: error,
      })
    if (!(error instanceof SeveralRunsError)) throw error
    const ends: readonly SavedRequest[] = error.ends
    // Chosen by importance, and listed like the journal: newest first.
    const shown = ends
      .slice(0, shownRuns)
      .sort((one, other) => other.cursor - one.cursor)
      .map(shownRequest)
    const more = ends.length > shownRuns ? `; and ${ends.length - shownRuns} more` : ''
    throw new ServiceError('conflict', error.message, {
      hint: `Save one run: open its last request and choose "Save as test up to here" (until=CURSOR). ${shown.join('; ')}${more}.`,
      cause: error,
    })
  }
}

const modeIn = (body: unknown): ClockMode | undefined => (body as { mode?: ClockMode } | null)?.mode

/** The mode of the clock at a place: the last clock call before it says it. */
function clockOf(deps: AppDeps, all: readonly SavedRequest[], place: number): ClockMode {
  const calls = all.flatMap(({ cursor, url, answer }) => {
    const mode = modeIn(answer?.body)
    return url.startsWith('/_sim/clock') && mode ? [{ cursor, mode, url }] : []
  })
  const before = calls.findLast(({ cursor }) => cursor < place)
  if (before) return before.mode
  const [first] = calls
  if (first?.url.endsWith('/resume')) return 'frozen'
  if (first && /\/(freeze|auto)$/.test(first.url)) return 'real'
  return first?.mode ?? deps.control.timekeeper.time().mode
}

interface Saved {
  name: string
  given: {
    clock?: string
    accounts: Record<string, { funds?: Record<string, Record<string, string>> }>
  }
  when: readonly Step[]
  then: unknown
}

interface Step {
  fund?: { account: string; network: string; asset: string; amount: string }
  fault?: Rule
  advance?: number
  heal?: unknown
  plan?: { account: string; kind: string; as?: string }
  execute?: { plan: string }
}

interface Rule {
  id: string
  on: string
  match?: { account_id?: string; kind?: string }
}

/**
 * Puts the funds and the faults of the first steps where a client's own command finds them too (`svc-sim scenario run FILE -- COMMAND`), and
 * makes moves of time in a row one.
 */
function tidied({ given, when, ...rest }: Saved) {
  const accounts = structuredClone(given.accounts)
  const faults: Rule[] = []
  const steps: Step[] = []
  for (const step of when) {
    const { fund, fault, advance } = step
    const last = steps.at(-1)
    if (fund && steps.length === 0 && faults.every(({ on }) => on !== 'chain')) {
      const { account, network, asset, amount } = fund
      const { funds = {} } = accounts[account]!
      const had = BigInt(funds[network]?.[asset] ?? 0)
      const assets = { ...funds[network], [asset]: `${had + BigInt(amount)}` }
      accounts[account] = { funds: { ...funds, [network]: assets } }
    } else if (fault && isFirst(fault, steps) && faults.every(({ id }) => id !== fault.id))
      faults.push(fault)
    else if (advance !== undefined && last?.advance !== undefined)
      last.advance = Math.round((last.advance + advance) * 1_000) / 1_000
    else steps.push({ ...step })
  }
  const { name, then } = rest
  return {
    name,
    given: { ...given, accounts },
    ...(faults.length > 0 && { faults }),
    when: steps,
    then,
  }
}

/** Whether a rule hits the same when it is there from the start: because it is, or because it is for the first of its kind. */
function isFirst({ on, match: { account_id, kind } = {} }: Rule, before: readonly Step[]): boolean {
  if (before.length === 0) return true
  const met = before.flatMap(({ plan, execute }) => {
    if (on !== 'execute') return plan ?? []
    return (
      before.find((step) => execute !== undefined && step.plan?.as === execute.plan)?.plan ?? []
    )
  })
  const words = (text: string): string => text.replaceAll(/[-_]/g, '')
  const isOfRule = (plan: NonNullable<Step['plan']>): boolean =>
    account_id === `{{${plan.account}.id}}` && words(plan.kind) === words(kind!)
  return kind !== undefined && !before.some(({ heal }) => heal !== undefined) && !met.some(isOfRule)
}

/** Lower case, digits, `_` and `-` alone, so that every file system takes it. */
function fileName(title: string): string {
  const safe = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
  return /^(con|prn|aux|nul|com\d|lpt\d|)$/.test(safe) ? `saved-${safe}`.replace(/-$/, '') : safe
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
