import { type Address, type Hex, zeroAddress } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log } from '../../chain/rpc/node.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'

/** The actor of a change of something that plans read. */
export type Author =
  /** The execution of a plan. Its entry at consumption has no transaction; each mined transaction has an entry. */
  | { by: 'plan'; plan_id: string; activity_id: string; wallet: Address }
  | { by: 'faucet'; network: NetworkName; asset: string; amount: string }
  | FaultActor
  | { by: 'price' }
  | { by: 'clock' }
  | { by: 'reorganisation'; network: NetworkName; replaced: number; rule?: string }
  /** A write of a client over JSON-RPC. */
  | { by: 'rpc'; network: NetworkName; method: string; sender?: Address }
  | { by: 'bridge'; from: NetworkName; network: NetworkName }
  | { by: 'liquidation'; network: NetworkName }
  | { by: 'rewards'; network: NetworkName; asset: string; amount: string }

export interface FaultActor {
  by: 'fault'
  rule: string
  effect: string
  /** The request had the rule in its header. */
  carried?: true
  /** The plan that it was aimed at; absent where it was aimed at none. */
  plan_id?: string
  /** The transactions that it sent; none where it wrote the state itself. */
  hashes?: readonly Hex[]
}

/** What an entry changed. Amounts are in smallest units, as decimal strings; addresses are in lower case. */
export type Touch =
  | {
      of: 'balance'
      network: NetworkName
      address: string
      symbol: string
      /** Absent where only one of the others, or none, is known. */
      delta?: string
      after?: string
    }
  /** Nonces of a wallet were used. */
  | { of: 'nonce'; network: NetworkName; address: string; nonces: readonly Hex[] }
  /** USD, as decimal strings. */
  | { of: 'price'; assets: readonly string[]; before: string; after: string }
  /** ISO 8601. */
  | { of: 'time' | 'expiry'; before: string; after: string }
  /** What the exchange has of a token, in its smallest unit; without a token its spread, in basis points. */
  | { of: 'exchange'; network: NetworkName; symbol?: string; before: string; after: string }
  /** Somebody traded on a Uniswap pool, whose balances are touched as well: its root price (X96) before, unless unknown, and after. */
  | { of: 'pool'; network: NetworkName; address: string; before?: string; after?: string }
  /** Blocks were mined without a transaction. */
  | { of: 'blocks'; network: NetworkName }
  /** Something of a contract or an account, or of the whole network. */
  | { of: 'state'; network: NetworkName; address?: string }

/** The transaction of an entry. Its block is unknown until it is known to be mined. */
export interface LedgerTransaction {
  network: NetworkName
  hash: Hex
  block?: number
}

/** One change, with its place, its time and the request that caused it. */
export interface LedgerEntry {
  position: number
  ms: number
  requestId: string | undefined
  actor: Author
  touched: readonly Touch[]
  transaction?: LedgerTransaction
  /** The rule that made the change is gone, and the change with it, or another rule has taken it over. */
  isUndone?: true
}

const transferred = toEventSelector('Transfer(address,address,uint256)')
const wrapped = toEventSelector('Deposit(address,uint256)')
const unwrapped = toEventSelector('Withdrawal(address,uint256)')
const swapped = toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)')
const ran = toEventSelector('OperationExecuted(address,address,bytes32,bytes32,bool)')

/** The part of a transaction that says what native money it moved; quantities in hex. */
export interface SentValue {
  from: string
  to: string | null
  value: Hex
}

/** What a mined transaction changed, from its logs: balances of known tokens, used nonces, and the contracts that acted. Pure. */
export function touchesOf(book: NetworkBook, logs: readonly Log[], sent?: SentValue): Touch[] {
  const { network } = book
  const deltas = new Map<string, bigint>()
  const acting = new Set<string>()
  const touched: Touch[] = []
  const move = (address: string, symbol: string, amount: bigint): void => {
    if (address === zeroAddress || amount === 0n) return
    const key = `${address} ${symbol}`
    deltas.set(key, (deltas.get(key) ?? 0n) + amount)
  }
  for (const { address, topics, data } of logs) {
    const emitter = address.toLowerCase()
    const token = book.tokens.find((each) => each.address === emitter)
    const [topic, first, second] = topics
    const isMoney = token !== undefined && first !== undefined && /^0x[0-9a-f]{64}$/i.test(data)
    if (isMoney && topic === transferred && second !== undefined) {
      move(accountOf(first), token.symbol, -BigInt(data))
      move(accountOf(second), token.symbol, BigInt(data))
    } else if (isMoney && (topic === wrapped || topic === unwrapped)) {
      const amount = topic === wrapped ? BigInt(data) : -BigInt(data)
      move(accountOf(first), token.symbol, amount)
      move(accountOf(first), book.nativeSymbol, -amount)
    } else if (topic === ran && topics[3] !== undefined)
      touched.push({ of: 'nonce', network, address: emitter, nonces: [topics[3]] })
    else if (token === undefined) {
      acting.add(emitter)
      if (topic === swapped)
        touched.push({ of: 'pool', network, address: emitter, ...rootPrices(data) })
      // Shares and debts of markets are tokens, too: whose they are has another position now.
      if (topic === transferred)
        for (const party of [first, second]) if (party) acting.add(accountOf(party))
    }
  }
  const { from, to, value = '0x0' } = sent ?? {}
  if (from !== undefined && to) {
    move(from.toLowerCase(), book.nativeSymbol, -BigInt(value))
    move(to.toLowerCase(), book.nativeSymbol, BigInt(value))
    // A contract that says nothing may still have changed.
    if (!book.tokens.some(({ address }) => address === to.toLowerCase()))
      acting.add(to.toLowerCase())
  }
  const balances = [...deltas].map(([key, delta]): Touch => {
    const [address, symbol] = key.split(' ') as [string, string]
    return { of: 'balance', network, address, symbol, delta: `${delta}` }
  })
  const states = [...acting].map((address): Touch => ({ of: 'state', network, address }))
  return [...touched, ...balances, ...states]
}

/**
 * The root prices around a trade, from its event, which has the amounts, the root price after it and the liquidity. Exact while the price
 * stays among the same liquidity.
 */
function rootPrices(data: Hex): { before: string; after: string } | undefined {
  const words =
    data
      .slice(2)
      .match(/.{64}/g)
      ?.map((word) => BigInt(`0x${word}`)) ?? []
  const [amount0, amount1] = words.map((word) => BigInt.asIntN(256, word))
  const [, , after = 0n, liquidity = 0n] = words
  if (amount0 === undefined || amount1 === undefined || after === 0n || liquidity === 0n)
    return undefined
  const one = 1n << 96n
  const before =
    amount1 < 0n
      ? after - (amount1 * one) / liquidity
      : (one * liquidity * after) / (one * liquidity - amount0 * after)
  return { before: `${before}`, after: `${after}` }
}

const accountOf = (topic: Hex): string => `0x${topic.slice(-40)}`.toLowerCase()
