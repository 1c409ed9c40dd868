import { encodeAbiParameters, type Hex, pad, toEventSelector, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Receipt } from '../../chain/rpc/node.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { iSpokePoolAbi } from '../../generated/abis.js'
import { type Deposit, relayHash } from './deposit.js'
import { type Entry, madeBefore } from './entry.js'

const book = loadAddressBook()
const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
const usdc = (network: 'base' | 'optimism'): Hex => pad(book.token(network, 'USDC')!.address)
const who = pad('0xa1')

/** Deposits that differ only in their id. */
function numbered(depositId: bigint, of: Partial<Deposit> = {}): Deposit {
  return {
    from: 'base',
    to: 'optimism',
    ...of,
    relayData: {
      ...{ depositor: who, recipient: who, exclusiveRelayer: word(0) },
      ...{ inputToken: usdc('base'), outputToken: usdc('optimism') },
      ...{ inputAmount: 100n, outputAmount: 98n, originChainId: 8453n, depositId },
      ...{ fillDeadline: 600, exclusivityDeadline: 0, message: '0x' },
    },
  }
}

/** The receipt of a fill of this deposit. */
function fillOf({ relayData: told }: Deposit): Receipt {
  const filled = iSpokePoolAbi.find((item) => item.type === 'event' && item.name === 'FilledRelay')!
  const data = encodeAbiParameters(
    Array.from({ length: 10 }, () => ({ type: 'bytes32' as const })),
    [
      ...[told.inputToken, told.outputToken, word(told.inputAmount), word(told.outputAmount)],
      ...[word(8453), word(told.fillDeadline), word(told.exclusivityDeadline)],
      ...[told.exclusiveRelayer, told.depositor, told.recipient],
    ],
  )
  const topics = [toEventSelector(filled), word(told.originChainId), word(told.depositId)]
  const log = { address: book.on('optimism').spokePool, topics, data }
  return { transactionHash: '0xf1', logs: [log] } as unknown as Receipt
}

function memoryOf(entries: readonly Entry[] = [], fills: readonly Receipt[] = []) {
  const byHash = new Map(entries.map((entry) => [relayHash(entry.deposit), entry]))
  const fillsToCount = new Map(fills.map((fill) => [fill.transactionHash, fill]))
  const drop = (key: Hex) => void byHash.delete(key)
  const served = new Map([[relayHash(numbered(20n)), 100]])
  return { entries: byHash, fillsToCount, book, delayMs: 7, served, drop }
}

test('default: a fill counts once for a repeated deposit, whatever its id; one that was served before a restart is due as before', () => {
  const fill = fillOf(numbered(7n))
  const memory = memoryOf([], [fill])
  const settled = { status: 'filled', receipt: fill }
  expect(madeBefore(memory, numbered(8n))).toEqual({ dueMs: 0, settled })
  expect(madeBefore(memory, numbered(9n))).toBeUndefined()
  expect(madeBefore(memory, numbered(20n))).toEqual({ dueMs: 107 })
})

test('behavior: a transaction that is mined again in another block makes the same deposit', () => {
  const settled = { status: 'filled', receipt: fillOf(numbered(1n)) } as const
  const entry = { deposit: numbered(1n, { hash: '0xd1', block: '0xb1' }), dueMs: 5, settled }
  const memory = memoryOf([entry])
  // Equal deposits in one block, or in two transactions, are two deposits.
  expect(madeBefore(memory, numbered(2n, { hash: '0xd1', block: '0xb1' }))).toBeUndefined()
  expect(madeBefore(memory, numbered(2n, { hash: '0xd2', block: '0xb2' }))).toBeUndefined()
  const again = numbered(2n, { hash: '0xd1', block: '0xb2' })
  expect(madeBefore(memory, again)).toEqual({ dueMs: 5, settled })
  expect(memory.entries.size).toBe(0)
})

test('behavior: a refund belongs to the old id and does not count for the new one', () => {
  const settled = { status: 'failed', reason: 'too late' } as const
  const entry = { deposit: numbered(1n, { hash: '0xd1', block: '0xb1' }), dueMs: 5, settled }
  const again = numbered(2n, { hash: '0xd1', block: '0xb2' })
  expect(madeBefore(memoryOf([entry]), again)).toEqual({ dueMs: 5 })
})
