import type { Address } from 'viem'
import { z } from 'zod'
import type { Revert } from '../../../chain/transactions/revert.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import { amountOrDeliverable, canDeliver, deliverable, marketTokenOn } from '../assembly/funding.js'
import type { Readable } from '../assembly/resolve.js'
import type { ActionContext } from '../model/contexts.js'
import { assetField, marketIdField, maxUint256, networkField } from '../model/fields.js'
import { type Draft, definePlan, type PlanInput, type PlanKind } from '../model/kind.js'
import type { SvcIntent } from '../model/svcIntents.js'
import {
  cometLoan,
  isCometLoan,
  isLoan,
  type Loan,
  type LoanChange,
  type LoanMarket,
  morphoLoan,
  observeCometLoan,
  observeMorphoLoan,
} from './loanMarkets.js'
import { BeyondPosition } from './position.js'

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

export function hasItsMarket(body: { protocol: string; market?: string | undefined }): boolean {
  return body.protocol !== 'morpho' || body.market !== undefined
}

export const marketMissing = {
  error:
    'must be a market id: 0x and 64 hex digits, as GET /markets lists them; protocol "morpho" requires it',
  path: ['market'],
}

type LoanIntent = z.infer<z.ZodObject<typeof loanFields>>

/** The two tokens of a loan, or 400 `invalid_params`. */
function loanTokens(intent: LoanIntent, book: AddressBook): { token: Token; collateral: Token } {
  return {
    token: marketTokenOn(book, intent.network, intent.asset, 'asset'),
    collateral: marketTokenOn(book, intent.network, intent.collateral_asset, 'collateral_asset'),
  }
}

type LoanBody = LoanIntent & { amount: bigint; collateral_amount: bigint }

interface LoanKind<Intent>
  extends Pick<
    PlanKind<Intent>,
    'path' | 'summary' | 'description' | 'schema' | 'isExtension' | 'spends'
  > {
  kind: LoanChange
  example: { amount: string; collateral_amount: string }
}

/** A plan kind that changes a loan: the same body, on the same two protocols, in one operation. */
export function defineLoan<Intent extends LoanBody>({
  example: { amount, collateral_amount },
  ...kind
}: LoanKind<Intent>): PlanKind {
  return definePlan<Intent>({
    ...kind,
    example: {
      amount,
      asset: 'USDC',
      collateral_amount,
      collateral_asset: 'WETH',
      network: 'base',
      protocol: 'compound',
    },
    reads: ['comet', 'morpho'],
    assets: loanTokens,

    build(intent, input) {
      const loan = {
        network: intent.network,
        ...loanTokens(intent, input.book),
        amount: intent.amount,
        collateralAmount: intent.collateral_amount,
      }
      const market =
        intent.protocol === 'morpho'
          ? morphoLoan(input, loan, kind.kind, intent.market!)
          : cometLoan(input, loan, kind.kind)
      return kind.kind === 'borrow' ? taken(input, loan, market) : repaid(input, loan, market)
    },

    explain: (revert) => explainLoan(revert, kind.kind),
    svcIntent: (intent, contexts, wallet) => loanIntent(kind.kind, intent, contexts, wallet),

    observe: (context, logs, book) => [
      ...observeCometLoan(context, logs, book),
      ...observeMorphoLoan(context, logs, book),
    ],
  })
}

/** Supplies the collateral and borrows; `collateralAmount` may be everything or nothing. */
function taken(input: PlanInput, loan: Loan, market: LoanMarket): Draft {
  const { network, collateral, amount } = loan
  market.requireLoan?.()
  const collateralAmount =
    loan.collateralAmount === 0n
      ? 0n
      : amountOrDeliverable(input, network, collateral, loan.collateralAmount)
  return {
    network,
    spends: collateralAmount > 0n ? [{ token: collateral, amount: collateralAmount }] : [],
    actions: [market.action({ ...loan, collateralAmount }, amount)],
  }
}

/** Repays and takes collateral out; each may be everything or nothing. */
function repaid(input: PlanInput, loan: Loan, market: LoanMarket): Draft {
  const { network, token, collateral, amount } = loan
  const { name, debt } = market
  const isAll = amount === maxUint256
  if (amount > 0n) requireDebt(debt, amount, token, name)
  const spent = isAll ? payoff(input, network, token, debt.borrowed) : amount
  const held = market.held()
  const collateralAmount = loan.collateralAmount === maxUint256 ? held : loan.collateralAmount
  if (loan.collateralAmount > 0n) requireCollateral(held, collateralAmount, collateral, name)
  const done = { ...loan, amount: isAll ? debt.borrowed : amount, collateralAmount }
  return {
    network,
    spends: spent > 0n ? [{ token, amount: spent }] : [],
    actions: [market.action(done, amount)],
  }
}

