import { type Hex, zeroAddress } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log } from '../../chain/rpc/node.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Touch } from './changes.js'

const transferred = toEventSelector('Transfer(address,address,uint256)')
const wrapped = toEventSelector('Deposit(address,uint256)')
const unwrapped = toEventSelector('Withdrawal(address,uint256)')
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

const accountOf = (topic: Hex): string => `0x${topic.slice(-40)}`.toLowerCase()
