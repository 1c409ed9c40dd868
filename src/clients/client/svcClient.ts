import type { Client } from 'openapi-fetch'
import type { FollowedEvent, FollowOptions } from './follow.js'
import type { Patience } from './sending.js'
import type { paths } from './serviceApi.js'
import type { Signer } from './signer.js'
import type { PlanIntent, PlanName, Schemas } from './types.js'

/** Which service, and how patiently. */
export interface SvcClientOptions {
  /** Such as `http://127.0.0.1:4477`. */
  baseUrl: string
  apiKey: string
  /** How often calls are sent again that were answered with 429, and how long is waited in between. */
  patience?: Partial<Patience>
  /** Sends the requests; `fetch` when absent. */
  fetch?: (request: Request) => Promise<Response>
}

/** Ends a call; the reason is thrown. */
export interface Abortable {
  signal?: AbortSignal | undefined
}

/** How a plan is made, signed and executed in one go. */
export interface SignAndExecuteOptions extends Abortable {
  /** How many plans are made at most when they turn out stale, or expire too soon; 5 when absent. */
  attempts?: number | undefined
}

/** A plan that was executed. */
export interface ExecutedPlan {
  plan: Schemas['Plan']
  execution: Schemas['ExecutionResult']
  /** How many plans it took: more than one when the first were stale. */
  attempts: number
}

/** A client of the service. Methods throw a `SvcError` when the service refuses or does not answer. */
export interface SvcClient {
  /**
   * Every call of the service, typed by the OpenAPI document. A refusal is not thrown here, but is in `error`; `unwrap` takes the data.
   */
  api: Client<paths>
  /**
   * Makes the sub-account of a signer; one that is there already is 409 `account_already_exists`. When the answer is lost, it asks again, and
   * returns the account that the first request has made.
   */
  createAccount(signerAddress: string, options?: Abortable): Promise<Schemas['Account']>
  folio(
    accountId: string,
    options?: Abortable & { cached?: boolean | undefined },
  ): Promise<Schemas['Folio']>
  activity(activityId: string, options?: Abortable): Promise<Schemas['Activity']>
  /** Asks for a plan. Nothing happens on chain. */
  plan<Kind extends PlanName>(
    accountId: string,
    kind: Kind,
    request: PlanIntent<Kind>,
    options?: Abortable,
  ): Promise<Schemas['Plan']>
  /** Signs a plan and sends it off, once: it is not tried again, whatever comes. */
  execute(
    accountId: string,
    plan: Schemas['Plan'],
    signer: Signer,
    options?: Abortable,
  ): Promise<Schemas['ExecutionResult']>
  /**
   * Plans, signs and executes, once. When the plan is stale or has expired, nothing has happened, and it is done again with a new plan. When
   * no answer comes, or a 5xx, it looks for an activity of the plan: if there is none, it executes the same plan again, which runs once at most.
   */
  signAndExecute<Kind extends PlanName>(
    accountId: string,
    kind: Kind,
    request: PlanIntent<Kind>,
    signer: Signer,
    options?: SignAndExecuteOptions,
  ): Promise<ExecutedPlan>
  /**
   * Resolves when an activity of the account is confirmed or has failed; `activity_status` says which. Events only tell when to look: the
   * activity is read at the start, after each long poll, and every few seconds at least. What passes is waited for, as in `followEvents`.
   */
  waitForActivity(
    accountId: string,
    activityId: string,
    options?: Pick<FollowOptions, 'signal' | 'failures'>,
  ): Promise<Schemas['Activity']>
  /**
   * The events of an account as they happen, in order and each once, by long polls that are taken up where they broke off. Ends by
   * `break`, by the signal, or by a failure that does not pass.
   */
  followEvents(
    accountId: string,
    options?: FollowOptions,
  ): AsyncGenerator<FollowedEvent, never, void>
}
