import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { z } from 'zod'
import { actors } from '../../chain/actors.js'
import { type NetworkName, networkNames } from '../../chain/networks.js'
import type { Node } from '../../chain/node.js'
import { sendFor } from '../../chain/sendFor.js'
import type { PlanRecord } from '../../store/store.js'
import { defineEffect, type FaultTools, type PlanCall } from '../effect.js'
import { useUpNonce } from '../usedNonce.js'

const erc20 = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

/** Where each kind says what it takes out of the wallet; other kinds take nothing that could be missing. */
const spent: Record<string, string> = {
  earn: 'asset',
  transfer: 'asset',
  repay: 'asset',
  swap: 'sell_asset',
  swapAndSupply: 'sell_asset',
  borrow: 'collateral_asset',
  addBacking: 'backing_asset',
}

/** Where kinds that ask for quotes say what they buy. */
const bought: Record<string, string> = {
  swap: 'buy_asset',
  swapAndSupply: 'buy_asset',
  reinvestRewards: 'asset',
}

/**
 * The world changes under the plan right after it was made, and stays changed: its nonce is used up on chain, the price of
 * what it buys rises by a tenth, or the wallet loses what it was to spend.
 */
export const stale = defineEffect({
  on: 'plan',
  name: 'stale',
  summary:
    'Right after the plan was made the world really changes, and stays so: `by: nonce` (default) its nonce is used up on chain; `by: price` what it buys costs a tenth more everywhere (kinds with quotes); `by: balance` the wallet loses all of the asset that it was to spend (kinds that spend). Executing is 409 `plan_stale`.',
  settings: z.strictObject({ by: z.enum(['nonce', 'price', 'balance']).default('nonce') }),
  applies({ by }, { kind, intent }) {
    if (by === 'nonce') return true
    return intent[(by === 'price' ? bought : spent)[kind] ?? ''] !== undefined
  },
  async apply({ by }, call, proceed, tools) {
    const answer = await proceed()
    const plan = await tools.store.plan(call.account.accountId, answer.plan_id)
    if (plan) await changes[by](call, plan, tools)
    return answer
  },
})

type Change = (call: PlanCall, plan: PlanRecord, tools: FaultTools) => Promise<void>

const changes: Record<'nonce' | 'price' | 'balance', Change> = {
  async nonce({ account }, { operations: [first] }, { nodes }) {
    await useUpNonce(nodes.get(first!.network), account.walletAddress, first!.nonce)
  },
  async price({ kind, intent }, _plan, { prices }) {
    const asset = intent[bought[kind]!] as string
    const all = await prices.all()
    const found = Object.entries(all).find(([name]) => name.toLowerCase() === asset.toLowerCase())
    if (found) await prices.set(asset, found[1] + found[1] / 10n + 1n)
  },
  async balance({ account, kind, intent }, plan, { nodes, book }) {
    const asset = (intent[spent[kind]!] as string).toUpperCase()
    // The planner takes one for the other.
    const symbols = ['ETH', 'WETH'].includes(asset) ? ['ETH', 'WETH'] : [asset]
    const named = [...plan.operations.map(({ network }) => network), intent.network as NetworkName]
    for (const network of networkNames.filter((name) => named.includes(name)))
      for (const symbol of symbols) {
        const token = book.token(network, symbol)
        if (token) await moveAway(nodes.get(network), account.walletAddress, token)
      }
  },
}

/** All that the wallet has of the token goes to an account of the simulator. */
async function moveAway(
  node: Node,
  wallet: Address,
  { address, native }: { address: Address; native: boolean },
): Promise<void> {
  const { rpc } = node
  if (native) {
    await rpc.request('anvil_setBalance', [wallet, '0x0'])
    return
  }
  const held = encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [wallet] })
  const amount = BigInt(await rpc.request<Hex>('eth_call', [{ to: address, data: held }, 'latest']))
  if (amount === 0n) return
  const args = [actors.admin, amount] as const
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args })
  await sendFor(node, wallet, { to: address, data })
}
