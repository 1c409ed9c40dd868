import { setTimeout as pause } from 'node:timers/promises'
import type { Upstream } from './upstream.js'

/** Reads a storage slot of an account at a block. Concurrent reads share a request. */
export type ReadSlot = (address: string, slot: string, tag: string) => Promise<string>

/** How long slots are gathered, in milliseconds; how many share a request; and how many such requests run in parallel. */
const gatherMs = 4
const maxSlots = 256
const maxRequests = 3

/**
 * Overrides the code of an account in an `eth_call`, and returns the slots that the calldata names. In Yul:
 *
 *     let i := 0
 *     for {} lt(i, calldatasize()) { i := add(i, 32) } { mstore(i, sload(calldataload(i))) }
 *     return(0, i)
 */
const readerCode = '0x60005b3681101560155780355481526020016002565b6000f3'

/**
 * Calls several accounts (address, length, names of slots), and returns their slots; reverts when an account returns too few. In Yul:
 *
 *     let out := 0
 *     let i := 0
 *     for {} lt(i, calldatasize()) {} {
 *       let length := calldataload(add(i, 32))
 *       calldatacopy(out, add(i, 64), length)
 *       if iszero(staticcall(gas(), calldataload(i), out, length, out, length)) { revert(0, 0) }
 *       if iszero(eq(returndatasize(), length)) { revert(0, 0) }
 *       out := add(out, length)
 *       i := add(add(i, 64), length)
 *     }
 *     return(0, out)
 */
const callerCode =
  '0x600060005b368110156036578060200135808260400184378083818185355afa15603b57803d1415603b5780920191016040016004565b506000f35b60006000fd'

/** An unused address for the calling code. */
const callerAddress = '0x00000000000000000000000000000000005caa1e'

interface Slot {
  address: string
  slot: string
  tag: string
}

interface Wanted extends Slot {
  resolve(value: string): void
  reject(error: Error): void
}

/** Shared reads are given up after this many failures in a row. */
const maxStrikes = 3

/**
 * Reads slots of an upstream. Every shared request also reads a slot with a known value other than zero, to detect endpoints that lose the
 * storage of overridden accounts. If shared reads do not work, each slot is a request.
 */
export function createSlotReader(upstream: Upstream): ReadSlot {
  let waiting: Wanted[] = []
  let underWay = 0
  let isGathering = false
  let strikes = 0
  let known: (Slot & { value: string }) | undefined

  async function single(slot: Slot): Promise<string> {
    const params = [slot.address, slot.slot, slot.tag]
    const value = word(await upstream.ask<string>('eth_getStorageAt', params))
    if (BigInt(value) !== 0n) known ??= { ...slot, value }
    return value
  }

  /** Undefined when an endpoint does not support it, or returns wrong values. */
  async function together(wanted: readonly Slot[]): Promise<string[] | undefined> {
    const proof = known?.tag === wanted[0]!.tag ? known : undefined
    const { data, overrides, order } = callOf(proof ? [...wanted, proof] : wanted)
    const params = [{ to: callerAddress, data }, wanted[0]!.tag, overrides]
    const result = await upstream.ask<string>('eth_call', params).catch(() => '0x')
    const words = result.slice(2).match(/.{64}/g) ?? []
    if (result.length !== 2 + 64 * order.length) return undefined
    const answerTo = (slot: Slot) => `0x${words[order.indexOf(slot)]}`
    const values = wanted.map(answerTo)
    if (proof) return answerTo(proof) === proof.value ? values : undefined
    const at = values.findIndex((value) => BigInt(value) !== 0n)
    if (at < 0) return undefined
    known = { ...wanted[at]!, value: values[at]! }
    return values
  }

  async function read(wanted: readonly Slot[]): Promise<string[]> {
    if (wanted.length > 1 && strikes < maxStrikes) {
      const values = await together(wanted)
      if (values) {
        strikes = 0
        return values
      }
      // Rejects if the endpoint fails for single reads as well.
      const first = await single(wanted[0]!)
      strikes++
      return [first, ...(await Promise.all(wanted.slice(1).map(single)))]
    }
    return Promise.all(wanted.map(single))
  }

  async function gather(): Promise<void> {
    if (isGathering) return
    isGathering = true
    await pause(gatherMs)
    isGathering = false
    while (waiting.length > 0 && underWay < maxRequests) {
      const { tag } = waiting[0]!
      const batch = waiting.filter((each) => each.tag === tag).slice(0, maxSlots)
      waiting = waiting.filter((each) => !batch.includes(each))
      underWay++
      void read(batch)
        .then(
          (values) => {
            for (const [at, { resolve }] of batch.entries()) resolve(values[at]!)
          },
          (error: Error) => {
            for (const { reject } of batch) reject(error)
          },
        )
        .finally(() => {
          underWay--
          if (waiting.length > 0) void gather()
        })
    }
  }

  return (address, slot, tag) =>
    new Promise((resolve, reject) => {
      waiting.push({ address, slot, tag, resolve, reject })
      void gather()
    })
}

/** The call that reads all slots, and their order in the answer, account by account. */
function callOf(wanted: readonly Slot[]) {
  const byAccount = new Map<string, Slot[]>()
  for (const read of wanted)
    byAccount.set(read.address, [...(byAccount.get(read.address) ?? []), read])
  const parts = [...byAccount].flatMap(([address, slots]) => [
    plainWord(address),
    plainWord(`0x${(slots.length * 32).toString(16)}`),
    ...slots.map(({ slot }) => plainWord(slot)),
  ])
  const readers = [...byAccount.keys()].map((address) => [address, { code: readerCode }])
  return {
    data: `0x${parts.join('')}`,
    overrides: Object.fromEntries([...readers, [callerAddress, { code: callerCode }]]),
    order: [...byAccount.values()].flat(),
  }
}

/** 32 bytes without the prefix. */
function plainWord(hex: string): string {
  return hex.slice(2).toLowerCase().padStart(64, '0')
}

/** Restores leading zeros, which some endpoints omit. */
function word(hex: string): string {
  return `0x${plainWord(hex)}`
}
