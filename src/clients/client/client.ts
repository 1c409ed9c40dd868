import type { Client } from 'openapi-fetch'
import { carryOut, type ExecutedPlan } from './carryOut.js'
import {
  type EventsPage,
  type EventsQuery,
  type FollowedEvent,
  type FollowOptions,
  follow,
  untilEnded,
  untilItPasses,
  type WaitOptions,
} from './follow.js'
import {
  createFetchClient,
  defaultPatience,
  type Patience,
  patientFetch,
  unwrap,
} from './sending.js'
import type { paths } from './serviceApi.js'
import { type Signer, signPlan } from './signer.js'
import { SvcError } from './svcError.js'
import type { PlanIntent, PlanName, Schemas } from './types.js'

/** Which service, and how calls are retried. */
export interface SvcClientOptions {
  /** Such as `http://127.0.0.1:4477`. */
  baseUrl: string
  apiKey: string
  /** How often a call is repeated after 429, and how long to wait in between. */
  patience?: Partial<Patience>
  /** Sends the requests; `fetch` when absent. */
  fetch?: (request: Request) => Promise<Response>
}

/** Ends a call; the reason is thrown. */
interface Abortable {
  signal?: AbortSignal | undefined
}

/** Options of `signAndExecute`. */
export interface SignAndExecuteOptions extends Abortable {
  /** The most plans to make when they go stale or expire before they are executed; 5 when absent. */
  attempts?: number | undefined
}

/** A client of the service. Methods throw a `SvcError` when the service refuses a request or does not respond. */
export interface SvcClient {
  /**
   * Every call of the service, typed by the OpenAPI document. A refusal is not thrown here, but is in `error`; `unwrap` takes the data.
   */
  api: Client<paths>
  /** Creates the sub-account of a signer. Throws 409 `account_already_exists` if the signer has one. */
  createAccount(signerAddress: string, options?: Abortable): Promise<Schemas['Account']>
  /** Creates the sub-account of a signer, or returns the one that exists. Safe to call again. */
  openAccount(signerAddress: string, options?: Abortable): Promise<Schemas['Account']>
  folio(
    accountId: string,
    options?: Abortable & { cached?: boolean | undefined },
  ): Promise<Schemas['Folio']>
  activity(activityId: string, options?: Abortable): Promise<Schemas['Activity']>
  /** Requests a plan. Nothing happens on chain. */
  plan<Kind extends PlanName>(
    accountId: string,
    kind: Kind,
    request: PlanIntent<Kind>,
    options?: Abortable,
  ): Promise<Schemas['Plan']>
  /** Signs a plan and sends it once. It is never retried. */
  execute(
    accountId: string,
    plan: Schemas['Plan'],
    signer: Signer,
    options?: Abortable,
  ): Promise<Schemas['ExecutionResult']>
  /**
   * Plans, signs and executes, exactly once. After a lost or unclear response, the activities of the account show whether the plan was
   * executed. A new plan is made only when the first was not executed and no longer can be.
   */
  signAndExecute<Kind extends PlanName>(
    accountId: string,
    kind: Kind,
    request: PlanIntent<Kind>,
    signer: Signer,
    options?: SignAndExecuteOptions,
  ): Promise<ExecutedPlan>
  /**
   * Resolves when an activity of the account is confirmed or has failed; `activity_status` says which. The activity is read at the start,
   * after each long poll, and at least every few seconds. Temporary failures are retried, as in `followEvents`.
   */
  waitForActivity(
    accountId: string,
    activityId: string,
    options?: WaitOptions,
  ): Promise<Schemas['Activity']>
  /**
   * The events of an account as they happen, in order and each once, by long polls that resume where they broke off. Ends by `break`, by
   * the signal, or by a failure that is not temporary.
   */
  followEvents(
    accountId: string,
    options?: FollowOptions,
  ): AsyncGenerator<FollowedEvent, never, void>
}

