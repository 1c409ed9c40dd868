import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, formatUnits } from 'viem/utils'
import { z } from 'zod'
import type { Node } from '../../chain/rpc/node.js'
import { sendFor } from '../../chain/transactions/sendFor.js'
import { actors } from '../../deployments/actors.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkNames, type Token } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import type { Touch } from '../../service/context/changes.js'
import { otherForm, withOtherForms } from '../../service/plans/assembly/funding.js'
import type { PlanRecord } from '../../service/store/store.js'
import {
  defineEffect,
  type Effect,
  type FaultTools,
  type PlanCall,
  pastRule,
} from '../rules/effect.js'
import { culprit, expirePlan, useUpNonce } from './planChanges.js'

/** Which part of a plan each cause needs: without it there is nothing to change. */
const concerned = { balance: 'spends', price: 'buys' } as const

type Change = (call: PlanCall, plan: PlanRecord, tools: FaultTools) => Promise<Made>

/** What a change touched, and the transactions that it took. */
interface Made {
  touched: Touch[]
  hashes: Hex[]
}

const changes: Record<'nonce' | 'price' | 'balance', Change> = {
  async nonce({ account }, { operations: [first] }, { nodes }) {
    const { network, nonce } = first!
    await useUpNonce(nodes.get(network), account.walletAddress, nonce)
    const address = account.walletAddress.toLowerCase()
    // Written into the contract's storage.
    return { touched: [{ of: 'nonce', network, address, nonces: [nonce] }], hashes: [] }
  },
  async price(call, _plan, { prices }) {
    const all = Object.entries(await prices.all())
    const touched: Touch[] = []
    for (const symbol of symbolsIn(call, 'buys')) {
      const priceEntry = all.find(([name]) => name.toLowerCase() === symbol.toLowerCase())
      if (!priceEntry) continue
      const usd = priceEntry[1] + priceEntry[1] / 10n + 1n
      const { moved } = await prices.set(symbol, usd)
      const [before, after] = [formatUnits(priceEntry[1], 8), formatUnits(usd, 8)]
      touched.push({ of: 'price', assets: moved, before, after })
    }
    return { touched, hashes: [] }
  },
  async balance(call, plan, { nodes, book }) {
    const named = plan.operations.map(({ network }) => network)
    const hashes: Hex[] = []
    const touched: Touch[] = []
    const wallet = call.account.walletAddress
    const concernedNetworks = networkNames.filter((name) => named.includes(name))
    for (const network of concernedNetworks)
      for (const token of takenFor(symbolsIn(call, 'spends'), network, book)) {
        const { before, sent } = await moveAway(nodes.get(network), wallet, token)
        hashes.push(...sent)
        const { symbol } = token
        const address = wallet.toLowerCase()
        if (before > 0n)
          touched.push({ of: 'balance', network, address, symbol, delta: `${-before}`, after: '0' })
      }
    return { touched, hashes }
  },
}

export const planEffects: readonly Effect[] = [
  defineEffect({
    on: 'plan',
    name: 'stale',
    summary:
      'Right after the plan is made, the world really changes, for good. `by: nonce` (default): its nonce is used up on chain. `by: price`: the asset that it buys costs a tenth more everywhere (kinds with quotes). `by: balance`: the wallet loses all of the asset that the plan spends (kinds that spend). Executing returns 409 `plan_stale`.',
    settings: z.strictObject({ by: z.enum(['nonce', 'price', 'balance']).default('nonce') }),
    meets: ({ by }, kind) => by === 'nonce' || concerned[by] in kind,
    applies: ({ by }, call) => by === 'nonce' || symbolsIn(call, concerned[by]).length > 0,
    firesLater: true,
    async apply({ by }, call, proceed, tools) {
      const answer = await proceed()
      const plan = await tools.store.plan(call.account.accountId, answer.plan_id)
      if (!plan) return answer
      tools.fired()
      const made = await tools.track(() => changes[by](call, plan, tools), `plan.stale by ${by}`)
      const { touched, hashes } = made
      const what = { ...culprit(tools.rule, `plan.stale by ${by}`), plan_id: plan.planId, hashes }
      tools.ledger.add(what, touched)
      return answer
    },
  }),
  defineEffect({
    on: 'plan',
    name: 'expire',
    summary:
      'The plan expires as soon as it is returned, although its `expires_at` is two minutes away: executing it returns 404 `plan_not_found`.',
    outcome: () => ({ text: 'made the plan expire as soon as it was returned' }),
    firesLater: true,
    async apply(_, { account }, proceed, tools) {
      const answer = await proceed()
      tools.fired()
      const { accountId } = account
      await expirePlan(tools, { accountId, planId: answer.plan_id, effect: 'plan.expire' })
      return answer
    },
  }),
  defineEffect({
    on: 'plan',
    name: 'fail',
    summary: 'Planning returns 400 `plan_failed` with `reason` as its message.',
    synthetic: 'the table below has requests whose plans cannot be made',
    settings: z.strictObject({ reason: z.string().min(1).max(500).default('No valid plan') }),
    async apply({ reason }, _call, _proceed, { rule }) {
      throw new ServiceError('plan_failed', reason, {
        hint: `Fault rule ${rule.id} (plan.fail) returned this error instead of a plan. ${pastRule(rule)}`,
      })
    },
  }),
  defineEffect({
    on: 'plan',
    name: 'no_wallet',
    summary: 'Planning returns 400 `no_wallet`, whatever the account has.',
    synthetic: 'an account has its wallets from its creation on',
    async apply(_, _call, _proceed, { rule }) {
      throw new ServiceError('no_wallet', 'Account has no wallets', {
        hint: `Fault rule ${rule.id} (plan.no_wallet) returned this error, although the account has its wallets. ${pastRule(rule)}`,
      })
    },
  }),
]

function symbolsIn({ kind, intent }: PlanCall, what: 'spends' | 'buys'): readonly string[] {
  return kind[what]?.(intent) ?? []
}

/** The tokens of a network that the planner can take for these: themselves, and what it wraps, unwraps or bridges for them. */
function takenFor(
  symbols: readonly string[],
  network: NetworkName,
  book: AddressBook,
): ReadonlySet<Token> {
  const tokens = withOtherForms(symbols).flatMap((symbol) => {
    const token = book.token(network, symbol)
    return token ? [token, otherForm(book.on(network), token)] : []
  })
  return new Set(tokens.filter((token) => token !== undefined))
}

/** All that the wallet has of the token goes to an account of the simulator; resolves to how much it was, and the transactions. */
async function moveAway(
  node: Node,
  wallet: Address,
  { address, native }: { address: Address; native: boolean },
): Promise<{ before: bigint; sent: Hex[] }> {
  const { rpc } = node
  if (native) {
    const before = BigInt(await rpc.request<Hex>('eth_getBalance', [wallet, 'latest']))
    await rpc.request('anvil_setBalance', [wallet, '0x0'])
    return { before, sent: [] }
  }
  const held = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const amount = BigInt(await rpc.request<Hex>('eth_call', [{ to: address, data: held }, 'latest']))
  if (amount === 0n) return { before: 0n, sent: [] }
  const args = [actors.admin, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const { transactionHash } = await sendFor(node, wallet, { to: address, data })
  return { before: amount, sent: [transactionHash] }
}
