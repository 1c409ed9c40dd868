import type { AccountRecord } from '../store/store.js'

/** The sections of a folio, always all present (service-facts section 8.1). */
export const folioSections = [
  'balances',
  'prices',
  'yield_markets',
  'borrow_markets',
  'rewards',
  'swap_hints',
  'bridge_hints',
  'hex_data',
  'completion_statuses',
  'patches',
] as const

export type Folio = Record<(typeof folioSections)[number], Record<string, unknown>>

/** What the HTTP layer asks of the portfolio reader. Failures are `ServiceError` (408 `timeout`). */
export interface FolioService {
  /** A fresh folio, or with `cached` the most recent one computed for this account (fresh when there is none yet). */
  read(account: AccountRecord, options: { cached: boolean }): Promise<Folio>
}
