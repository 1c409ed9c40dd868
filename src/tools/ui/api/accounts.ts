import createFetchClient from 'openapi-fetch'
import type { paths as ServicePaths } from '../../../clients/client/serviceApi.js'
import type { components } from '../../../clients/control/controlApi.js'
import { onMessage } from './live.js'
import { answered } from './refusal.js'
import { asViewer, controlApi } from './session.js'
import type { StreamMessage } from './stream.js'

/** A sub-account as it is listed. */
export type ListedAccount = components['schemas']['AccountOfAny']

/** A sub-account with all that is told of it. */
export type AccountView = components['schemas']['AccountView']

/** Looks at a sub-account. */
export function lookAt(id: string): Promise<AccountView> {
  return answered(controlApi.GET('/_sim/accounts/{id}', { params: { path: { id } } }))
}

/** The service API as the prime account of an account asks it. */
export function serviceOf({ account, api_key }: AccountView) {
  if (api_key === null)
    throw new Error(`All keys of the prime account ${account.prime_account_id} are revoked`)
  return createFetchClient<ServicePaths>({
    baseUrl: location.origin,
    headers: { authorization: `Bearer ${api_key}` },
    fetch: (request) => fetch(asViewer(request)),
  })
}

/** Whether the simulator is in another state from now on: a restored one, or that of its start. */
export function isOtherState({ type, data }: StreamMessage): boolean {
  return type === 'snapshot' && /restored|reset/.test(data.change)
}

/** Calls back when accounts may be others than before; returns how to stop that. */
export function onAccounts(listener: () => void): () => void {
  return onMessage((message) => {
    const isOther =
      message.type === 'dropped' ||
      isOtherState(message) ||
      (message.type === 'exchange' &&
        message.data.method === 'POST' &&
        /^\/accounts(\?|$)/.test(message.data.url))
    if (isOther) listener()
  })
}

/** Calls back when an account may have something else than before: blocks, time and prices change what it has. */
export function onHoldings(id: string, listener: () => void): () => void {
  return onMessage((message) => {
    if (changesHoldings(id, message)) listener()
  })
}

function changesHoldings(id: string, { type, data }: StreamMessage): boolean {
  if (type === 'event') return data.account_id === id
  return type === 'block' || type === 'clock' || type === 'dropped' || type === 'snapshot'
}
