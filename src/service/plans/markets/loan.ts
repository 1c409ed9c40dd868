import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { Token } from '../../../deployments/token.js'
import { marketTokenOn } from '../assembly/sourcing.js'
import type { ActionContext } from '../model/contexts.js'
import { assetField, marketIdField, networkField } from '../model/fields.js'
import type { Action } from '../model/kind.js'

/** What borrow and repay have in common: the same body, on the same two protocols. */

/** The fields of both besides the amounts. */
export const loanFields = {
  asset: assetField('Asset of the debt; a native asset means its wrapped form.'),
  collateral_asset: assetField('Collateral asset; a native asset is wrapped first.', 'WETH'),
  network: networkField,
  protocol: z
    .enum(['compound', 'morpho'], { error: 'must be one of compound, morpho' })
    .meta({ description: 'Lending protocol.', example: 'compound' }),
  market: marketIdField(
    'Market id; required for `morpho`. For `compound` the market is the one whose base asset is `asset`.',
  ).optional(),
}

/** Refinement of both bodies. */
export function hasItsMarket(body: { protocol: string; market?: string | undefined }): boolean {
  return body.protocol !== 'morpho' || body.market !== undefined
}

export const marketMissing = {
  error:
    'must be a market id: 0x and 64 hex digits, as GET /markets lists them; protocol "morpho" requires it',
  path: ['market'],
}

/** What the fields above parse to. */
export type LoanIntent = z.infer<z.ZodObject<typeof loanFields>>

/** The two tokens of a loan, or 400 `invalid_params`. */
export function loanTokens(
  intent: LoanIntent,
  book: AddressBook,
): { token: Token; collateral: Token } {
  return {
    token: marketTokenOn(book, intent.network, intent.asset, 'asset'),
    collateral: marketTokenOn(book, intent.network, intent.collateral_asset, 'collateral_asset'),
  }
}

/** Predicates, as TypeScript finds: the rest of a plan only brings the funds. */
export const isCometLoan = (context: ActionContext) =>
  context.action_type === 'COMET_BORROW' || context.action_type === 'COMET_REPAY'
export const isMorphoLoan = (context: ActionContext) =>
  context.action_type === 'MORPHO_BORROW' || context.action_type === 'MORPHO_REPAY'
export const isLoan = (context: ActionContext) => isCometLoan(context) || isMorphoLoan(context)

/** Whether a loan is taken or paid back. */
export type LoanChange = 'borrow' | 'repay'

/** A loan to take or pay back, in smallest units. */
export interface Loan {
  network: NetworkName
  token: Token
  /** Borrowed or repaid; for the context of a whole repayment the debt of the moment. */
  amount: bigint
  collateral: Token
  collateralAmount: bigint
}

/** A lending market, with the wallet's position in it: one protocol per file. */
export interface LoanMarket {
  /** For messages. */
  name: string
  /** What the wallet owes, and how much of that something under way is going to repay. */
  debt: { borrowed: bigint; promised?: bigint }
  /** How much of the collateral is in the position. Throws `plan_failed` when the market does not take that asset. */
  held(): bigint
  /** Throws `plan_failed` when the market does not lend that much against that collateral. */
  requireLoan?(): void
  /** The operation. `amount` is what its call borrows or repays, 2^256-1 for the whole debt; `loan` is what its context says. */
  action(loan: Loan, amount: bigint): Action
}
