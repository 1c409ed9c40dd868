import type { Abi, AbiFunction, Address, Hex } from 'viem'
import { getAbiItem, toFunctionSelector, toHex } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import { multicall3Abi } from '../../generated/abis.js'
import type { Pooled } from '../rpc/gate.js'
import type { Node } from '../rpc/node.js'
import { type PostponedBlocks, rpcAsItStands } from '../rpc/postponedBlocks.js'
import type { Rpc } from '../rpc/rpc.js'

export interface Read {
  target: Address
  data: Hex
}

/** What a view takes here: a number, an address or a hash, or a list of those. */
type Argument = bigint | Hex | readonly Hex[]

/** The selector of a function of the ABI. */
export function selectorOf(abi: Abi, name: string): Hex {
  return toFunctionSelector(getAbiItem({ abi, name }) as AbiFunction)
}

/** Calldata of a function. A state takes some fifty calls, for which viem needs milliseconds: longer than the node for all of them. */
export function encodeCall(selector: Hex, args: readonly Argument[] = []): Hex {
  let lists = ''
  const heads = args.map((arg) => {
    if (typeof arg !== 'object') return word(arg)
    const offset = args.length * 32 + lists.length / 2
    lists += [BigInt(arg.length), ...arg].map(word).join('')
    return word(BigInt(offset))
  })
  return `${selector}${heads.join('')}${lists}`
}

function word(value: bigint | Hex): string {
  const hex = typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()
  return hex.padStart(64, '0')
}

const aggregate3 = selectorOf(multicall3Abi, 'aggregate3')

/** Calldata of one Multicall3 `aggregate3` of all reads, each allowed to fail. */
export function encodeReads(reads: readonly Read[]): Hex {
  const calls = reads.map(({ target, data }) => {
    const bytes = data.slice(2)
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
    return `${word(target)}${word(1n)}${word(96n)}${word(BigInt(bytes.length / 2))}${padded}`
  })
  let offset = reads.length * 32
  const offsets = calls.map((call) => {
    const at = word(BigInt(offset))
    offset += call.length / 2
    return at
  })
  const count = word(BigInt(reads.length))
  return `${aggregate3}${word(32n)}${count}${offsets.join('')}${calls.join('')}`
}

/** The return data of an `aggregate3`, one entry per read: its return data without `0x`, or undefined when it failed. */
export function decodeReads(returned: Hex): (string | undefined)[] {
  const hex = returned.slice(2)
  const word = (offset: number): number => Number(`0x${hex.slice(offset + 48, offset + 64)}`)
  const array = word(0) * 2
  const count = word(array)
  const heads = array + 64
  const results: (string | undefined)[] = []
  for (let i = 0; i < count; i++) {
    const item = heads + word(heads + i * 64) * 2
    const bytes = item + word(item + 64) * 2
    const length = word(bytes) * 2
    results.push(word(item) === 1 ? hex.slice(bytes + 64, bytes + 64 + length) : undefined)
  }
  return results
}

/** The i-th 32-byte word of return data as an unsigned integer. */
export function wordAt(data: string, index: number): bigint {
  return BigInt(`0x${data.slice(index * 64, index * 64 + 64)}`)
}

/** So often a call is made while blocks come in between. Each takes a few milliseconds. */
const maxTries = 50

/**
 * Calls a contract as the next block would, without the transactions that only wait in the pool: those may never be mined. Where nothing
 * can wait, that is the node's own pending state, whose answers are kept.
 */
export async function callNow(node: Node, call: object): Promise<Hex> {
  const { rpc, gate, postponed } = node
  if (postponed && postponed.times.length > 0) {
    const returned = await callAfter(node, postponed, call)
    if (returned !== undefined) return returned
  }
  if (gate?.isUnsettled) await gate.settle(() => rpc.request<Pooled>('txpool_status'))
  if (!gate || gate.mark() !== undefined) return rpc.request<Hex>('eth_call', [call, 'pending'])
  let next = await pendingBlock(rpc)
  for (let tries = 1; ; tries++) {
    const block = { number: next.number, time: next.timestamp }
    const returned = await rpc.request<Hex>('eth_call', [call, 'latest', {}, block])
    // A block that was mined in between may be later than this time, and interest until an earlier time underflows. Its number tells too
    // late: a moment passes between the state of a block and its number. The time of the next one changes before its state.
    const after = await pendingBlock(rpc)
    if (after.timestamp === next.timestamp || tries === maxTries) return returned
    next = after
  }
}

interface PendingBlock {
  number: Hex
  timestamp: Hex
}

function pendingBlock(rpc: Rpc): Promise<PendingBlock> {
  return rpc.request<PendingBlock>('eth_getBlockByNumber', ['pending', false])
}

/** What it returns after the blocks that are still to be mined, without mining them; undefined when something happens meanwhile. */
async function callAfter(
  node: Node,
  postponed: PostponedBlocks,
  call: object,
): Promise<Hex | undefined> {
  const { times } = postponed
  const before = node.gate?.mark()
  const rpc = rpcAsItStands(node)
  const head = await rpc.request<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', [
    'latest',
    true,
  ])
  const number = toHex(Number(head.number) + times.length + 1)
  const time = toHex(Math.max(times.at(-1)!, Number(head.timestamp)))
  const returned = await rpc.request<Hex>('eth_call', [call, 'latest', {}, { number, time }])
  const isSame = before !== undefined && before === node.gate?.mark()
  return isSame && postponed.times === times ? returned : undefined
}

/** What the latest block answers to all of them, in one call; what failed or answered nothing is undefined. */
export async function readTogether(
  { rpc }: Node,
  book: NetworkBook,
  reads: readonly Read[],
): Promise<(Hex | undefined)[]> {
  if (reads.length === 0) return []
  const call = { to: book.multicall3, data: encodeReads(reads) }
  const returned = await rpc.request<Hex>('eth_call', [call, 'latest'])
  return decodeReads(returned).map((data) => (data ? (`0x${data}` as Hex) : undefined))
}
