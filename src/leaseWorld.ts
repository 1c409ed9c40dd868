import { setTimeout as sleep } from 'node:timers/promises'
import type { NetworkName } from './chain/deployments/networks.js'
import type { ForkTarget } from './chain/fork/target.js'
import type { SnapshotInfo } from './control/snapshotInfo.js'
import type { Time } from './control/time.js'
import { type ControlClient, createControl, RefusedError } from './controlClient.js'
import type { RuleView } from './faults/faultRules.js'
import type { FundRequest } from './options.js'

/** Which simulator lends the world, and how the world begins. Everything has a default. */
export interface LeaseOptions {
  /** The simulator; that of `SVC_CONTROL_URL` or `SVC_BASE_URL` when absent, or else `http://127.0.0.1:4477`. */
  url?: string
  /** The simulator's control token, where it asks for one; that of `SVC_CONTROL_TOKEN` when absent. */
  controlToken?: string
  /** Makes ids the same from world to world; drawn when absent. */
  seed?: bigint | number | string
  /** `real`, `frozen` or `frozen@ISO-TIME`; `real` when absent. */
  clock?: string
  /** Networks to fork, as `URL`, `URL@BLOCK` or `{ url, block }`; the others are offline. */
  fork?: Partial<Record<NetworkName, string | ForkTarget>>
  /** A scenario that is prepared in it: the content of a file, or its text. */
  scenario?: string | Record<string, unknown>
  /** Should this program end without giving the world back, it goes back after so long; 60 s. */
  leaseSeconds?: number
  /** How long to wait for a world while there is none; 120 s. */
  waitSeconds?: number
}

/** A world that is leased to this program: `await using world = await leaseWorld()` gives it back at the end of the block. */
export interface WorldHandle extends AsyncDisposable {
  id: string
  /** Base URL of the service API. */
  url: string
  /** Chooses this world, for the service API and as bearer for `/_sim` and `/rpc`. */
  apiKey: string
  /** Of this world alone. */
  controlUrl: string
  /** JSON-RPC URL of a network of this world (HTTP; the same path speaks WebSocket). */
  rpc(network: NetworkName): string
  /** The accounts of its scenario, by their names there. */
  accounts: Record<string, { id: string; wallet: string; signer: string; key: string }>
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
  }
  /** Gives it back, with all that is in it. Safe to call twice, and when it is lost. */
  close(): Promise<void>
}

/** The answer of `POST /_sim/worlds`. */
interface Lease {
  id: string
  apiKey: string
  url: string
  controlUrl: string
  rpc: Record<NetworkName, string>
  accounts: WorldHandle['accounts']
}

/**
 * Leases a world from a simulator that runs: all its own, and nobody else's until it is closed. The lease is renewed until then, as long
 * as this program has something to do; it does not keep the program alive. Rejects with the reason when there is none.
 */
export async function leaseWorld(options: LeaseOptions = {}): Promise<WorldHandle> {
  const { seed, clock, fork, scenario, leaseSeconds = 60, waitSeconds = 120 } = options
  const front = createControl(
    controlUrlOf(options),
    options.controlToken ?? process.env.SVC_CONTROL_TOKEN,
  )
  const body = { seed: seed?.toString(), clock, fork, scenario, lease_seconds: leaseSeconds }
  const lease = await leaseWithin(front, body, waitSeconds)
  const place = `/worlds/${lease.id}`
  const renew = setInterval(
    () => {
      // What has become of the lease is told by whatever is asked of the world next.
      front('POST', `${place}/renew`).catch(() => {})
    },
    (leaseSeconds * 1000) / 3,
  ).unref()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    clearInterval(renew)
    await front('DELETE', place).catch((error: unknown) => {
      if (!(error instanceof RefusedError && error.status === 404)) throw error
    })
  }
  return handleOf(lease, () => {
    closing ??= close()
    return closing
  })
}

function handleOf({ rpc, controlUrl, ...lease }: Lease, close: () => Promise<void>): WorldHandle {
  const control = createControl(controlUrl, lease.apiKey)
  const to = (path: string, idOrName: string): string => `${path}/${encodeURIComponent(idOrName)}`
  const clockOf = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Time> => {
    const { now, unix_ms: ms, mode } = await control<WireTime>(method, path, body)
    return { now, ms, mode }
  }
  const { id, url, apiKey, accounts } = lease
  return {
    id,
    url,
    apiKey,
    accounts,
    controlUrl,
    rpc: (network) => rpc[network],
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
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Rules = { faults: RuleView[] }
type WireTime = { now: string; unix_ms: number; mode: Time['mode'] }

function controlUrlOf({ url }: LeaseOptions): string {
  const { SVC_CONTROL_URL, SVC_BASE_URL } = process.env
  if (url === undefined && SVC_CONTROL_URL) return SVC_CONTROL_URL
  return `${(url ?? (SVC_BASE_URL || 'http://127.0.0.1:4477')).replace(/\/+$/, '')}/_sim`
}

/** Asks again while all worlds are taken. */
async function leaseWithin(
  front: ControlClient,
  body: unknown,
  waitSeconds: number,
): Promise<Lease> {
  const until = performance.now() + waitSeconds * 1000
  for (;;) {
    try {
      return await front<Lease>('POST', '/worlds', body)
    } catch (error) {
      const waitMs = error instanceof RefusedError ? error.retryAfterMs : undefined
      if (waitMs === undefined || performance.now() + waitMs > until) throw error
      await sleep(waitMs)
    }
  }
}
