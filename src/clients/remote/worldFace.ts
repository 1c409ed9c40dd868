import type { SnapshotInfo } from '../../control/snapshotInfo.js'
import type { Time } from '../../control/time.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { createControl } from '../control/controlClient.js'
import type { FundRequest } from './fundRequest.js'

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

/** What a test does with a world, wherever it runs: all of it goes over HTTP. */
export interface WorldFace extends WorldPlace {
  /** Adds `amount` (smallest unit) of an asset to an account's wallet or to any address. */
  fund(request: FundRequest): Promise<{ address: string; balance: string }>
  /** Takes a snapshot of the whole world. Returns its id. */
  snapshot(name?: string): Promise<string>
  /** Takes everything back to a snapshot, by id or name. Later ones are gone. */
  restore(idOrName: string): Promise<void>
  /** Takes everything back to how the world was leased. All snapshots are gone. */
  reset(): Promise<void>
  snapshots: { list(): Promise<SnapshotInfo[]>; delete(idOrName: string): Promise<void> }
  /** Faults on purpose: rules that are added and removed. */
  faults: {
    add(rule: unknown): Promise<RuleView>
    set(rules: readonly unknown[]): Promise<RuleView[]>
    list(): Promise<RuleView[]>
    remove(id: string): Promise<void>
    clear(): Promise<void>
  }
  /** The world's own clock; each move resolves when all that is due has happened. */
  clock: {
    time(): Promise<Time>
    advance(seconds: number): Promise<Time>
    freeze(atMs?: number): Promise<Time>
    resume(): Promise<Time>
    auto(): Promise<Time>
  }
}

/** The world at this place. */
export function worldAt(place: WorldPlace): WorldFace {
  const control = createControl(place.controlUrl, place.apiKey)
  const to = (path: string, idOrName: string): string => `${path}/${encodeURIComponent(idOrName)}`
  const clockOf = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Time> => {
    const { now, unix_ms: ms, mode } = await control<WireTime>(method, path, body)
    return { now, ms, mode }
  }
  return {
    ...place,
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
      remove: async (rule) => void (await control('DELETE', to('/faults', rule))),
      clear: async () => void (await control('DELETE', '/faults')),
    },
    clock: {
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
