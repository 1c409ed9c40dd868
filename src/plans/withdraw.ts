import { encodeFunctionData, toEventSelector } from 'viem/utils'
import { z } from 'zod'
import { ServiceError } from '../errors.js'
import { cometWithdrawAbi } from '../generated/abis.js'
import { amountOrMax, maxUint256 } from './amount.js'
import { assetField, networkField } from './fields.js'
import { definePlan } from './kind.js'
import { amountEvent, logsOf } from './observe.js'
import { marketField, requireCompound, yieldProtocol } from './protocols.js'
import { cometOf, priceOf, snapshotOf, tokenOn } from './resolve.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to withdraw, in the asset’s smallest unit.'),
    asset: assetField('Asset to withdraw.'),
    network: networkField,
    protocol: yieldProtocol,
    market: marketField,
  })
  .meta({ id: 'WithdrawIntent' })

const withdrawTopic = toEventSelector('Withdraw(address,address,uint256)')

/** Withdraws from a yield position (interface.md, `plan/withdraw`): from that market on that network only. */
export const withdraw = definePlan<z.infer<typeof schema>>({
  kind: 'withdraw',
  path: 'withdraw',
  summary: 'Plan a withdrawal from a yield position',
  description:
    'Builds a plan that withdraws an asset from a lending market of the network to the wallet. `max` takes the whole position, with the interest of the moment of execution.',
  schema,
  example: { amount: '1000000', asset: 'USDC', network: 'base', protocol: 'compound' },
  errors: ['invalid_params', 'plan_failed', 'no_wallet', 'timeout'],
  digestOnly: true,

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
    const { market, supplied } = cometOf(snapshot, token, intent.market)
    if (supplied === 0n)
      throw new ServiceError(
        'plan_failed',
        `route not found: the wallet has no ${token.symbol} position in ${market.name} on ${network}`,
      )
    // More than the supply would not fail in a Comet market: it would borrow the rest.
    if (intent.amount !== maxUint256 && intent.amount > supplied)
      throw new ServiceError(
        'plan_failed',
        `insufficient balance: the position in ${market.name} on ${network} holds ${supplied} of ${token.symbol}, ${intent.amount} was asked`,
      )
    return {
      network,
      spends: [],
      actions: [
        {
          network,
          script: world.scripts.cometWithdraw,
          calldata: encodeFunctionData({
            abi: cometWithdrawAbi,
            functionName: 'withdraw',
            args: [market.address, token.address, intent.amount],
          }),
          context: {
            action_type: 'COMET_WITHDRAW',
            amount: intent.amount.toString(),
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
    return logsOf(logs, context.comet as string, withdrawTopic).map((log) =>
      amountEvent('comet_withdraw_base', [log], book, {
        comet: context.comet,
        token: context.token as string,
        amount: BigInt(log.data),
        price: context.price as string,
      }),
    )
  },
})
