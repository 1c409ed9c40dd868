import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { z } from 'zod'
import { cometSupplyAbi } from '../generated/abis.js'
import { amountOrMax, maxUint256 } from './amount.js'
import { assetField, networkField } from './fields.js'
import { definePlan } from './kind.js'
import { amountEvent, logsOf } from './observe.js'
import { marketField, requireCompound, yieldProtocol } from './protocols.js'
import { amountOrDeliverable } from './reach.js'
import { cometOf, priceOf, snapshotOf, tokenOn } from './resolve.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to deposit, in the asset’s smallest unit.'),
    asset: assetField('Asset to deposit.'),
    network: networkField,
    protocol: yieldProtocol,
    market: marketField,
  })
  .meta({ id: 'EarnIntent' })

const supplyTopic = toEventSelector('Supply(address,address,uint256)')

/** Deposits into a yield protocol (interface.md, `plan/earn`): supplies the base asset of a Comet market. */
export const earn = definePlan<z.infer<typeof schema>>({
  kind: 'earn',
  path: 'earn',
  summary: 'Plan a deposit into a yield protocol',
  description:
    'Builds a plan that supplies an asset to a lending market of the target network. Nothing changes on chain until the plan is executed.',
  schema,
  example: { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],

  reads: ['comet'],

  assets: (intent) => [intent.asset],

  networks(intent, book) {
    tokenOn(book, intent.network, intent.asset, 'asset')
    return [intent.network]
  },

  build(intent, world) {
    const { network } = intent
    requireCompound(intent.protocol, network)
    const token = tokenOn(world.book, network, intent.asset, 'asset')
    const snapshot = snapshotOf(world, network)
    const { market } = cometOf(snapshot, token, intent.market)
    const amount = amountOrDeliverable(world, network, token, intent.amount)
    return {
      network,
      spends: [{ token, amount }],
      actions: [
        {
          network,
          script: world.scripts.cometSupply,
          calldata: encodeFunctionData({
            abi: cometSupplyAbi,
            functionName: 'supply',
            args: [market.address, token.address, amount, intent.amount === maxUint256],
          }),
          context: {
            action_type: 'COMET_SUPPLY',
            amount: amount.toString(),
            asset_symbol: token.symbol,
            chain_id: world.book.on(network).chainId.toString(),
            comet: market.address,
            price: priceOf(snapshot, token).toString(),
            token: token.address,
          },
        },
      ],
    }
  },

  observe(context, logs, book) {
    return logsOf(logs, context.comet as string, supplyTopic).map((log) =>
      amountEvent('comet_supply_base', [log], book, {
        comet: context.comet,
        token: context.token as string,
        amount: BigInt(log.data),
        price: context.price as string,
      }),
    )
  },
})
