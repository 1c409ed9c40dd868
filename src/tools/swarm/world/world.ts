import { resolve } from 'node:path'
import { createSvcClient } from '../../../clients/client/client.js'
import { unwrap } from '../../../clients/client/sending.js'
import {
  answerOf,
  type ControlSchemas,
  createControl,
  journalSince,
  RefusedError,
} from '../../../clients/control/controlClient.js'
import { startOwnSimulator } from '../../../clients/remote/ownSimulator.js'
import { type WorldClient, worldAt } from '../../../clients/remote/worldClient.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import { viewerHeader } from '../../../http/core/headers.js'
import { connectVariables, sharesWorld } from '../../../http/routes/control/snippets.js'
import { packageFile } from '../../../lib/files/packageFile.js'
import type { Why } from '../../../observe/journal/whySchema.js'
import { textOfWhy } from '../../../observe/journal/whyText.js'
import { type AccountOutcome, accountOutcome, type MoneyOutcome } from '../judge/outcome.js'
import { type Exchange, isCrash, isOfService } from './exchange.js'

export interface World {
  /** The environment of a command, as `exec` sets it. */
  variables: Record<string, string>
  /** For a client that is a function. */
  client: WorldClient
  /** Arms these rules alone. Rejects with the reason when one of them can never fire. */
  arm(rules: readonly FaultRuleInput[]): Promise<void>
  /** Adds a rule; false when it can never fire. */
  add(rule: FaultRuleInput): Promise<boolean>
  /** At how many calls each rule could have fired, by the rule's id. */
  matchingCalls(): Promise<Map<string, number>>
  /** Skips the clock until nothing is due, removes all rules, and reads the requests since the last reset and where the money is. */
  settle(): Promise<{ exchanges: Exchange[]; outcome: MoneyOutcome }>
  /** How often rules that kill the client have fired. */
  crashes(): Promise<number>
  /** Requests since the last reset, while the client still runs. */
  requestsSoFar(): Promise<Exchange[]>
  /**
   * The timeline of an account, plan, activity or request, of these requests alone, to the end of the activity or request `until`;
   * undefined when nothing is known of it.
   */
  why(id: string, requests: ReadonlySet<string>, until?: string): Promise<string | undefined>
  reset(): Promise<void>
  /** How often each documented response was sent since the start. */
  coverage(): Promise<MetCell[]>
  /** Ends the simulator; its trace is complete then. */
  close(): Promise<void>
}

export interface MetCell {
  cell: string
  hits: number
}

export function metErrors(cells: readonly MetCell[]): MetCell[] {
  return cells.filter(({ cell, hits }) => hits > 0 && / [45]\d\d/.test(cell))
}

/** The seed of every world, so that a replayed scenario has the same ids. */
export const worldSeed = '1'

export interface WorldOptions {
  trace?: string
  /** As `--clock`; `auto` from the present time when absent. */
  clock?: string
  signal?: AbortSignal
}

/** Begins at the machine's time: clients compare times of the service with their own. */
export const usualClock = 'auto@now'

export interface Ready {
  url: string
  apiKey: string
  controlUrl: string
  rpc: Record<NetworkName, string>
}

/**
 * Starts a simulator in another process, as `exec` does. The user's configuration file and `SVC_` variables do not affect it.
 */
export async function openWorld({
  trace,
  clock = usualClock,
  signal,
}: WorldOptions = {}): Promise<World> {
  signal?.throwIfAborted()
  const flags = ['--quiet', '--no-ui', '--clock', clock, '--seed', worldSeed]
  if (trace !== undefined) flags.push('--trace', resolve(trace))
  const own = startOwnSimulator(packageFile('dist/cli/main.js'), flags, {
    cwd: packageFile('dist'),
    env: ownEnvironment(),
    detached: true,
  })
  return worldOf(await own.ready, own.stop, undefined, clock)
}

/** How far a clock that is not `auto` is advanced at the end of a run. Everything is due earlier: a refund takes ten minutes. */
const restSeconds = 3_600

/** On one machine, compressing a response takes longer than sending it. */
const unpacked = { 'accept-encoding': 'identity' }

