import { z } from 'zod'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import type { Token } from '../../../deployments/token.js'
import { marketTokenOn } from '../assembly/sourcing.js'
import type { ActionContext } from '../model/contexts.js'
import { assetField, marketIdField, networkField } from '../model/fields.js'

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
  intent: Pick<LoanIntent, 'asset' | 'collateral_asset'> & { network: NetworkName },
  book: AddressBook,
): { token: Token; collateral: Token } {
  return {
    token: marketTokenOn(book, intent.network, intent.asset, 'asset'),
    collateral: marketTokenOn(book, intent.network, intent.collateral_asset, 'collateral_asset'),
  }
}

/** What `svc_intent` says of either kind: the amounts as they were asked for, 2^256-1 for everything. */
export function loanIntent(
  intent: Pick<LoanIntent, 'collateral_asset'> & {
    amount: bigint
    collateral_amount: bigint
  },
  contexts: readonly ActionContext[],
) {
  const { chain_id, asset_symbol, token } = contexts.find(isLoan)!
  return {
    chain_id: Number(chain_id),
    asset_symbol,
    token,
    amount: intent.amount.toString(),
    collateral_asset_symbol: intent.collateral_asset,
    collateral_amount: intent.collateral_amount.toString(),
  }
}

/** The Comet market of a loan's plan. */
export function cometIn(contexts: readonly ActionContext[]): string {
  return contexts.find(isCometLoan)!.comet
}

/** Predicates, as TypeScript finds: the rest of a plan only brings the funds. */
const isCometLoan = (context: ActionContext) =>
  context.action_type === 'COMET_BORROW' || context.action_type === 'COMET_REPAY'
const isMorphoLoan = (context: ActionContext) =>
  context.action_type === 'MORPHO_BORROW' || context.action_type === 'MORPHO_REPAY'
const isLoan = (context: ActionContext) => isCometLoan(context) || isMorphoLoan(context)

/** A loan to take or pay back, in smallest units. */
export interface Loan {
  network: NetworkName
  token: Token
  /** Borrowed or repaid; for the context of a whole repayment the debt of the moment. */
  amount: bigint
  collateral: Token
  collateralAmount: bigint
}
