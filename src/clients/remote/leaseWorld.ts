// Users need not have this in their own configuration: the handle is disposable.
/// <reference lib="esnext.disposable" preserve="true" />
import { setTimeout as sleep } from 'node:timers/promises'
import type { ForkTarget } from '../../chain/fork/upstream/target.js'
import type { NetworkName } from '../../deployments/networks.js'
import { keepLoopbackDirect } from '../../lib/loopbackDirect.js'
import { type ClockOption, clockText, type SeedOption } from '../../time/clockOption.js'
import {
  answerOf,
  type ControlClient,
  type ControlSchemas,
  createControl,
  RefusedError,
} from '../control/controlClient.js'
import { isWorldShared, urlVariable, variable } from './variables.js'
import { type WorldClient, worldAt } from './worldClient.js'

/** The simulator to lease from, and how the world starts. Everything has a default. */
export interface LeaseOptions {
  /** URL of the simulator. When absent, `SVC_CONTROL_URL` or `SVC_BASE_URL`, or else `http://127.0.0.1:4477`. */
  url?: string
  /** The simulator's control token, if it requires one; `SVC_CONTROL_TOKEN` when absent. */
  controlToken?: string
  /** Shown in the list of worlds, for example file and name of a test. */
  name?: string
  /** Makes ids the same from world to world; random when absent. */
  seed?: SeedOption
  /** `real`, `frozen`, `frozen@ISO-TIME` or `{ frozenAt }`; `auto` when absent under a simulator with `--clock auto`, and `real` otherwise. */
  clock?: ClockOption
  /** Networks to fork, as `URL[,URL...]`, with `@BLOCK` or without, or `{ url, block }`; the others are offline. */
  fork?: Partial<Record<NetworkName, string | ForkTarget>>
  /** Folder of a bundle to fork networks from, on the simulator's machine. */
  bundle?: string
  /** A scenario to prepare in the world: the parsed content of a file, or its text. */
  scenario?: string | Record<string, unknown>
  /** The lease expires after this long if the program ends without releasing the world; 60 s. */
  leaseSeconds?: number
  /** How long to wait for a free world; 120 s. */
  waitSeconds?: number
}

/** A world that is leased to this program: `await using world = await leaseWorld()` releases it at the end of the block. */
export interface WorldHandle extends WorldClient {
  id: string
  /** The accounts of its scenario, by name. */
  accounts: Record<string, { id: string; wallet: string; signer: string; key: string }>
  /**
   * Reports a test that failed in this world: the list of worlds and a trace show it first. With `since`, the journal cursor at which the
   * test began, a trace keeps what the test did: await it before you restore the world.
   */
  reportFailed(test: string, more?: { error?: string; since?: number }): Promise<void>
  /** Reports that a test has passed in this world: the list of worlds says so, beside what failed there. */
  reportPassed(test: string): Promise<void>
  /** Reports that a test that had failed in this world has passed when it was retried, also after the world was closed. */
  reportPassedOnRetry(test: string): Promise<void>
}

/**
 * Leases a world of a running simulator. No other program uses it until it is closed. The lease is renewed until then, but does not keep the
 * program alive. Rejects with the reason when no world is free.
 *
 * With `SVC_WORLD=shared`, which `svc-sim swarm` and `exec --scenario` set, and without a `url`, nothing is leased: every caller gets the one
 * world in which the faults are armed, and closing it changes nothing. Its seed and clock are those of the run.
 */
export async function leaseWorld(options: LeaseOptions = {}): Promise<WorldHandle> {
  if (process.env.NODE_USE_ENV_PROXY) keepLoopbackDirect(process.env)
  if (options.url === undefined && isWorldShared()) return sharedWorld(options)
  const { name, seed, scenario, leaseSeconds = 60, waitSeconds = 120, ...others } = options
  const controlUrl = controlUrlOf(options)
  const token = options.controlToken ?? variable('SVC_CONTROL_TOKEN')
  const { clock, fork, bundle } = others
  const body = {
    name,
    seed: seed?.toString(),
    clock: clock === undefined ? undefined : clockText(clock),
    // One URL or several: the route takes both, and the document names the list.
    fork: fork as ControlSchemas['WorldRequest']['fork'],
    bundle,
    scenario,
    lease_seconds: leaseSeconds,
  }
  const balancer = createControl(controlUrl, token)
  const lease = await leaseWithin(balancer, body, { controlUrl, waitSeconds })
  // Behind a load balancer, only this simulator knows the lease.
  const holder = createControl(`${lease.url}/_sim`, token, {}, lostWith(lease))
  const place = { params: { path: { id: lease.id } } }
  const renew = setInterval(
    () => {
      // The next request to the world reports a lost lease.
      holder.POST('/worlds/{id}/renew', place).catch(() => {})
    },
    (leaseSeconds * 1000) / 3,
  ).unref()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    clearInterval(renew)
    await holder.DELETE('/worlds/{id}', place).catch((error: unknown) => {
      if (!(error instanceof RefusedError && error.status === 404)) throw error
    })
  }
  const giveBack = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  const report = async (body: ControlSchemas['FailedTest']): Promise<void> =>
    void (await holder.POST('/worlds/{id}/failures', { ...place, body }))
  const { id, url, apiKey, accounts, rpc } = lease
  return {
    ...worldAt(
      { url, apiKey, controlUrl: lease.controlUrl, rpc: (network) => rpc[network]! },
      giveBack,
      apiKey,
      lostWith(lease),
    ),
    id,
    accounts,
    reportFailed: (test, more) => report({ test, ...more }),
    reportPassed: (test) => report({ test, passed: true }),
    reportPassedOnRetry: (test) => report({ test, passed_on_retry: true }),
  }
}

