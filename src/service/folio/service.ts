import type { z } from 'zod'
import type { NetworkName } from '../../deployments/networks.js'
import type { AccountRecord } from '../store/store.js'
import type { folioSchema } from './schema.js'

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

export type Folio = z.infer<typeof folioSchema>

/** What one lends against on a borrow market, by symbol. */
export type Collaterals = Folio['borrow_markets'][string]['collaterals']

/** A folio of the networks that answer. */
export interface SeenFolio {
  /** Null when none answers. */
  folio: Folio | null
  /** The networks that do not answer, and why. */
  missing: { network: NetworkName; problem: string }[]
}

/** Looks at portfolios for the dashboard. */
export interface FolioViewer {
  /** The folio of the networks that answer soon. Never rejects for one that does not. */
  look(account: AccountRecord): Promise<SeenFolio>
}

/** What the HTTP layer asks of the portfolio reader. Failures are `ServiceError` (408 `timeout`). */
export interface FolioService {
  /** A fresh folio, or with `cached` the most recent one computed for this account (fresh when there is none yet). */
  read(account: AccountRecord, options: { cached: boolean }): Promise<Folio>
}
