import { readinessOf } from '../chain/process/health.js'
import type { InspectedBlock } from '../chain/transactions/inspect.js'
import { createScenarioRuns } from '../clients/scenarios/runs.js'
import { createSystemLock } from '../control/systemLock.js'
import { loadAddressBook } from '../deployments/addressBook.js'
import { networkNames, perNetwork } from '../deployments/networks.js'
import { createApp } from '../http/app.js'
import { defaultCorsOrigins } from '../http/core/originPolicy.js'
import type { AppDeps, WorldLeases } from '../http/core/types.js'
import { listen } from '../http/server/listen.js'
import { addressedWorld } from '../http/worlds/worldRouter.js'
import { ServiceError } from '../lib/errors.js'
import { createIds } from '../lib/ids.js'
import type { Journal } from '../observe/journal/journal.js'
import { failuresIn } from '../observe/journal/journal.js'
import { createStream } from '../observe/stream/stream.js'
import type { TraceContent } from '../observe/trace/content.js'
import { type RunContent, readTrace } from '../observe/trace/traceFile.js'
import type { WorldTrace } from '../observe/trace/worldTraces.js'
import type { ValuePoint } from '../service/folio/values.js'
import { planKinds } from '../service/plans/kinds/index.js'
import { createStore } from '../service/store/createStore.js'
import { emptyStore } from '../service/store/recoverStore.js'
import { applyChange, emptyState } from '../service/store/state.js'
import { createClock } from '../time/clock.js'
import { defaultWorld, defaultWorldId, isFailed, type LeasedWorld } from '../worlds/lease.js'

export type OpenTrace = Awaited<ReturnType<typeof openTrace>>

/** Serves a trace on loopback, read-only, with the responses of the simulator that recorded it. */
export async function openTrace(file: string, port = 0) {
  const { madeBy, content } = await readTrace(file)
  const stopping = new AbortController()
  const listening = await listen({ host: '127.0.0.1', port }, () => false)
  const { url } = listening
  const from = { file, madeBy, url, stopping: stopping.signal }
  const worlds = worldsOf(content, file)
  const { worldsLeftOut } = content
  const deps = depsOf(content, { ...from, worlds, worldsLeftOut })
  const first = createApp(deps)
  const apps = new Map(
    content.worlds.map((world) => [world.id, createApp(depsOf(world.content, from))]),
  )
  listening.serve({
    handle(req, res) {
      const target = addressedWorld(req, worlds)
      const app = target?.world && apps.get(target.world.id)
      if (app) req.url = target.url
      void (app ?? first)(req, res)
    },
    app: first,
    upgrade: () => false,
    requestId: () => deps.service.ids.request(),
  })
  return {
    url,
    async close(): Promise<void> {
      stopping.abort()
      await listening.drain(1_000)
      await listening.close()
    },
  }
}

interface TraceContext {
  file: string
  madeBy: string
  url: string
  stopping: AbortSignal
  worlds?: WorldLeases
  worldsLeftOut?: number
}