/** What `svc_intent` says of either kind: the amounts as they were asked for, 2^256-1 for everything. */
function loanIntent(
  change: LoanChange,
  intent: LoanBody,
  contexts: readonly ActionContext[],
  wallet: Address,
): SvcIntent {
  const { chain_id, asset_symbol, token } = contexts.find(isLoan)!
  const details = {
    chain_id: Number(chain_id),
    asset_symbol,
    token,
    amount: intent.amount.toString(),
    collateral_asset_symbol: intent.collateral_asset,
    collateral_amount: intent.collateral_amount.toString(),
  }
  const who = change === 'borrow' ? { borrower: wallet } : { repayer: wallet }
  const [protocol, where] =
    intent.protocol === 'morpho'
      ? (['morpho', { market_id: intent.market! }] as const)
      : (['comet', { comet: contexts.find(isCometLoan)!.comet }] as const)
  return {
    intent_type: `${protocol}_${change}`,
    intent: { ...details, ...where, ...who },
  } as SvcIntent
}

type Change = 'borrow' | 'repay' | 'withdraw-backing'

/** What to change in the request when the market would lend too much for the collateral. */
const tooMuchDebt: Record<Change, string> = {
  borrow:
    'the collateral is worth too little for the debt; send more collateral_amount, or ask for less amount',
  repay:
    'the collateral that is left is worth too little for the debt; repay more amount, or take out less collateral_amount',
  'withdraw-backing': 'the position would owe too much for its collateral; ask for less amount',
}

/** Why a market refused a simulated change of a loan, and what would do. Undefined where its own words say it all. */
export function explainLoan({ reason }: Revert, change: Change): string | undefined {
  switch (reason.split('(')[0]) {
    // Compound's word and Morpho's.
    case 'NotCollateralized':
    case 'insufficient collateral':
      return tooMuchDebt[change]
    case 'SupplyCapExceeded':
      return 'the market takes no more than its supply cap of this collateral; send less collateral_amount'
    case 'insufficient liquidity':
      return 'the market has less than that to lend; ask for less amount'
    default:
      return undefined
  }
}

/**
 * What the wallet must hold to pay off a debt that grows until execution: the debt x 1.00001 (service-facts 17), rounded up; if only the debt
 * itself can be brought there, everything that can. A plan that is built again keeps its amount while that covers the debt.
 */
export function payoff(
  input: Readable & Pick<PlanInput, 'spent'>,
  network: NetworkName,
  token: Token,
  debt: bigint,
): bigint {
  const spent = input.spent?.find(
    (each) => each.network === network && each.symbol === token.symbol,
  )
  const earlier = BigInt(spent?.amount ?? 0)
  if (earlier >= debt && canDeliver(input, network, token, earlier)) return earlier
  const wanted = (debt * 100_001n + 99_999n) / 100_000n
  if (canDeliver(input, network, token, wanted)) return wanted
  const available = deliverable(input, network, token)
  return available >= debt ? available : wanted
}

/**
 * @throws `plan_failed` when there is no debt, or less than the repayment, or when all of it (2^256-1) is to be repaid while an execution
 * under way repays a part: the later one would find less debt than it brings.
 */
export function requireDebt(
  { borrowed: debt, promised = 0n }: { borrowed: bigint; promised?: bigint },
  amount: bigint,
  token: Token,
  where: string,
): void {
  if (debt === 0n)
    throw new ServiceError(
      'plan_failed',
      `route not found: the wallet owes no ${token.symbol} to ${where}`,
    )
  if (amount === maxUint256 && promised > 0n)
    throw new ServiceError(
      'plan_failed',
      `repay amount exceeds debt: ${promised} of the ${token.symbol} that the wallet owes to ${where} is being repaid already, the whole debt was asked`,
    )
  if (amount !== maxUint256 && amount > debt)
    throw new BeyondPosition(
      `repay amount exceeds debt: the wallet owes ${debt} of ${token.symbol} to ${where}, ${amount} was asked`,
      { market: where, limit: 'owes', token, asked: amount, most: debt },
      'amount "max" repays the whole debt',
    )
}

/** `plan_failed` when the position holds less collateral than is to be taken out of it. */
export function requireCollateral(held: bigint, amount: bigint, token: Token, where: string): void {
  if (amount <= held && held > 0n) return
  throw new BeyondPosition(
    `insufficient collateral: the position in ${where} holds ${held} of ${token.symbol}, ${amount} was asked`,
    { market: where, limit: 'holds', token, asked: amount, most: held },
  )
}
