import type { Hex } from 'viem'
import type { Log, Node, Receipt } from '../../chain/rpc/node.js'
import { mayBeTakenBack } from '../../chain/transactions/takenBack.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { type Deposit, depositsIn, isAlike, relayHash } from './deposit.js'
import { fillLog } from './outcome.js'
import type { Settled } from './refund.js'

export interface Entry {
  deposit: Deposit
  /** When it is to be filled, in milliseconds of the clock. */
  dueMs: number
  settled?: Settled
}

export function dueLater(entry: Entry, ms: number): Entry {
  return { ...entry, dueMs: entry.dueMs + ms }
}

export interface Memory {
  /** By relay hash. */
  entries: ReadonlyMap<Hex, Entry>
  /** Fills whose deposits are going to be made again, by transaction; each counts once. */
  fillsToCount: Map<Hex, Receipt>
  book: AddressBook
  delayMs: number
  /** From when deposits are served that were served before a restart, by relay hash. */
  served?: ReadonlyMap<string, number>
  /** Forgets an entry, whose place another takes. */
  drop(key: Hex): void
}

/**
 * The known facts of a deposit that has a new number but was made before: its transaction was mined again in another block, or its plan makes
 * it again; or it was served before a restart. Two equal deposits in one block are two.
 */
export function madeBefore(
  { entries, fillsToCount, book, delayMs, served, drop }: Memory,
  deposit: Deposit,
): Pick<Entry, 'dueMs' | 'settled'> | undefined {
  for (const [key, { deposit: earlier, dueMs, settled }] of entries) {
    if (!deposit.hash || earlier.hash !== deposit.hash || earlier.block === deposit.block) continue
    if (!isAlike(earlier, deposit)) continue
    drop(key)
    // A refund was of the number that is gone.
    return settled?.status === 'filled' ? { dueMs, settled } : { dueMs }
  }
  for (const [hash, receipt] of fillsToCount)
    if (fillLog({ book }, receipt, deposit)) {
      fillsToCount.delete(hash)
      return { dueMs: 0, settled: { status: 'filled', receipt } }
    }
  const sinceMs = served?.get(relayHash(deposit))
  return sinceMs === undefined ? undefined : { dueMs: sinceMs + delayMs }
}

/** The transaction that ended a deposit. */
export function endingOf(settled: Settled | undefined): Receipt | undefined {
  return settled?.status === 'filled' ? settled.receipt : settled?.refund
}

function endedOn({ deposit, settled }: Entry): NetworkName | undefined {
  return settled && (settled.status === 'filled' ? deposit.to : deposit.from)
}

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
  node: Node,
  book: AddressBook,
  entries: ReadonlyMap<Hex, Entry>,
  fallen: Fallen,
): Promise<void> {
  const { network } = node
  const logsOf = async (hash: Hex): Promise<readonly Log[]> => {
    const receipt = await node.rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
    return receipt?.status === '0x1' ? receipt.logs : []
  }
  for (const [key, entry] of [...entries]) {
    const { deposit, settled } = entry
    const isHere = () => entries.get(key) === entry
    const ended = endedOn(entry) === network ? endingOf(settled) : undefined
    const { hash, block } = deposit
    if (deposit.from === network && hash && (!block || (await mayBeTakenBack(node, block)))) {
      const made = depositsIn(await logsOf(hash), network, book)
      const isGone = !made.some((each) => relayHash(each) === key)
      const remade = made.find((each) => isAlike(each, deposit))
      if (isGone && isHere()) {
        if (remade) fallen.renumbered(remade)
        fallen.drop(key)
        continue
      }
    }
    if (!ended || !(await mayBeTakenBack(node, ended.blockNumber))) continue
    if ((await logsOf(ended.transactionHash)).length === 0) {
      delete entry.settled
      if (isHere()) fallen.serveAgain(key, entry)
    }
  }
}
