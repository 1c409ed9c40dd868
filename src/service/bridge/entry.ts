import type { Hex } from 'viem'
import type { Receipt } from '../../chain/rpc/node.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { type Deposit, isAlike } from './deposit.js'
import { fillLog } from './outcome.js'
import type { Settled } from './refund.js'

/** A deposit that the relayer knows. */
export interface Entry {
  deposit: Deposit
  /** When it is to be filled, in milliseconds of the clock. */
  dueMs: number
  settled?: Settled
}

/** The same, due so many milliseconds later. */
export function dueLater(entry: Entry, ms: number): Entry {
  return { ...entry, dueMs: entry.dueMs + ms }
}

/** Where `madeBefore` looks. */
interface Memory {
  /** By relay hash. */
  entries: ReadonlyMap<Hex, Entry>
  /** Fills whose deposits are going to be made again, by transaction; each counts once. */
  fillsToCount: Map<Hex, Receipt>
  book: AddressBook
  /** Forgets an entry, whose place another takes. */
  drop(key: Hex): void
}

/**
 * What is known of a deposit that is new under its number, though it was made before: its transaction was mined again, in
 * another block, or its plan makes it again. Two of one block that are alike are two.
 */
export function madeBefore(
  { entries, fillsToCount, book, drop }: Memory,
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
  return undefined
}

/** The transaction that ended a deposit. */
export function endingOf(settled: Settled | undefined): Receipt | undefined {
  return settled?.status === 'filled' ? settled.receipt : settled?.refund
}

/** Where it was ended. */
export function endedOn({ deposit, settled }: Entry): NetworkName | undefined {
  return settled && (settled.status === 'filled' ? deposit.to : deposit.from)
}