function controlUrlOf({ url }: LeaseOptions): string {
  const controlUrl = url === undefined ? urlVariable('SVC_CONTROL_URL') : undefined
  const base = url ?? urlVariable('SVC_BASE_URL') ?? 'http://127.0.0.1:4477'
  return controlUrl ?? `${base.replace(/\/+$/, '')}/_sim`
}

function lostWith({ id }: { id: string }): string {
  return `It has ended or cannot be reached, and with it the leased world ${id}. Lease another one, and restart the test.`
}

/** A lease that waits longer says so: the time of a test may end before the wait does. Milliseconds. */
const silentMs = 2_000

/** Asks again while all worlds are taken, or a simulator is being stopped. */
async function leaseWithin(
  balancer: ControlClient,
  body: ControlSchemas['WorldRequest'],
  { controlUrl, waitSeconds }: { controlUrl: string; waitSeconds: number },
): Promise<ControlSchemas['WorldLease']> {
  const until = performance.now() + waitSeconds * 1000
  const signal = AbortSignal.timeout(waitSeconds * 1000)
  const noWorld = (what: string): string =>
    `no world is free at ${controlUrl}: ${what}. Release worlds as soon as you no longer need them, or start the simulator with a higher --max-worlds.`
  const saying = setTimeout(() => {
    void answerOf(balancer.GET('/worlds', { signal })).then(
      ({ waiting }) =>
        waiting > 0 &&
        process.stderr.write(`svc-sim: ${noWorld(`waiting up to ${waitSeconds} s for one`)}\n`),
      () => {}, // the lease itself reports the failure
    )
  }, silentMs).unref()
  try {
    for (;;) {
      try {
        return await answerOf(balancer.POST('/worlds', { body, signal }))
      } catch (error) {
        const waitMs = error instanceof RefusedError ? error.retryAfterMs : undefined
        if (!signal.aborted && waitMs === undefined) throw error
        if (waitMs === undefined || performance.now() + waitMs > until)
          throw new Error(noWorld(`none could be leased within ${waitSeconds} s`), { cause: error })
        await sleep(waitMs)
      }
    }
  } finally {
    clearTimeout(saying)
  }
}

/** The world of the run, from the variables that `exec` sets. Closing it changes nothing. Throws for options that only a leased world can have. */
function sharedWorld(wanted: {
  scenario?: unknown
  fork?: unknown
  bundle?: unknown
}): WorldHandle {
  const { scenario, fork, bundle } = wanted
  const [own] = Object.entries({ scenario, fork, bundle }).find(([, value]) => value) ?? []
  if (own)
    throw new Error(
      `SVC_WORLD is "shared": everything happens in one world, which cannot begin with a ${own} of its own. Unset SVC_WORLD to lease one, or leave out ${own}.`,
    )
  const [url, apiKey] = [urlVariable('SVC_BASE_URL'), variable('SVC_API_KEY')]
  if (!url || !apiKey)
    throw new Error(
      `SVC_WORLD is "shared", but ${url ? 'SVC_API_KEY' : 'SVC_BASE_URL'} is not set. svc-sim swarm and svc-sim exec --scenario set all three; unset SVC_WORLD elsewhere.`,
    )
  const controlUrl = urlVariable('SVC_CONTROL_URL') ?? `${url.replace(/\/+$/, '')}/_sim`
  const rpc = (network: NetworkName): string =>
    urlVariable(`SVC_RPC_${network.toUpperCase()}`) ?? `${url}/rpc/${network}`
  const token = variable('SVC_CONTROL_TOKEN')
  const control = createControl(controlUrl, token)
  const place = { params: { path: { id: 'default' } } }
  // The report is for the list of worlds and the trace: a simulator that has neither, as under a search, changes no test.
  const report = async (body: ControlSchemas['FailedTest']): Promise<void> =>
    void (await control.POST('/worlds/{id}/failures', { ...place, body }).catch(() => {}))
  return {
    ...worldAt({ url, apiKey, controlUrl, rpc }, async () => {}, token),
    id: 'shared',
    accounts: {},
    reportFailed: (test, more) => report({ test, ...more }),
    async reportPassed() {},
    reportPassedOnRetry: (test) => report({ test, passed_on_retry: true }),
  }
}