/** The parts behind the app: records come from the trace, and actions are refused. */
function depsOf(
  content: TraceContent,
  { file, madeBy, url, stopping, worlds, worldsLeftOut = 0 }: TraceContext,
): AppDeps {
  const { clock, faults, snapshots, keys, folios, prices, values } = content
  const corsOrigins = defaultCorsOrigins
  const lasts = Object.entries(values).flatMap(([id, all]) =>
    all.slice(-1).map((last) => [id, pointOf(last)] as const),
  )
  return {
    access: { keys, bind: { host: '127.0.0.1', allowedHosts: [], corsOrigins } },
    service: readOnly({
      ids: createIds(1n),
      store: storeOf(content),
      book: loadAddressBook(),
      planKinds,
    }),
    control: readOnly({
      timekeeper: readOnly({ time: () => clock }),
      snapshots: readOnly({ list: () => [...snapshots] }),
      prices: prices
        ? readOnly({
            all: async () =>
              Object.fromEntries(
                Object.entries(prices).map(([symbol, e8]) => [symbol, BigInt(e8)]),
              ),
          })
        : refused,
      folio: {
        look: async ({ accountId }) => {
          const folio = folios[accountId] ?? null
          const missing = folio ? [] : networkNames.map((network) => ({ network, problem: gone }))
          return { folio, missing }
        },
      },
      values: {
        of: (id) => (values[id] ?? []).map(pointOf),
        latest: () => new Map(lasts),
        settled: async () => {},
      },
      expectedFill: () => undefined,
      staleNow: async () => undefined,
      shortNow: async () => undefined,
    }),
    chains: chainsOf(content),
    faults: readOnly({
      seams: { hasRules: false, intercept: (_seam, _call, proceed) => proceed() },
      list: () => [...faults],
    }),
    timing: {
      clock: { ...createClock(), now: () => clock.ms },
      settled: async () => {},
      counted: (work) => work(),
      clientRead: () => {},
      lock: createSystemLock(),
      stopping,
    },
    records: readOnly({
      journal: journalOf(content),
      coverage: countsByKey(content.coverage),
      stream: createStream(),
      log: {
        debug() {},
        error: (message, cause) => process.stderr.write(`${message}: ${cause}\n`),
      },
    }),
    scenarios: createScenarioRuns({
      target: { url, apiKey: '' },
      ownFolder: undefined,
      publish() {},
    }),
    trace: {
      file,
      madeBy,
      endedAt: clock.now,
      accountsLeftOut: content.accountsLeftOut,
      worldsLeftOut,
    },
    ...(worlds && { worlds }),
  }
}

/** The networks in their final state. JSON-RPC is refused. */
function chainsOf(content: TraceContent): AppDeps['chains'] {
  return {
    rpc: { handle: refuse },
    heads: async () => [...content.heads],
    async inspect(hash) {
      const transaction = content.transactions[hash]
      return {
        transaction: transaction && { ...transaction, gasUsed: BigInt(transaction.gasUsed) },
        silent: [],
      }
    },
    async blocks(network, { last = Number.MAX_SAFE_INTEGER, limit }) {
      const blocks = new Map<number, InspectedBlock>()
      for (const { gasUsed, ...transaction } of Object.values(content.transactions)) {
        const { block: number, unixSeconds } = transaction
        if (transaction.network !== network || number > last) continue
        const others = blocks.get(number)?.transactions ?? []
        const transactions = [...others, { ...transaction, gasUsed: BigInt(gasUsed) }]
        blocks.set(number, { number, hash: undefined, unixSeconds, transactions })
      }
      return [...blocks.values()].sort((a, b) => b.number - a.number).slice(0, limit)
    },
    switches: () => content.switches,
    // Never ready: clients that wait for chains must not take these for running ones.
    readiness: async () =>
      readinessOf(perNetwork(({ chainId }) => ({ chain_id: chainId, ready: false, error: gone }))),
  }
}

