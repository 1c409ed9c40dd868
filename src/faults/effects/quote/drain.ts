import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import { actors } from '../../../chain/deployments/actors.js'
import type { Token } from '../../../chain/deployments/token.js'
import type { Node } from '../../../chain/node/node.js'
import { sendAs } from '../../../chain/node/send.js'
import { exchangeAbi } from '../../../generated/abis.js'
import { defineEffect } from '../../effect.js'

/** The exchange's inventory of the asset that somebody wants to buy is taken out on chain, and put back when the rule goes. */
export const drain = defineEffect({
  on: 'quote',
  name: 'drain',
  summary:
    'From the first quote at which the rule fires, the exchange really holds nothing of the bought asset on that network: quotes are 422 `swap_quote_failed`, plans made before are 409 `plan_stale`; before that quote these are executed as quoted. Removing the rule puts it back.',
  settings: z.strictObject({}),
  async apply(_, call, proceed, { rule, nodes, book }) {
    const { network, buyToken } = call
    const place = network && book.on(network)
    const token = place?.tokens.find(({ address }) => address === buyToken)
    if (network && place && token)
      await rule.change(`${token.symbol} of ${network}`, () =>
        empty(nodes.get(network), place.exchange, token),
      )
    return proceed()
  },
})

async function empty(node: Node, exchange: Address, token: Token): Promise<() => Promise<void>> {
  const { address, native } = token
  const amount = await inventory(node, exchange, token)
  if (amount === 0n) return async () => {}
  const from = actors.admin
  const data = encodeFunctionData({
    abi: exchangeAbi,
    functionName: 'withdraw',
    args: [address, amount, from],
  })
  await sendAs(node, { from, to: exchange, data })
  return async () => {
    const back = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [exchange, amount],
    })
    await sendAs(
      node,
      native ? { from, to: exchange, value: amount } : { from, to: address, data: back },
    )
  }
}

async function inventory(
  node: Node,
  exchange: Address,
  { address, native }: Token,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [exchange] })
  return BigInt(
    native
      ? await node.rpc.request<Hex>('eth_getBalance', [exchange, 'latest'])
      : await node.rpc.request<Hex>('eth_call', [{ to: address, data }, 'latest']),
  )
}