/** Makes a client; nothing is sent yet. */
export function createSvcClient(options: SvcClientOptions): SvcClient {
  const patience = { ...defaultPatience, ...options.patience }
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const api = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.apiKey}` },
    fetch: patientFetch(send, patience),
  })
  const calls = callsOf(api)
  const eventsOf = (accountId: string) => (query: EventsQuery, signal: AbortSignal) =>
    readEvents(api, accountId, query, signal)
  return {
    api,
    ...calls,
    followEvents: (accountId, following = {}) => follow(eventsOf(accountId), following, patience),
    async openAccount(signerAddress, { signal } = {}) {
      const open = async (until: AbortSignal) => {
        try {
          return await calls.createAccount(signerAddress, { signal: until })
        } catch (error) {
          if (!(error instanceof SvcError) || error.code !== 'account_already_exists') throw error
          return accountOfSigner(api, signerAddress, until)
        }
      }
      return untilItPasses(open, { signal, failures: patience.attempts }, patience)
    },
    signAndExecute(accountId, kind, request, signer, { attempts = 5, signal } = {}) {
      const steps = {
        plan: (until: AbortSignal) => calls.plan(accountId, kind, request, { signal: until }),
        sign: (plan: Schemas['Plan']) => signPlan(plan, signer),
        ...executionCalls(api, accountId),
      }
      return carryOut(steps, { attempts, signal }, patience)
    },
    waitForActivity(accountId, activityId, waiting = {}) {
      const look = (signal: AbortSignal) => calls.activity(activityId, { signal })
      return untilEnded(look, eventsOf(accountId), waiting, patience)
    },
  }
}

/** The methods that are one call each. */
function callsOf(
  api: Client<paths>,
): Pick<SvcClient, 'createAccount' | 'folio' | 'activity' | 'plan' | 'execute'> {
  return {
    createAccount: (signerAddress, { signal } = {}) =>
      unwrap(
        api.POST('/accounts', {
          body: { signer_type: 'eoa', signer_address: signerAddress },
          ...signalOf(signal),
        }),
      ),
    async folio(accountId, { signal, cached } = {}) {
      const params = { path: { account_id: accountId }, query: cached ? { cached } : {} }
      const call = api.GET('/accounts/{account_id}/folio', { params, ...signalOf(signal) })
      return (await unwrap(call)).folio
    },
    activity: (activityId, { signal } = {}) =>
      unwrap(
        api.GET('/activities/{activity_id}', {
          params: { path: { activity_id: activityId } },
          ...signalOf(signal),
        }),
      ),
    plan: (accountId, kind, request, { signal } = {}) =>
      unwrap(
        // Each kind has a route of its own with a body of its own; the types of the parameters hold them together.
        api.POST(`/accounts/{account_id}/plan/${kind}` as '/accounts/{account_id}/plan/earn', {
          params: { path: { account_id: accountId } },
          body: request as PlanIntent<'earn'>,
          ...signalOf(signal),
        }),
      ),
    async execute(accountId, plan, signer, { signal } = {}) {
      const body = { plan_id: plan.plan_id, signature: await signPlan(plan, signer) }
      return executeSigned(api, accountId, body, signal)
    },
  }
}

/** The calls by which `carryOut` sends a signed plan, and looks whether it was executed. */
export function executionCalls(api: Client<paths>, accountId: string) {
  return {
    execute: (plan_id: string, signature: string, until: AbortSignal) =>
      executeSigned(api, accountId, { plan_id, signature }, until),
    activities: (until: AbortSignal) => activitiesOf(api, accountId, until),
  }
}

function executeSigned(
  api: Client<paths>,
  accountId: string,
  body: { plan_id: string; signature: string },
  signal: AbortSignal | undefined,
): Promise<Schemas['ExecutionResult']> {
  const params = { path: { account_id: accountId } }
  return unwrap(
    api.POST('/accounts/{account_id}/plan/execute', { params, body, ...signalOf(signal) }),
  )
}

async function activitiesOf(
  api: Client<paths>,
  accountId: string,
  signal: AbortSignal,
): Promise<Schemas['Activity'][]> {
  const params = { path: { account_id: accountId } }
  const call = api.GET('/accounts/{account_id}/activities', { params, signal })
  return (await unwrap(call)).activities
}

/** The account that a signer has already; its casing does not matter. */
async function accountOfSigner(
  api: Client<paths>,
  signerAddress: string,
  signal: AbortSignal,
): Promise<Schemas['Account']> {
  const { accounts } = await unwrap(api.GET('/accounts', { signal }))
  const wanted = signerAddress.toLowerCase()
  const account = accounts.find((each) => each.signer_address.toLowerCase() === wanted)
  if (account) return account
  throw new SvcError(`${signerAddress} has an account that the list of accounts does not show`, {
    status: 409,
    code: 'account_already_exists',
    call: 'GET /accounts',
  })
}

function readEvents(
  api: Client<paths>,
  accountId: string,
  query: EventsQuery,
  signal: AbortSignal,
): Promise<EventsPage> {
  const params = { path: { account_id: accountId }, query }
  return unwrap(api.GET('/accounts/{account_id}/events', { params, signal }))
}

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}
