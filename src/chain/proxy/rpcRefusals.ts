import { toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { type Method, methodOf, toClock } from '../rpc/methods.js'
import {
  isOddQuantity,
  plainAddress,
  quantityForms,
  quantityOf,
  shownValue,
} from '../rpc/rpcValues.js'

/** Blocks that one request may mine: a thousand take seconds, ten thousand minutes. */
const maxBlocks = 1_000n

/** The highest base fee that may be set, in wei: 1,000 gwei. The node breaks beyond 64 bits, and its actors run out of money before. */
const highestBaseFee = 10n ** 12n

/** Why a request is not passed on, as JSON-RPC says it. */
export interface Refusal {
  code: -32000 | -32600 | -32601 | -32602
  message: string
}

/** Why the method is not passed on with these parameters; undefined when it is. */
export function refusalOf(method: string, params: unknown): Refusal | undefined {
  const { instead, bound } = methodOf(method)
  const list = Array.isArray(params) ? (params as unknown[]) : []
  if (instead !== undefined) return notHere(method, instead)
  if (bound === 'actor') return actorRefusal(method, list[0])
  if (bound === 'fee')
    return beyond(method, list[0], highestBaseFee, 'the base fee', 'wei (1000 gwei)')
  if (bound === 'mine') return mineRefusal(method, list)
  return undefined
}

/** Why the method is not passed on over HTTP, or inside a batch. */
export function socketRefusal(method: string): Refusal | undefined {
  if (!methodOf(method).onSocket) return undefined
  return notHere(method, 'open a WebSocket at the same path and send it there, by itself')
}

/** `anvil_mine [blocks, interval]`, `evm_mine [time | { timestamp, blocks }]`. */
function mineRefusal(method: string, [first, second]: unknown[]): Refusal | undefined {
  const isCount = method === 'anvil_mine' || method === 'hardhat_mine'
  const options = typeof first === 'object' && first !== null ? (first as MineOptions) : {}
  const blocks = isCount ? first : options.blocks
  const tooMany = beyond(method, blocks, maxBlocks, 'what one request mines', 'blocks')
  if (tooMany) return tooMany
  const time = isCount ? second : (options.timestamp ?? (typeof first === 'object' ? null : first))
  return time === undefined || time === null ? undefined : notHere(`${method} with a time`, toClock)
}

interface MineOptions {
  timestamp?: unknown
  blocks?: unknown
}

function notHere(method: string, instead: string): Refusal {
  return {
    code: -32601,
    message: `${method.slice(0, 80)} is not open here: ${instead}. --rpc-unsafe lets it through.`,
  }
}

/** The parameters are refused, with what is allowed. */
function wrong(method: string, allowed: string): Refusal {
  return { code: -32602, message: `${method.slice(0, 80)}: ${allowed}. --rpc-unsafe lifts this.` }
}

/** A quantity is refused that is not read here. */
function odd(method: string, what: string, value: unknown): Refusal {
  return wrong(method, `${what} must be ${quantityForms}, but is ${shownValue(value)}`)
}

/** Why a quantity is not passed on: it is more than allowed, or it cannot be told whether it is. */
function beyond(
  method: string,
  value: unknown,
  most: bigint,
  what: string,
  unit: string,
): Refusal | undefined {
  if (isOddQuantity(value)) return odd(method, what, value)
  const quantity = quantityOf(value)
  if (quantity === undefined || quantity <= most) return undefined
  return wrong(method, `${what} may be at most ${most} ${unit}, but is ${shownValue(value)}`)
}

function actorRefusal(method: string, account: unknown): Refusal | undefined {
  if (account === undefined) return undefined
  const address = plainAddress(account)
  if (address === undefined)
    return wrong(method, `the account must be 0x and 40 hex digits, but is ${shownValue(account)}`)
  return Object.values<string>(actors).includes(address)
    ? notHere(
        method,
        `${address} is an account of the simulator itself, whose transactions would lose their signatures; eth_sendTransaction sends from it without that`,
      )
    : undefined
}

/** The most gas of a call: geth's limit. A loop with this gas blocks a node for less than half a second. */
const callGasCap = 50_000_000n

/** The most gas of a trace that records or runs JavaScript at each step: a million gas give 80 MB of text, or take seconds. */
const stepsGasCap = 1_000_000n

const ownTracers: readonly unknown[] = ['callTracer', 'prestateTracer', 'noopTracer']

/** The most blocks of `eth_simulateV1`. */
const maxSimulatedBlocks = 16

/** The most percentiles of `eth_feeHistory`: geth's limit. */
const maxRewards = 100

/** More blocks than any chain here has added. A node walks down this many in a moment. */
const maxOwnBlocks = 10_000_000

/**
 * Limits parameters to what a node can handle; undefined when nothing changes. Silently lowers gas like geth, and sets it if absent: the
 * node would use the gas of a block, which some forked networks do not limit. Returns a refusal for other excesses, and for quantities that
 * it cannot read.
 *
 * @param forkBlock The last block that the chain has in common with its network, where it is forked.
 */
export function boundedParams(
  method: string,
  params: unknown,
  forkBlock = 0,
): unknown[] | Refusal | undefined {
  if (!Array.isArray(params)) return undefined
  const [first, ...rest] = params as unknown[]
  const { bound } = methodOf(method)
  if (bound === 'simulation') return simulation(first, rest)
  if (bound === 'history') return historyRefusal(rest)
  if (bound === 'search') return searchFromBelow(first, rest, forkBlock + maxOwnBlocks)
  const cap = capOf(bound, rest)
  if (cap === undefined || !isObject(first)) return undefined
  return isOddQuantity(first.gas) ? odd(method, 'gas', first.gas) : [bounded(first, cap), ...rest]
}

/**
 * Replaces `finalized` and `safe` by `latest` in `eth_feeHistory`, where anvil 1.7.1 counts epochs in spite of `--slots-in-an-epoch 0`.
 * Undefined when nothing changes.
 */
export function upToLatest(method: string, params: unknown): unknown[] | undefined {
  if (methodOf(method).bound !== 'history' || !Array.isArray(params)) return undefined
  const [count, newest, ...rest] = params as unknown[]
  return newest === 'finalized' || newest === 'safe' ? [count, 'latest', ...rest] : undefined
}

function capOf(bound: Method['bound'], [, options]: unknown[]): bigint | undefined {
  if (bound === 'gas') return callGasCap
  if (bound !== 'trace') return undefined
  return isObject(options) && ownTracers.includes(options.tracer) ? callGasCap : stepsGasCap
}

function simulation(payload: unknown, rest: unknown[]): unknown[] | Refusal | undefined {
  const method = 'eth_simulateV1'
  const given = isObject(payload) ? payload.blockStateCalls : payload
  if (!Array.isArray(given)) return undefined
  const blocks = given as (SimulatedBlock | null)[]
  // The node reads them written as arrays too, one member after the other.
  if ([payload, ...blocks, ...blocks.map((block) => block?.blockOverrides)].some(Array.isArray))
    return wrong(method, 'the payload, its blocks and their blockOverrides must be objects')
  if (blocks.length > maxSimulatedBlocks)
    return wrong(method, `one request may have at most ${maxSimulatedBlocks} blocks`)
  const limits = blocks.map((block) => block?.blockOverrides?.gasLimit)
  const gas = blocks.flatMap(callsOf).map((call) => (isObject(call) ? call.gas : undefined))
  const unread = [...limits, ...gas].find(isOddQuantity)
  if (unread !== undefined) return odd(method, 'gas and gasLimit', unread)
  return [{ ...(payload as Fields), blockStateCalls: blocks.map(boundedBlock) }, ...rest]
}

interface SimulatedBlock {
  blockOverrides?: Fields | null
  calls?: unknown
}

function callsOf(block: SimulatedBlock | null): unknown[] {
  return Array.isArray(block?.calls) ? (block.calls as unknown[]) : []
}

function boundedBlock(block: SimulatedBlock | null): SimulatedBlock | null {
  if (!isObject(block)) return block
  const { calls, blockOverrides } = block
  return {
    ...block,
    ...(isObject(blockOverrides) && 'gasLimit' in blockOverrides
      ? { blockOverrides: { ...blockOverrides, gasLimit: lowered(blockOverrides.gasLimit) } }
      : {}),
    ...(Array.isArray(calls)
      ? {
          calls: callsOf(block).map((call) =>
            isObject(call) && 'gas' in call ? bounded(call, callGasCap) : call,
          ),
        }
      : {}),
  }
}

function bounded(call: Fields, cap: bigint): Fields {
  const gas = quantityOf(call.gas)
  return { ...call, gas: toHex(gas === undefined || gas > cap ? cap : gas) }
}

function lowered(gas: unknown): unknown {
  const value = quantityOf(gas)
  return value !== undefined && value > callGasCap ? toHex(callGasCap) : gas
}

function historyRefusal([, percentiles]: unknown[]): Refusal | undefined {
  if (!Array.isArray(percentiles) || percentiles.length <= maxRewards) return undefined
  const but = `but are ${percentiles.length}`
  return wrong('eth_feeHistory', `reward percentiles may be at most ${maxRewards}, ${but}`)
}

/** The node walks down from the block one by one, so a huge number would block it for ever. Start at the latest block, which is 0 here. */
function searchFromBelow(
  address: unknown,
  [block, ...rest]: unknown[],
  highest: number,
): unknown[] | undefined {
  return typeof block === 'number' && block > highest ? [address, 0, ...rest] : undefined
}

type Fields = Record<string, unknown>

function isObject<T>(value: T): value is T & Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
