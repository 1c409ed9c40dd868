import type { Schemas } from '../../../../clients/client/types.js'
import { serviceOf } from '../../api/accounts.js'
import { Refused } from '../../api/session.js'
import { signature } from '../../api/signers.js'
import type { AccountView } from '../../api/types.js'

/** Asks the service as the account's prime account, with what was typed: it is the service that says what is wrong with it. */
async function post<Answer>(view: AccountView, path: string, body: unknown): Promise<Answer> {
  const { account, api_key } = view
  const response = await fetch(`/accounts/${account.account_id}/plan/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key ?? ''}` },
    body: JSON.stringify(body),
  }).catch((error: Error) => {
    throw new Refused(Response.error(), { error: 'unreachable', message: unreachable(error) })
  })
  // Half of a body is no answer.
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok || answer === undefined) throw new Refused(response, answer)
  return answer as Answer
}

const unreachable = (error: Error): string =>
  `No response (${error.message}). The request may or may not have been executed`

/** Makes a plan. */
export function askForPlan(
  view: AccountView,
  kind: string,
  body: Record<string, unknown>,
): Promise<Schemas['Plan']> {
  return post(view, kind, body)
}

/** Signs a plan by the key of this tab, and executes it. */
export async function signAndExecute(
  view: AccountView,
  plan: Schemas['Plan'],
): Promise<Schemas['ExecutionResult']> {
  const signed = await signature(plan, view.account.signer_address)
  return post(view, 'execute', { plan_id: plan.plan_id, signature: signed })
}

/** An activity as the service tells it. */
export async function activityOf(view: AccountView, id: string): Promise<Schemas['Activity']> {
  const params = { params: { path: { activity_id: id } } }
  const { data, error, response } = await serviceOf(view).GET('/activities/{activity_id}', params)
  if (!data) throw new Refused(response, error)
  return data
}
