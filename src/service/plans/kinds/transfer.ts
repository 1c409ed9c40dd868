import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import { transferAbi } from '../../../generated/abis.js'
import { amountOrDeliverable } from '../assembly/funding.js'
import { networkStateOf, priceOf, tokenOn } from '../assembly/resolve.js'
import { addressField, amountOrMax, assetField, maxUint256, networkField } from '../model/fields.js'
import { definePlan } from '../model/kind.js'
import { assetOf } from '../model/svcIntents.js'
import { amountEvent, transfersOf } from '../observe/logs.js'

const schema = z
  .object({
    amount: amountOrMax('Amount to send, in the asset’s smallest unit.'),
    asset: assetField('Asset to send; the native token by its symbol.'),
    network: networkField,
    recipient: addressField('Destination address.'),
  })
  .meta({ id: 'TransferIntent' })

/** Where people burn tokens, and where an unset variable leads. */
const nobodysAddresses: readonly string[] = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
]

/** Sends an asset from the wallet (interface.md, `plan/transfer`): an ERC-20 token or the native one. */
export const transfer = definePlan<z.infer<typeof schema>>({
  kind: 'transfer',
  path: 'transfer',
  summary: 'Plan a transfer out of the wallet',
  description: 'Builds a plan that sends an asset from the wallet to any address of the network.',
  schema,
  example: {
    amount: '1000000',
    asset: 'USDC',
    network: 'base',
    recipient: '0x1111111111111111111111111111111111111111',
  },
  digestOnly: true,

  spends: (intent) => [intent.asset],

  assets: ({ network, asset }, book) => tokenOn(book, network, asset, 'asset'),

  doubt({ recipient }) {
    const nobodys = nobodysAddresses.find((address) => address === recipient.toLowerCase())
    return (
      nobodys &&
      `nobody has a key for recipient ${nobodys}: what is sent there is lost; check the recipient before you execute the plan`
    )
  },

  build(intent, input) {
    const { network, recipient } = intent
    const token = tokenOn(input.book, network, intent.asset, 'asset')
    const amount = amountOrDeliverable(input, network, token, intent.amount)
    const capped = intent.amount === maxUint256
    return {
      network,
      spends: [{ token, amount }],
      actions: [
        {
          network,
          script: input.scripts.transfer,
          calldata: token.native
            ? encodeFunctionData({
                abi: transferAbi,
                functionName: 'transferNativeToken',
                args: [recipient, amount, capped],
              })
            : encodeFunctionData({
                abi: transferAbi,
                functionName: 'transferERC20Token',
                args: [token.address, recipient, amount, capped],
              }),
          context: {
            action_type: 'TRANSFER',
            amount: amount.toString(),
            asset_symbol: token.symbol,
            chain_id: input.book.on(network).chainId.toString(),
            price: priceOf(networkStateOf(input, network), token).toString(),
            recipient,
            token: token.address,
          },
        },
      ],
    }
  },

  svcIntent({ recipient }, contexts, sender) {
    const context = contexts.find((each) => each.action_type === 'TRANSFER')!
    return { intent_type: 'transfer', intent: { ...assetOf(context), sender, recipient } }
  },

  observe(context, logs, book) {
    if (context.action_type !== 'TRANSFER') return []
    const { token, recipient } = context
    const sent = transfersOf(logs, token, { to: recipient })
    const native = book.tokens.some((t) => t.native && t.address === token)
    // A native transfer leaves no log; the transaction has succeeded, so the planned amount is what moved.
    const amounts = native
      ? [{ logs: [], amount: BigInt(context.amount) }]
      : sent.map((log) => ({ logs: [log], amount: BigInt(log.data) }))
    return amounts.map((item) =>
      amountEvent(
        'outbound_transfer',
        item.logs,
        book,
        { amount: item.amount, price: context.price },
        { token, recipient },
      ),
    )
  },
})
