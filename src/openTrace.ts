import { loadAddressBook } from './chain/deployments/addressBook.js'
import { perNetwork } from './chain/deployments/networks.js'
import { readinessOf } from './chain/node/health.js'
import { createSystemLock } from './control/systemLock.js'
import { createApp } from './http/app.js'
import { defaultCorsOrigins } from './http/callers.js'
import { listen } from './http/listen.js'
import type { AppDeps } from './http/types.js'
import type { Journal } from './journal/journal.js'
import { ServiceError } from './lib/errors.js'
import { createIds } from './lib/ids.js'
import { planKinds } from './plans/kinds/index.js'
import { createScenarioRuns } from './scenarios/runs.js'
import { applyChange } from './store/changes.js'
import { createStore } from './store/createStore.js'
import { emptyState } from './store/state.js'
import { createStream } from './stream/stream.js'
import { createClock } from './time/clock.js'
import type { TraceContent } from './trace/content.js'
import { readTrace, type Trace } from './trace/traceFile.js'

/** A trace that is served. */
export interface OpenTrace {
  url: string
  close(): Promise<void>
}

/** Serves a trace on loopback: what is asked of it is answered as the simulator did, and nothing can be changed. */
export async function openTrace(file: string, port = 0): Promise<OpenTrace> {
  const trace = await readTrace(file)
  const stopping = new AbortController()
  const listening = await listen({ host: '127.0.0.1', port }, () => false)
  const { url } = listening
  const deps = depsOf(trace, { file, url, stopping: stopping.signal })
  const requestId = () => deps.service.ids.request()
  listening.serve({ handle: createApp(deps), upgrade: () => false, requestId })
  return {
    url,
    async close() {
      stopping.abort()
      await listening.drain(1_000)
      await listening.close()
    },
  }
}

/** The parts behind the app: those that remember are filled from the trace, those that act are not there. */
function depsOf(
  { madeBy, content }: Trace,
  { file, url, stopping }: { file: string; url: string; stopping: AbortSignal },
): AppDeps {
  const { clock, faults, snapshots, keys } = content
  const now = () => clock.ms
  return {
    access: {
      keys,
      bind: { host: '127.0.0.1', allowedHosts: [], corsOrigins: defaultCorsOrigins },
    },
    service: {
      ids: createIds(1n),
      store: storeOf(content),
      book: loadAddressBook(),
      plans: { create: refuse, execute: refuse },
      planKinds,
      folio: { read: refuse },
    },
    control: {
      timekeeper: { time: () => clock, advance: refuse, freeze: refuse, resume: refuse },
      snapshots: {
        list: () => [...snapshots],
        take: refuse,
        restore: refuse,
        delete: refuse,
        reset: refuse,
        markStart: refuse,
      },
      faucet: { fund: refuse },
      prices: { all: refuse, set: refuse },
      liquidator: { liquidate: refuse },
      rewards: { grant: refuse },
      folio: { read: refuse },
      sendAgain: refuse,
    },
    chains: {
      rpc: { handle: () => refuseNow() },
      heads: async () => [],
      readiness: async () =>
        readinessOf(
          perNetwork(({ chainId }) => ({ chain_id: chainId, ready: false, error: gone })),
        ),
    },
    faults: {
      armed: false,
      around: (_seam, _call, proceed) => proceed(),
      list: () => [...faults],
      add: refuse,
      set: refuse,
      remove: refuse,
      clear: refuse,
      arm: refuse,
    },
    timing: {
      clock: { now, idle: createClock().idle },
      settled: async () => {},
      lock: createSystemLock(),
      stopping,
    },
    records: {
      journal: journalOf(content),
      coverage: standing(content.coverage),
      metrics: refuse,
      stream: createStream(),
      log: {
        debug() {},
        error: (message, cause) => process.stderr.write(`${message}: ${cause}\n`),
      },
    },
    scenarios: createScenarioRuns({
      target: { url, apiKey: '' },
      ownFolder: undefined,
      tell() {},
    }),
    trace: { file, madeBy, endedAt: clock.now, accountsLeftOut: content.accountsLeftOut },
  }
}

const gone = 'this is a trace: its nodes are gone'

function storeOf({ store }: TraceContent) {
  const recovered = emptyState()
  applyChange(recovered, store)
  return createStore({ recovered })
}

/** What was journaled; nothing that is asked of the trace comes in. */
function journalOf({ journal }: TraceContent): Journal {
  const { exchanges, marks, dropped } = journal
  return {
    begin: () => ({ note() {}, sent() {}, answered() {} }),
    all: () => exchanges,
    mark() {},
    marks: () => marks,
    dropped,
    bytes: 0,
  }
}

/** Counts that do not go on. */
function standing(counts: TraceContent['coverage']): Map<string, number> {
  const map = new Map(counts)
  map.set = () => map
  return map
}

/** For what needs the chains. */
async function refuse(): Promise<never> {
  return refuseNow()
}

function refuseNow(): never {
  throw new ServiceError(
    'conflict',
    'This is a trace of a run that has ended: there are no chains behind it',
  )
}
