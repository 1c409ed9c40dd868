import { type Address, erc20Abi, type Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, pad, toHex } from 'viem/utils'
import type { Node } from '../../chain/rpc/node.js'
import { UpstreamError } from '../../chain/rpc/rpc.js'
import { sendAs } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import { atLeastUsual, usualSpreadBps } from '../../deployments/exchange.js'
import type { Token } from '../../deployments/networks.js'
import { exchangeAbi } from '../../generated/abis.js'
import { serialQueues } from '../../lib/serialQueues.js'
import { smaller } from '../../service/plans/model/fields.js'

/** What rules change of the exchange: it is read and then changed, which are several requests. */
const inTurn = serialQueues<Node>()

const { admin } = actors

/** What a change of the exchange was, and is now. */
interface Changed {
  before: string
  after: string
}

/**
 * Adds so many basis points to the exchange's spread; a negative number narrows it. Each rule adds its own part, so rules can be added and
 * removed in any order.
 */
export function widenSpread(node: Node, exchange: Address, by: number): Promise<Changed> {
  return inTurn(node, async () => {
    const before = await parameter(node, exchange, 'spreadBps')
    const after = atLeastUsual(before + BigInt(by))
    await setSpread(node, exchange, after)
    return { before: `${before}`, after: `${after}` }
  })
}

/** Takes out all that the exchange has of the token, until `refill`. */
export function takeOut(node: Node, exchange: Address, token: Token): Promise<Changed> {
  return inTurn(node, async () => {
    const held = await balance(node, token, exchange)
    const changed = { before: `${held}`, after: '0' }
    if (held === 0n) return changed
    // Written first: after a kill in between, the next start finds nothing to put back. The other order would lose track of it.
    await setOwed(node, token, (await owed(node, token)) + held)
    const args = [token.address, held, admin] as const
    const data = encodeFunctionData({ abi: exchangeAbi, functionName: 'withdraw', args })
    await sendAs(node, { from: admin, to: exchange, data })
    return changed
  })
}

export function refill(node: Node, exchange: Address, token: Token): Promise<void> {
  return inTurn(node, async () => {
    const due = await owed(node, token)
    if (due === 0n) return
    const there = await balance(node, token, admin)
    const amount = smaller(there, due)
    const args = [exchange, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const back = token.native ? { to: exchange, value: amount } : { to: token.address, data }
    if (amount > 0n) await sendAs(node, { from: admin, ...back })
    await setOwed(node, token, 0n)
  })
}

/** Whether rules have changed the exchange and not reverted it. */
export async function isChangedByRules(
  node: Node,
  { exchange, tokens }: Pick<NetworkBook, 'exchange' | 'tokens'>,
): Promise<boolean> {
  if ((await parameter(node, exchange, 'spreadBps')) > usualSpreadBps) return true
  const owing = await Promise.all(tokens.map((token) => owed(node, token)))
  return owing.some((amount) => amount > 0n)
}

/** Reverts every change of the exchange by rules, including those of a killed process. */
export async function takeBackAll(
  node: Node,
  { exchange, tokens }: Pick<NetworkBook, 'exchange' | 'tokens'>,
): Promise<void> {
  if ((await parameter(node, exchange, 'spreadBps')) > usualSpreadBps)
    await inTurn(node, () => setSpread(node, exchange, usualSpreadBps))
  for (const token of tokens) await refill(node, exchange, token)
}

async function setSpread(node: Node, exchange: Address, spreadBps: bigint): Promise<void> {
  const args = [spreadBps, await parameter(node, exchange, 'depthUsdE8')] as const
  const data = encodeFunctionData({ abi: exchangeAbi, functionName: 'setParameters', args })
  await sendAs(node, { from: admin, to: exchange, data })
}

async function parameter(
  { rpc }: Node,
  exchange: Address,
  functionName: 'spreadBps' | 'depthUsdE8',
): Promise<bigint> {
  const call = { abi: exchangeAbi, functionName } as const
  const callRequest = { to: exchange, data: encodeFunctionData(call) }
  const data = await rpc.request<Hex>('eth_call', [callRequest, 'latest'])
  return decodeFunctionResult({ ...call, data })
}

/**
 * How much of the token has been taken out, in its smallest unit. It is stored on the chain, in the storage of the account that holds it,
 * which has no code: so it survives a kill, and follows blocks and snapshots.
 */
async function owed({ rpc }: Node, token: Token): Promise<bigint> {
  try {
    return BigInt(await rpc.request<Hex>('eth_getStorageAt', [admin, slotOf(token), 'latest']))
  } catch (error) {
    // A forked network has never written a slot that it cannot read.
    if (error instanceof UpstreamError) return 0n
    throw error
  }
}

async function setOwed({ rpc }: Node, token: Token, amount: bigint): Promise<void> {
  await rpc.request('anvil_setStorageAt', [admin, slotOf(token), toHex(amount, { size: 32 })])
}

function slotOf({ address }: Token): Hex {
  return pad(address)
}

async function balance(
  { rpc }: Node,
  { address, native }: Token,
  holder: Address,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  return BigInt(
    native
      ? await rpc.request<Hex>('eth_getBalance', [holder, 'latest'])
      : await rpc.request<Hex>('eth_call', [{ to: address, data }, 'latest']),
  )
}
