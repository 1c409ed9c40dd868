import { answered, controlApi } from './session.js'
import type { AccountView, StreamMessage } from './types.js'

export function lookAt(id: string, signal?: AbortSignal): Promise<AccountView> {
  const params = { path: { id } }
  return answered(controlApi.GET('/_sim/accounts/{id}', { params, ...(signal && { signal }) }))
}

export function isOtherState({ type, data }: StreamMessage): boolean {
  return type === 'snapshot' && /restored|reset/.test(data.change)
}

export function changesAccounts(message: StreamMessage): boolean {
  return (
    message.type === 'dropped' ||
    isOtherState(message) ||
    (message.type === 'exchange' &&
      message.data.method === 'POST' &&
      /^\/accounts(\?|$)/.test(message.data.url))
  )
}

/** Whether the holdings of an account may have changed: blocks, time and prices change them. */
export function changesHoldings(id: string, { type, data }: StreamMessage): boolean {
  if (type === 'event') return data.account_id === id
  return type === 'block' || type === 'clock' || type === 'dropped' || type === 'snapshot'
}

/** Sub-accounts of all prime accounts, newest first, that have `q` in an id or address. */
export function findAccounts(query: { q?: string; limit: number; after?: string | undefined }) {
  const { q, after, limit } = query
  const params = {
    query: { order: 'newest' as const, limit, ...(q && { q }), ...(after && { after }) },
  }
  return answered(controlApi.GET('/_sim/accounts', { params }))
}