/** The worlds of the trace. They can be listed, not leased. */
function worldsOf(content: RunContent, file: string): WorldLeases {
  const { worlds, clock } = content
  const leaseUntilMs = clock.ms
  const testsOf = worldsOfTests(worlds)
  const all = worlds.map(
    ({ id, lease }): LeasedWorld => ({
      id,
      apiKey: '',
      socket: '',
      leasedMs: undefined,
      leaseSeconds: 0,
      leaseUntilMs,
      failedTests: [],
      flakyTests: [],
      passedTests: [],
      ...lease,
      // Tests of the default world have no lease.
      ...(lease?.leasedMs === undefined && { leaseUntilMs }),
      ...(testsOf.has(id) && { testOf: testsOf.get(id)! }),
    }),
  )
  const failures = new Map(
    worlds.map(({ id, lease, content: { journal, store } }) => {
      const state = emptyState()
      applyChange(state, store)
      const own = failuresIn(journal, state.activities)
      if (!testsOf.has(id)) return [id, own] as const
      // Leaves out what began before the test, and what a flaky test left behind.
      const isFlaky = lease?.flakyTests.includes(lease.name ?? '')
      return [
        id,
        { ...own, failed: own.failed.filter(({ order }) => order > 0 && !isFlaky) },
      ] as const
    }),
  )
  const ofDefault = defaultOf(all, leaseUntilMs)
  const none = { leased: 0, warm: 0, starting: 0, waiting: 0, lost: 0, isDraining: false }
  const leased = worlds.filter(({ id }) => !testsOf.has(id))
  const { length } = leased
  const own = new Set(content.keys.map(({ key }) => key))
  const answers = new Map<string, number>()
  for (const [key, count] of leased.flatMap(({ content: { coverage } }) => coverage))
    answers.set(key, (answers.get(key) ?? 0) + count)
  return readOnly({
    all: () => all,
    ofId: (id) => all.find((world) => world.id === id),
    // A test has the key of its world.
    ofKey(key) {
      const isOf = ({ content }: WorldTrace) => content.keys.some((each) => each.key === key)
      const id = own.has(key) ? undefined : worlds.findLast(isOf)?.id
      return all.find((world) => world.id === id)
    },
    answers: async () => answers,
    failures: async () => failures,
    counts: () => ({ ...none, most: length, granted: length }),
    ofDefault: () => ofDefault,
    ended: () => ({
      failed: [...all, ofDefault].filter(isFailed).length,
      worlds: [],
      trace: file,
    }),
    onChange() {},
  })
}

/** The default world, with the tests that have entries of their own. */
function defaultOf(all: readonly LeasedWorld[], endedMs: number): LeasedWorld {
  const tests = all.filter(({ testOf }) => testOf === defaultWorldId)
  return {
    ...defaultWorld(endedMs),
    failedTests: [...new Set(tests.flatMap(({ failedTests }) => failedTests))],
    flakyTests: [...new Set(tests.flatMap(({ flakyTests }) => flakyTests))],
    failures: Object.assign({}, ...tests.map((each) => each.failures)),
  }
}

/** The worlds in which tests ran, by the ids of the tests' own entries. Older traces do not name them: a test is called like its entry, and has the key of its world. */
function worldsOfTests(worlds: readonly WorldTrace[]): ReadonlyMap<string, string> {
  const isTest = ({ lease }: WorldTrace): boolean =>
    lease?.name !== undefined && [...lease.failedTests, ...lease.flakyTests].includes(lease.name)
  const worldOf = (test: WorldTrace): string | undefined =>
    worlds.find((each) => !isTest(each) && each.content.keys[0]?.key === test.content.keys[0]?.key)
      ?.id
  return new Map(
    worlds.flatMap((each) => {
      const world = each.lease?.testOf ?? (isTest(each) ? worldOf(each) : undefined)
      return world === undefined ? [] : [[each.id, world]]
    }),
  )
}

const gone = 'this is a trace: its nodes are gone'

const pointOf = ([ms, usd]: readonly [number, string]): ValuePoint => ({ ms, usd: BigInt(usd) })

function storeOf({ store }: TraceContent) {
  const db = emptyStore()
  applyChange(db.data, store)
  return createStore({ db })
}

/** The recorded journal. Requests to the trace are not added. */
function journalOf({ journal }: TraceContent): Journal {
  const { exchanges, marks, dropped } = journal
  return {
    begin: () => ({ note() {}, sent() {}, answered() {} }),
    all: () => exchanges,
    taken() {},
    mark() {},
    marks: () => marks,
    dropped,
    bytes: 0,
  }
}

/** Counts that stay as recorded. */
function countsByKey(counts: TraceContent['coverage']): Map<string, number> {
  const map = new Map(counts)
  map.set = () => map
  return map
}

/** A part with only these members; all others refuse, because they need the chains. */
function readOnly<T extends object>(part: Partial<NoInfer<T>>): T {
  return new Proxy(part as T, { get: (known, name) => Reflect.get(known, name) ?? refused })
}

/** Any part, with methods that all refuse. */
const refused: never = new Proxy(async () => refuse(), {
  // Not a promise.
  get: (_, name) => (name === 'then' ? undefined : refused),
}) as never

function refuse(): never {
  throw new ServiceError('conflict', 'This is a trace of a finished run: it has no chains')
}
