import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { z } from 'zod'
import type { CometState } from '../chain/snapshot.js'
import { ServiceError } from '../errors.js'
import { cometBorrowAbi } from '../generated/abis.js'
import { amountOrMax, exactAmount } from './amount.js'
import { assetField, networkField } from './fields.js'
import { definePlan } from './kind.js'
import { amountEvent, logsOf } from './observe.js'
import { amountOrDeliverable } from './reach.js'
import { cometOf, priceOf, snapshotOf, tokenOn } from './resolve.js'

const marketError = 'must be a market id: 0x and 64 hex digits'

const schema = z
  .object({
    amount: exactAmount('Amount to borrow, in the asset’s smallest unit.'),
    asset: assetField('Asset to borrow.'),
    collateral_amount: amountOrMax('Amount of collateral to supply, in its smallest unit.'),
    collateral_asset: assetField('Collateral asset.', 'WETH'),
    network: networkField,
    protocol: z
      .enum(['compound', 'morpho'], { error: 'must be one of compound, morpho' })
      .meta({ description: 'Lending protocol.', example: 'compound' }),
    market: z
      .string({ error: marketError })
      .regex(/^0x[0-9a-fA-F]{64}$/, { error: marketError })
      .optional()
      .meta({ description: 'Market id; for protocol `morpho` only, and required there.' }),
  })
  .refine((body) => body.protocol !== 'morpho' || body.market !== undefined, {
    error: `${marketError}; it is required for protocol morpho`,
    path: ['market'],
  })
  .meta({ id: 'BorrowIntent' })

const supplyTopic = toEventSelector('SupplyCollateral(address,address,address,uint256)')
const withdrawTopic = toEventSelector('Withdraw(address,address,uint256)')

/** Borrows against collateral (interface.md, `plan/borrow`): collateral in and base asset out in one operation. */
export const borrow = definePlan<z.infer<typeof schema>>({
  kind: 'borrow',
  path: 'borrow',
  summary: 'Plan a loan against collateral',
  description:
    'Builds a plan that supplies collateral to a market and borrows from it, in one transaction. Too little collateral is `plan_failed`. Markets of protocol `morpho` cannot be planned yet and answer `plan_failed`.',
  schema,
  example: {
    amount: '1000000000',
    asset: 'USDC',
    collateral_amount: '1000000000000000000',
    collateral_asset: 'WETH',
    network: 'base',
    protocol: 'compound',
  },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  reads: ['comet'],
  assets: (intent) => [intent.asset, intent.collateral_asset],

  networks(intent, book) {
    tokenOn(book, intent.network, intent.asset, 'asset')
    tokenOn(book, intent.network, intent.collateral_asset, 'collateral_asset')
    return [intent.network]
  },

  build(intent, world) {
    const { network } = intent
    if (intent.protocol === 'morpho')
      throw new ServiceError(
        'plan_failed',
        `morpho market ${intent.market} on ${network} cannot be planned: this simulator borrows from "compound" only so far`,
      )
    const token = tokenOn(world.book, network, intent.asset, 'asset')
    const collateral = tokenOn(world.book, network, intent.collateral_asset, 'collateral_asset')
    const snapshot = snapshotOf(world, network)
    const state = cometOf(snapshot, token, undefined)
    requireAccepted(state, collateral.symbol)
    const amount = amountOrDeliverable(world, network, collateral, intent.collateral_amount)
    const comet = state.market.address
    return {
      network,
      spends: [{ token: collateral, amount }],
      actions: [
        {
          network,
          script: world.scripts.cometBorrow,
          calldata: encodeFunctionData({
            abi: cometBorrowAbi,
            functionName: 'run',
            args: [comet, [collateral.address], [amount], token.address, intent.amount],
          }),
          context: {
            action_type: 'COMET_BORROW',
            amount: intent.amount.toString(),
            asset_symbol: token.symbol,
            chain_id: world.book.on(network).chainId.toString(),
            collateral_amounts: [amount.toString()],
            collateral_asset_symbols: [collateral.symbol],
            collateral_token_prices: [priceOf(snapshot, collateral).toString()],
            collateral_tokens: [collateral.address],
            comet,
            price: priceOf(snapshot, token).toString(),
            token: token.address,
          },
        },
      ],
    }
  },

  observe(context, logs, book) {
    const comet = context.comet as string
    const [token] = context.collateral_tokens as [string]
    const [price] = context.collateral_token_prices as [string]
    const supplied = logsOf(logs, comet, supplyTopic).map((log) =>
      amountEvent('comet_supply_collateral', [log], book, {
        comet,
        token,
        amount: BigInt(log.data),
        price,
      }),
    )
    const borrowed = logsOf(logs, comet, withdrawTopic).map((log) =>
      amountEvent('comet_borrow', [log], book, {
        comet,
        token: context.token as string,
        amount: BigInt(log.data),
        price: context.price as string,
      }),
    )
    return [...supplied, ...borrowed]
  },
})

function requireAccepted({ market }: CometState, symbol: string): void {
  const accepted = market.collaterals.map((collateral) => collateral.symbol)
  if (accepted.includes(symbol)) return
  throw new ServiceError(
    'plan_failed',
    `no such collateral in borrow market: ${market.name} does not take ${symbol}; it takes ${accepted.join(', ')}`,
  )
}
