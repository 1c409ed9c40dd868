import type { Hex } from 'viem'
import type { InspectedTransaction, TracedCall } from '../../chain/transactions/inspect.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { contractName, decodeLog } from './decode.js'
import type { Transaction } from './transactionSchema.js'

const zero = '0x0000000000000000000000000000000000000000'

/** Calls that carry native tokens with them. */
const paying = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** Who has how much more or less by a transaction: by the tokens' Transfer logs, and by what its calls carry. Fees for gas are left out. */
export function balanceChanges(
  { network, logs }: InspectedTransaction,
  calls: readonly [TracedCall, number][],
  book: AddressBook,
  nameOf: (address: Hex) => string,
): Transaction['balances'] {
  const changes = new Map<string, { address: Hex; asset: string; change: bigint }>()
  const add = (address: Hex, asset: string, change: bigint): void => {
    if (address === zero) return
    const key = `${address.toLowerCase()} ${asset}`
    const before = changes.get(key)?.change ?? 0n
    changes.set(key, { address, asset, change: before + change })
  }
  const move = (from: Hex, to: Hex, asset: string, amount: bigint): void => {
    add(from, asset, -amount)
    add(to, asset, amount)
  }
  for (const log of logs) {
    const { event, args } = decodeLog(log, network, book)
    if (event !== 'Transfer' || typeof args !== 'object' || args === null) continue
    const [from, to, amount] = Object.values(args) as [Hex, Hex, string]
    move(from, to, contractName(log.address, network, book), BigInt(amount))
  }
  const native = book.on(network).nativeSymbol
  for (const [{ type, from, to, value, error }] of calls)
    if (paying.has(type) && to && value && error === undefined)
      move(from, to, native, BigInt(value))
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .map(({ address, asset, change }) => ({
      address,
      name: nameOf(address),
      asset,
      change: change.toString(),
    }))
}
