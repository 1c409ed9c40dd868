import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { createControl, RefusedError } from '../control/controlClient.js'
import type { Sim, SimClock, SimFaults } from './sim.js'

/** Where a world is; a simulator's first world is one like the others. */
export interface WorldPlace {
  /** Base URL of the service API. */
  url: string
  /** Chooses the world, for the service API and as bearer for `/_sim` and `/rpc`. */
  apiKey: string
  /** Of this world alone. */
  controlUrl: string
  /** JSON-RPC URL of a network of this world (HTTP; the same path speaks WebSocket). */
  rpc(network: NetworkName): string
}

/** A world that is reached over HTTP, wherever it runs. */
export interface WorldFace extends Sim {
  faults: SimFaults<Promise<RuleView[]>>
  clock: SimClock<Promise<Date>, Promise<Time>>
}

/** The world at this place; `close` ends it. */
export function worldAt(place: WorldPlace, close: () => Promise<void>): WorldFace {
  const control = createControl(place.controlUrl, place.apiKey)
  const to = (path: string, idOrName: string): string => `${path}/${encodeURIComponent(idOrName)}`
  const clockOf = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Time> => {
    const { now, unix_ms: ms, mode } = await control<WireTime>(method, path, body)
    return { now, ms, mode }
  }
  const { url, apiKey, controlUrl } = place
  return {
    ...place,
    apiKeys: [apiKey],
    docsUrl: `${url}/docs`,
    uiUrl: `${controlUrl}/ui/`,
    close,
    [Symbol.asyncDispose]: close,
    fund: (request) => control('POST', '/fund', request),
    snapshot: async (name) => (await control<SnapshotInfo>('POST', '/snapshots', { name })).id,
    restore: async (name) => void (await control('POST', `${to('/snapshots', name)}/restore`)),
    reset: async () => void (await control('POST', '/reset')),
    snapshots: {
      list: async () =>
        (await control<{ snapshots: SnapshotInfo[] }>('GET', '/snapshots')).snapshots,
      delete: async (name) => void (await control('DELETE', to('/snapshots', name))),
    },
    faults: {
      add: (rule) => control('POST', '/faults', rule),
      set: async (rules) => (await control<Rules>('PUT', '/faults', rules)).faults,
      list: async () => (await control<Rules>('GET', '/faults')).faults,
      remove: (rule) => control('DELETE', to('/faults', rule)).then(() => true, falseWhenGone),
      clear: async () => void (await control('DELETE', '/faults')),
    },
    clock: {
      now: async () => new Date((await clockOf('GET', '/clock')).ms),
      time: () => clockOf('GET', '/clock'),
      advance: (seconds) => clockOf('POST', '/clock/advance', { seconds }),
      freeze: (atMs) =>
        clockOf(
          'POST',
          '/clock/freeze',
          atMs === undefined ? {} : { at: new Date(atMs).toISOString() },
        ),
      resume: () => clockOf('POST', '/clock/resume'),
      auto: () => clockOf('POST', '/clock/auto'),
    },
  }
}

type Rules = { faults: RuleView[] }
type WireTime = { now: string; unix_ms: number; mode: Time['mode'] }

function falseWhenGone(error: unknown): boolean {
  if (error instanceof RefusedError && error.status === 404) return false
  throw error
}
