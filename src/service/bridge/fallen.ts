import type { Hex } from 'viem'
import type { Log, Node, Receipt } from '../../chain/rpc/node.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { type Deposit, depositsIn, isAlike, relayHash } from './deposit.js'
import { type Entry, endedOn, endingOf } from './entry.js'

/** What becomes of deposits whose blocks were replaced. */
export interface Fallen {
  /** It is not on the chain any more. */
  drop(key: Hex): void
  /** Its transaction was mined again and has made it under another number. */
  renumbered(deposit: Deposit): void
  /** What had ended it is not on the chain any more. */
  serveAgain(key: Hex, entry: Entry): void
}

/** Finds the deposits that have fallen off this chain, and those whose fill or refund has. */
export async function findFallen(
  { network, rpc }: Node,
  book: AddressBook,
  entries: ReadonlyMap<Hex, Entry>,
  fallen: Fallen,
): Promise<void> {
  const logsOf = async (hash: Hex): Promise<readonly Log[]> => {
    const receipt = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    return receipt?.status === '0x1' ? receipt.logs : []
  }
  for (const [key, entry] of [...entries]) {
    const { deposit, settled } = entry
    const isHere = () => entries.get(key) === entry
    const ended = endedOn(entry) === network ? endingOf(settled)?.transactionHash : undefined
    if (deposit.from === network && deposit.hash) {
      const made = depositsIn(await logsOf(deposit.hash), network, book)
      const isGone = !made.some((each) => relayHash(each) === key)
      const again = made.find((each) => isAlike(each, deposit))
      if (isGone && isHere()) {
        if (again) fallen.renumbered(again)
        fallen.drop(key)
        continue
      }
    }
    if (ended && (await logsOf(ended)).length === 0) {
      delete entry.settled
      if (isHere()) fallen.serveAgain(key, entry)
    }
  }
}
