import pTimeout from 'p-timeout'
import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { type RecordStep, stepsTo } from '../../service/store/changes.js'
import type { StoreState } from '../../service/store/state.js'
import type { Journal, Mark, RecordedRequest } from '../journal/journal.js'

/** A prime account as a trace has it; its key is masked. */
export interface TracedKey {
  key: string
  primeId: string
  name: string
  email: string
  createdAt: string
  revoked: boolean
}

/** What a trace holds: enough to answer as the simulator did, as far as that was about what had happened. JSON-safe. */
export interface TraceContent {
  journal: { exchanges: readonly RecordedRequest[]; marks: readonly Mark[]; dropped: number }
  /** Accounts with their plans, activities and events. */
  store: readonly RecordStep[]
  /** How many accounts are not among them, for there were too many. */
  accountsLeftOut: number
  clock: Time
  /** USD with 8 decimals, in decimal digits, by symbol; null when no node told them. */
  prices: Readonly<Record<string, string>> | null
  faults: readonly RuleView[]
  snapshots: readonly SnapshotInfo[]
  coverage: readonly (readonly [string, number])[]
  keys: readonly TracedKey[]
}

/** Where a trace comes from. */
export interface TraceSources {
  journal: Journal
  store: { save(): StoreState }
  /** Those that were armed; also when the end has removed them. */
  faults(): RuleView[]
  time(): Time
  /** What assets cost, as the nodes say. */
  prices(): Promise<Record<string, bigint>>
  snapshots(): SnapshotInfo[]
  coverage: ReadonlyMap<string, number>
  keys: readonly TracedKey[]
  /** What must not be in it. */
  secrets: readonly string[]
}

/** A node that has not answered by then does not hold a trace up. Milliseconds. */
const answersWithinMs = 1_000

/** What assets cost, as the nodes said last: at the end of a run they are gone before it is written down. */
export function askedPrices({ prices }: Pick<TraceSources, 'prices'>) {
  let told: TraceContent['prices'] = null
  return {
    told: () => told,
    /** Asks the nodes. Never rejects. */
    async ask(): Promise<void> {
      const asked = prices().catch(() => undefined)
      const all = await pTimeout(asked, {
        milliseconds: answersWithinMs,
        fallback: () => undefined,
      })
      if (all) told = Object.fromEntries(Object.entries(all).map(([of, e8]) => [of, `${e8}`]))
    },
  }
}

/** Characters of JSON that accounts may take; the journal has its own bounds. */
const storeBound = 24 * 1024 * 1024

/** Everything that is to be in the trace, as it is now. */
export function contentOf(
  sources: TraceSources,
  prices: TraceContent['prices'],
  bound = storeBound,
): TraceContent {
  const { journal, coverage, keys } = sources
  const exchanges = journal.all()
  return {
    journal: { exchanges, marks: journal.marks(), dropped: journal.dropped },
    ...accountsWithin(sources.store.save(), namedIn(exchanges), bound),
    clock: sources.time(),
    prices,
    faults: sources.faults(),
    snapshots: sources.snapshots(),
    coverage: [...coverage],
    keys,
  }
}

/** Ids of accounts, those that were spoken of last first. */
function namedIn(exchanges: readonly RecordedRequest[]): Set<string> {
  const named = new Set<string>()
  for (const { url, body, answer, notes } of exchanges.toReversed()) {
    const texts = [url, body, answer?.text, ...notes.map(({ text }) => text)]
    for (const text of texts)
      for (const [id] of text?.matchAll(/\bacc_[0-9A-Za-z]{12,32}\b/g) ?? []) named.add(id)
  }
  return named
}

/** The accounts that the journal names, and as many others as there is room for. */
function accountsWithin(
  state: StoreState,
  named: ReadonlySet<string>,
  bound: number,
): Pick<TraceContent, 'store' | 'accountsLeftOut'> {
  const stepsOf = new Map<string, RecordStep[]>()
  for (const step of stepsTo(state)) {
    const id = accountOfStep(step)
    if (id === undefined) continue
    const known = stepsOf.get(id)
    if (known) known.push(step)
    else stepsOf.set(id, [step])
  }
  const chosen = new Set<string>()
  let size = 0
  for (const id of new Set([...named, ...stepsOf.keys()])) {
    const steps = stepsOf.get(id)
    if (!steps) continue
    size += JSON.stringify(steps).length
    if (size > bound) break
    chosen.add(id)
  }
  const kept = [...stepsOf].filter(([id]) => chosen.has(id))
  return {
    store: kept.flatMap(([, steps]) => steps),
    accountsLeftOut: stepsOf.size - kept.length,
  }
}

/** Whose it is; undefined for what only somebody who goes on with the state needs. */
function accountOfStep(step: RecordStep): string | undefined {
  switch (step[0]) {
    case 'account':
    case 'plan':
    case 'activity':
    case 'event':
      return step[1].accountId
    case 'signed':
      return step[1].plan.accountId
    default:
      return undefined
  }
}