/** For a simulator that runs already, such as that of `exec`. */
export function worldOf(
  ready: Ready,
  close: () => Promise<void>,
  controlToken?: string,
  clock: string = usualClock,
): World {
  const { url, apiKey, controlUrl, rpc } = ready
  const control = createControl(controlUrl, controlToken, unpacked)
  let cursor = 0
  const isAuto = clock.startsWith('auto')
  const exchangesSince = async (): Promise<Exchange[]> => {
    const page = await journalSince(control, cursor, { durations: true })
    cursor = page.cursor
    return page.exchanges
  }
  return {
    variables: { ...connectVariables(ready, controlToken), ...sharesWorld },
    client: worldAt({ url, apiKey, controlUrl, rpc: (network) => rpc[network] }, close),
    close,
    arm: async (rules) =>
      void (await control.PUT('/faults', { body: rules as ControlSchemas['FaultRule'][] })),
    add: (rule) =>
      control
        .POST('/faults', { body: rule as ControlSchemas['FaultRule'] })
        .then(() => true, falseWhenRefused),
    async matchingCalls() {
      const { faults } = await answerOf(control.GET('/faults'))
      return new Map(faults.map(({ id, seen }) => [id, seen]))
    },
    async crashes() {
      const { faults } = await answerOf(control.GET('/faults'))
      return faults.filter(isCrash).reduce((sum, { hits }) => sum + hits, 0)
    },
    async settle() {
      if (isAuto) await control.POST('/clock/auto')
      else await control.POST('/clock/advance', { body: { seconds: restSeconds } })
      const [exchanges, { accounts }] = await Promise.all([
        exchangesSince(),
        answerOf(control.GET('/accounts', { params: { query: { limit: 1000 } } })),
      ])
      // Not earlier: requests that a fault holds end with it.
      await control.DELETE('/faults')
      const [held, { prices }] = await Promise.all([
        accountsOf(ready, accounts),
        answerOf(control.GET('/prices')),
      ])
      const outcome = { accounts: held, prices }
      return { exchanges: exchanges.filter(isOfService), outcome }
    },
    async requestsSoFar() {
      const { exchanges } = await journalSince(control, cursor, { durations: true })
      return exchanges.filter(isOfService)
    },
    async why(id, requests, until) {
      const reply = await control
        .GET('/why/{id}', { params: { path: { id } } })
        .catch(undefinedWhenRefused)
      if (!reply?.data) return undefined
      const why = reply.data as Why
      const timeline = why.timeline.filter(
        ({ request_id }) => request_id === null || requests.has(request_id),
      )
      const last = until === undefined ? -1 : timeline.findLastIndex((each) => isEnd(each, until))
      return textOfWhy({ ...why, timeline: last < 0 ? timeline : timeline.slice(0, last + 1) })
    },
    reset: async () => void (await control.POST('/reset')),
    async coverage() {
      const { cells } = await answerOf(control.GET('/coverage'))
      return cells.map(({ method, path, status, code, hits }) => ({
        cell: `${method} ${path} ${status}${code ? ` ${code}` : ''}`,
        hits,
      }))
    },
  }
}

/** Whether an entry of a timeline is the last of an activity, as an event reports it, or of a request. */
function isEnd({ request_id, type, title }: Why['timeline'][number], id: string): boolean {
  if (type === 'event') return title.includes(id)
  return request_id === id && ['request', 'answer', 'reads'].includes(type)
}

/** Requests of a viewer appear neither in the journal nor in the coverage. */
function fetchAsViewer(request: Request): Promise<Response> {
  request.headers.set(viewerHeader, 'swarm')
  for (const [name, value] of Object.entries(unpacked)) request.headers.set(name, value)
  return fetch(request)
}

async function accountsOf(
  { url, apiKey }: Ready,
  accounts: readonly { account_id: string; svc_wallet_address: string }[],
): Promise<AccountOutcome[]> {
  const service = createSvcClient({ baseUrl: url, apiKey, fetch: fetchAsViewer })
  const outcomes = accounts.map(async (account) => {
    const { account_id } = account
    const [folio, { activities }] = await Promise.all([
      service.folio(account_id),
      unwrap(
        service.api.GET('/accounts/{account_id}/activities', { params: { path: { account_id } } }),
      ),
    ])
    return accountOutcome(account, folio.balances, activities)
  })
  return Promise.all(outcomes)
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')),
  )
}

function falseWhenRefused(error: unknown): false {
  if (error instanceof RefusedError && error.status < 500) return false
  throw error
}

function undefinedWhenRefused(error: unknown): undefined {
  if (error instanceof RefusedError) return undefined
  throw error
}
