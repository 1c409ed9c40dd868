import createFetchClient, { type Client } from 'openapi-fetch'
import { executeOnce } from './executeOnce.js'
import { type EventsPage, type EventsQuery, follow, untilEnded } from './follow.js'
import { type Calls, safely } from './safely.js'
import { defaultPatience, patientFetch } from './sending.js'
import type { paths } from './serviceApi.js'
import { signPlan } from './signer.js'
import type { SvcClient, SvcClientOptions } from './svcClient.js'
import type { PlanIntent, Schemas } from './types.js'
import { unwrap } from './unwrap.js'

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
  const safe = safely(calls, patience)
  const eventsOf = (accountId: string) => (query: EventsQuery, signal: AbortSignal) =>
    readEvents(api, accountId, query, signal)
  return {
    api,
    ...safe,
    execute: calls.execute,
    followEvents: (accountId, following = {}) => follow(eventsOf(accountId), following, patience),
    signAndExecute(accountId, kind, request, signer, { attempts = 5, signal } = {}) {
      const steps = {
        plan: () => safe.plan(accountId, kind, request, { signal }),
        execute: (plan: Schemas['Plan']) => calls.execute(accountId, plan, signer, { signal }),
        activities: () => safe.activities(accountId, { signal }),
      }
      return executeOnce(steps, { attempts, signal }, patience)
    },
    waitForActivity(accountId, activityId, waiting = {}) {
      const look = (signal: AbortSignal) => calls.activity(activityId, { signal })
      return untilEnded(look, eventsOf(accountId), waiting, patience)
    },
  }
}

/** The methods that are one call each. */
function callsOf(api: Client<paths>): Calls {
  return {
    accounts: async ({ signal } = {}) =>
      (await unwrap(api.GET('/accounts', { ...signalOf(signal) }))).accounts,
    async activities(accountId, { signal } = {}) {
      const params = { path: { account_id: accountId } }
      const call = api.GET('/accounts/{account_id}/activities', { params, ...signalOf(signal) })
      return (await unwrap(call)).activities
    },
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
      const signature = await signPlan(plan, signer)
      return unwrap(
        api.POST('/accounts/{account_id}/plan/execute', {
          params: { path: { account_id: accountId } },
          body: { plan_id: plan.plan_id, signature },
          ...signalOf(signal),
        }),
      )
    },
  }
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
