import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import type { Head, InspectedTransaction } from '../../chain/transactions/inspect.js'
import type { MiningSwitch } from '../../chain/transactions/mining.js'
import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import type { Folio } from '../../service/folio/schema.js'
import type { ValuePoint } from '../../service/folio/values.js'
import { type RecordStep, type StoreState, stepsTo } from '../../service/store/state.js'
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
  /** How many accounts were omitted because there were too many. */
  accountsLeftOut: number
  clock: Time
  /** USD with 8 decimals, in decimal digits, by symbol; null when no node told them. */
  prices: Readonly<Record<string, string>> | null
  /** The last block of each network that answered. */
  heads: readonly Head[]
  /** Each account's final portfolio. */
  folios: Readonly<Record<string, Folio>>
  /** By account, what it was worth over time: milliseconds of the clock, and USD with 8 decimals in decimal digits. */
  values: Readonly<Record<string, readonly (readonly [number, string])[]>>
  /** The latest transactions by hash. */
  transactions: Readonly<Record<string, TracedTransaction>>
  faults: readonly RuleView[]
  /** The networks that a client had mine no blocks, or one at an interval. */
  switches: readonly MiningSwitch[]
  snapshots: readonly SnapshotInfo[]
  coverage: readonly (readonly [string, number])[]
  keys: readonly TracedKey[]
}

/** A transaction as a trace has it: JSON-safe. */
export type TracedTransaction = Omit<InspectedTransaction, 'gasUsed'> & { gasUsed: string }

export interface TraceSources {
  journal: Pick<Journal, 'all' | 'marks' | 'dropped' | 'bytes'>
  store: { save(): StoreState }
  /** The rules that were armed, even after the end removed them. */
  faults(): RuleView[]
  switches(): readonly MiningSwitch[]
  time(): Time
  prices(): Promise<Record<string, bigint>>
  heads(): Promise<Head[]>
  /** What an account has on the networks that answer; undefined when there is no such account, or no answer. */
  folio(accountId: string): Promise<Folio | undefined>
  inspect(hash: Hex): Promise<{ transaction: InspectedTransaction | undefined }>
  values(accountId: string): readonly ValuePoint[]
  /** Starts to record values at each event. */
  watchValues(): void
  snapshots(): SnapshotInfo[]
  coverage: ReadonlyMap<string, number>
  keys: readonly TracedKey[]
  /** Texts that must not be in the trace. */
  secrets: readonly string[]
}

/** A node that has not answered by then does not hold a trace up. Milliseconds. */
const answersWithinMs = 1_000

/** What the nodes alone know, as they said it last: at the end of a run they are gone before it is written down. */
export type NodeFacts = Pick<TraceContent, 'prices' | 'heads' | 'folios' | 'transactions'>

/** The facts before any node has answered. */
export const noNodeFacts: NodeFacts = { prices: null, heads: [], folios: {}, transactions: {} }

/** The most transactions in a trace; the latest stay. */
const maxTransactions = 100

/** So many accounts have their folio in a trace: those that were spoken of last. */
const maxFolios = 100

/** Collects the facts that only the nodes know. */
export function askedNodes(sources: TraceSources) {
  let facts = noNodeFacts
  const soon = <T>(work: Promise<T>): Promise<T | undefined> =>
    pTimeout(
      work.catch(() => undefined),
      { milliseconds: answersWithinMs, fallback: () => undefined },
    )
  /** Prices and heads. Never rejects. */
  const ask = async (): Promise<void> => {
    const [all, heads] = await Promise.all([soon(sources.prices()), soon(sources.heads())])
    if (all) {
      const texts = Object.entries(all).map(([of, e8]) => [of, `${e8}`] as const)
      facts = { ...facts, prices: Object.fromEntries(texts) }
    }
    if (heads) facts = { ...facts, heads }
  }
  return {
    facts: () => facts,
    ask,
    /** The folios of accounts and the transactions besides. For the end: each takes a read of every network. Never rejects. */
    async askAll(): Promise<void> {
      const folios: Record<string, Folio> = {}
      const named = namedIn(sources.journal.all())
      const read = async (): Promise<void> => {
        for (const id of [...named].slice(0, maxFolios)) {
          const folio = await sources.folio(id)
          if (folio) folios[id] = folio
        }
      }
      const transactions: Record<string, TracedTransaction> = {}
      const inspect = async (): Promise<void> => {
        for (const hash of hashesIn(sources.journal.all())) {
          const { transaction } = await sources.inspect(hash)
          if (transaction)
            transactions[hash] = { ...transaction, gasUsed: `${transaction.gasUsed}` }
        }
      }
      await Promise.all([ask(), soon(read()), soon(inspect())])
      facts = { ...facts, folios: { ...folios }, transactions: { ...transactions } }
    },
  }
}

/** Characters of JSON that accounts may take; the journal has its own bounds. */
const storeBound = 24 * 1024 * 1024

export function contentOf(
  sources: TraceSources,
  nodes: NodeFacts,
  { bound = storeBound, isNamedOnly = false } = {},
): TraceContent {
  const { journal, coverage, keys } = sources
  const exchanges = journal.all()
  const named = namedIn(exchanges)
  return {
    journal: { exchanges, marks: journal.marks(), dropped: journal.dropped },
    ...accountsWithin(sources.store.save(), named, { bound, isNamedOnly }),
    values: Object.fromEntries(
      [...named]
        .slice(0, maxFolios)
        .map((id) => [id, sources.values(id).map(({ ms, usd }) => [ms, `${usd}`] as const)]),
    ),
    clock: sources.time(),
    ...nodes,
    faults: sources.faults(),
    switches: sources.switches(),
    snapshots: sources.snapshots(),
    coverage: [...coverage],
    keys,
  }
}

/** Account ids, the most recently mentioned first. */
function namedIn(exchanges: readonly RecordedRequest[]): Set<string> {
  const named = new Set<string>()
  for (const { url, body, answer, notes } of exchanges.toReversed()) {
    const texts = [url, body, answer?.text, ...notes.map(({ text }) => text)]
    for (const text of texts)
      for (const [id] of text?.matchAll(/\bacc_[0-9A-Za-z]{12,32}\b/g) ?? []) named.add(id)
  }
  return named
}

/** Hashes of the transactions that were sent on behalf of requests, the last first. */
function hashesIn(exchanges: readonly RecordedRequest[]): Hex[] {
  const hashes = new Set<Hex>()
  for (const { notes } of exchanges.toReversed())
    for (const { text } of notes.toReversed())
      for (const [, hash] of text.matchAll(/"(?:hash|refund)":"(0x[0-9a-f]{64})"/g))
        if (hashes.size < maxTransactions) hashes.add(hash as Hex)
  return [...hashes]
}

/** The accounts that the journal names, and as many others as there is room for, unless only those are wanted. */
function accountsWithin(
  state: StoreState,
  named: ReadonlySet<string>,
  { bound, isNamedOnly }: { bound: number; isNamedOnly: boolean },
): Pick<TraceContent, 'store' | 'accountsLeftOut'> {
  const stepsOf = new Map<string, RecordStep[]>()
  for (const step of stepsTo(state)) {
    const id = accountOfStep(step)
    if (id === undefined || (isNamedOnly && !named.has(id))) continue
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

/** The owner's id; undefined for records that only a continuing simulator needs. */
function accountOfStep(step: RecordStep): string | undefined {
  switch (step[0]) {
    case 'account':
    case 'plan':
    case 'activity':
    case 'event':
    case 'unread':
      return step[1].accountId
    case 'signed':
      return step[1].plan.accountId
    default:
      return undefined
  }
}
