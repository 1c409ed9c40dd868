import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { z } from 'zod'
import { actors } from '../../../chain/deployments/actors.js'
import type { Token } from '../../../chain/deployments/token.js'
import type { Node } from '../../../chain/node/node.js'
import { sendAs } from '../../../chain/node/send.js'
import { exchangeAbi } from '../../../generated/abis.js'
import { serialQueues } from '../../../lib/serialQueues.js'
import { defineEffect } from '../../effect.js'

/** Two rules must not take out the same, nor one take out what the other is putting back. */
const inTurn = serialQueues<Node>()

/** The exchange's inventory of the asset that somebody wants to buy is taken out on chain, and put back when the rule goes. */
export const drain = defineEffect({
  on: 'quote',
  name: 'drain',
  summary:
    'From the first quote at which the rule fires, the exchange really holds nothing of the bought asset on that network: quotes are 422 `swap_quote_failed`, plans made before are 409 `plan_stale`; before that quote these are executed as quoted. Removing the rule puts it back.',
  settings: z.strictObject({}),
  async apply(_, call, proceed, { rule, nodes, book, track }) {
    const { network, buyToken } = call
    const place = network && book.on(network)
    const token = place?.tokens.find(({ address }) => address === buyToken)
    if (network && place && token) {
      const change = {
        name: `${token.symbol} of ${network}`,
        node: nodes.get(network),
        isJoint: true,
      }
      await rule.change(change, () =>
        track(() => empty(change.node, place.exchange, token), `draining ${change.name}`),
      )
    }
    return proceed()
  },
})

async function empty(node: Node, exchange: Address, token: Token): Promise<() => Promise<void>> {
  const { address, native } = token
  const from = actors.admin
  const amount = await inTurn(node, async () => {
    const held = await inventory(node, exchange, token)
    const args = [address, held, from] as const
    const data = encodeFunctionData({ abi: exchangeAbi, functionName: 'withdraw', args })
    if (held > 0n) await sendAs(node, { from, to: exchange, data })
    return held
  })
  const args = [exchange, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const back = native ? { from, to: exchange, value: amount } : { from, to: address, data }
  return () =>
    inTurn(node, async () => {
      if (amount > 0n) await sendAs(node, back)
    })
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
