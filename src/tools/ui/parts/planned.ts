import { activityStatusOf } from '../../../observe/journal/filter.js'
import type { ExchangeView } from '../api/types.js'
import { shownMoney } from './money.js'

type Requested = Pick<ExchangeView, 'url' | 'body'>

/** `Earn 50.00 USDC` of a request for a plan; undefined for any other request. */
export function planTitle(
  { url, body }: Requested,
  decimalsOf: (symbol: string) => number | undefined,
): string | undefined {
  const [, kind] = /^\/accounts\/[^/]+\/plan\/([\w-]+)$/.exec(url) ?? []
  if (kind === undefined || kind === 'execute') return undefined
  const words = kind[0]!.toUpperCase() + kind.slice(1).replaceAll('-', ' ')
  const fields = (typeof body === 'object' ? body : {}) as Record<string, unknown>
  const name = Object.keys(fields).find((field) => /amount/.test(field))
  const symbol = fields[name?.replace(/amount.*$/, 'asset') ?? 'asset']
  if (name === undefined || typeof symbol !== 'string') return words
  const raw = `${fields[name]}`
  if (!/^\d+$/.test(raw)) return `${words} ${raw} ${symbol}`
  return `${words} ${shownMoney({ raw, symbol }, decimalsOf(symbol))}`
}

export function executionOf({ notes }: Pick<ExchangeView, 'notes'>) {
  const begun = notes.find(({ type }) => type === 'activity')
  if (!begun) return undefined
  const { plan_id, activity_id } = begun
  const status = activityStatusOf(notes)!
  return { plan_id: `${plan_id}`, activity_id: `${activity_id}`, status }
}

export const isUnexecuted = (exchange: Pick<ExchangeView, 'notes' | 'url'>): boolean =>
  exchange.url.endsWith('/plan/execute') && !executionOf(exchange)
