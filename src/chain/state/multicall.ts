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

type Argument = bigint | Hex | readonly Hex[]

export function selectorOf(abi: Abi, name: string): Hex {
  return toFunctionSelector(getAbiItem({ abi, name }) as AbiFunction)
}

/** Calldata of a function. Faster than viem, which needs longer for the fifty calls of a state than the node does. */
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

/** Calldata of Multicall3's `aggregate3`, in which each read may fail. */
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

/** Decodes the return data of `aggregate3`: per read the data without `0x`, or undefined for a failed one. */
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

export function wordAt(data: string, index: number): bigint {
  return BigInt(`0x${data.slice(index * 64, index * 64 + 64)}`)
}

/** The most attempts while new blocks interfere. Each takes a few milliseconds. */
const maxTries = 50

/**
 * Calls a contract in the context of the next block, without pooled transactions, which may never be mined. If the pool must be empty, uses
 * the node's pending state, whose answers are cached.
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
    // If a block was mined meanwhile, its time may be later than this one, and computing interest would underflow. Compare the time of the
    // next block, which changes before the state does; the block number changes after it.
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

/** The result after the postponed blocks, without mining them; undefined when the chain changes meanwhile. */
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

/** Reads at the latest block in one call; undefined for reads that fail or return nothing. */
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
