import { toHex } from 'viem/utils'
import { actors } from '../deployments/actors.js'

/** Gas that one call may use: what geth allows. A loop of so much gas holds a node up for less than half a second. */
const callGasCap = 50_000_000n

/** Gas of a trace with a record of each step: a million gas make some 80 MB of text. */
const stepsGasCap = 1_000_000n

/** Blocks that one request may mine: a thousand take seconds, ten thousand minutes. */
const mostBlocks = 1_000n

/** Blocks that one `eth_simulateV1` may have. */
const mostSimulatedBlocks = 16

/** The highest base fee that may be set, in wei: 1,000 gwei. The node breaks beyond 64 bits, and its actors run out of money before. */
const highestBaseFee = 10n ** 12n

/** Why a request is not passed on, as JSON-RPC says it. */
export interface Refusal {
  code: -32000 | -32600 | -32601 | -32602
  message: string
}

const toClock =
  'the time of all chains is one clock: POST /_sim/clock/advance {"seconds": N}, /_sim/clock/freeze or /_sim/clock/resume'
const toMining =
  'every transaction is mined at once: the fault {"on": "chain", "effect": "halt"} stops a network, "execute" with "stuck" one transaction'
const toReset =
  'POST /_sim/reset takes the service and all chains back to the start, POST /_sim/snapshots keeps a moment to go back to'
const toFork = 'what is forked is said at the start: --fork NET=URL'
const noOther = 'it belongs to the network, and nothing changes it'

/**
 * What would take the ground from under the simulator, and what to use instead. The names go without their prefix: a node
 * knows most of them under several (`anvil_`, `hardhat_`, `evm_`, `tenderly_`).
 */
const refused: Readonly<Record<string, string>> = {
  reset: toReset,
  loadState: toReset,
  setRpcUrl: toFork,
  setAutomine: toMining,
  setIntervalMining: toMining,
  increaseTime: toClock,
  setTime: toClock,
  setNextBlockTimestamp: toClock,
  setBlockTimestampInterval: toClock,
  removeBlockTimestampInterval: toClock,
  setChainId: noOther,
  setBlockGasLimit: noOther,
  setMinGasPrice: 'set the base fee with anvil_setNextBlockBaseFeePerGas',
  setLoggingEnabled:
    'what the nodes log is not shown anywhere; GET /_sim/journal has the exchanges',
  enableTraces: 'what the nodes log is not shown anywhere; debug_traceTransaction traces',
}

/** Methods that only make sense on a connection which stays. */
const forSockets = new Set(['eth_subscribe', 'eth_unsubscribe'])

/** Why the method is not passed on with these parameters; undefined when it is. */
export function refusalOf(method: string, params: unknown): Refusal | undefined {
  const name = nameOf(method)
  if (name === undefined) return undefined
  const list = Array.isArray(params) ? (params as unknown[]) : []
  if (Object.hasOwn(refused, name)) return notHere(method, refused[name]!)
  if (name === 'stopImpersonatingAccount' && isActor(list[0]))
    return notHere(method, `${list[0]} is an account that the simulator itself sends from`)
  if (name === 'setNextBlockBaseFeePerGas') {
    const fee = quantityOf(list[0])
    if (fee !== undefined && fee > highestBaseFee)
      return wrong(method, `the base fee may be at most ${highestBaseFee} wei (1000 gwei)`)
  }
  if (name.startsWith('mine')) return mineRefusal(method, list)
  return undefined
}

/** Why the method is not passed on over HTTP, or inside a batch. */
export function socketRefusal(method: string): Refusal | undefined {
  if (!forSockets.has(method)) return undefined
  return notHere(method, 'open a WebSocket at the same path and send it there, by itself')
}

/** `anvil_mine [blocks, interval]`, `evm_mine [time | { timestamp, blocks }]`. */
function mineRefusal(method: string, [first, second]: unknown[]): Refusal | undefined {
  const isCount = method === 'anvil_mine' || method === 'hardhat_mine'
  const options = typeof first === 'object' && first !== null ? (first as MineOptions) : {}
  const blocks = quantityOf(isCount ? first : options.blocks)
  if (blocks !== undefined && blocks > mostBlocks)
    return wrong(method, `one request may mine at most ${mostBlocks} blocks`)
  const time = isCount ? second : (options.timestamp ?? (typeof first === 'object' ? null : first))
  return time === undefined || time === null ? undefined : notHere(`${method} with a time`, toClock)
}

interface MineOptions {
  timestamp?: unknown
  blocks?: unknown
}

/**
 * The parameters with gas that the node can bear; undefined when they are so already. Like geth, it lowers what is too high
 * without a word. Where none is given the node would take the block's, which some forked networks do not bound. A refusal when
 * there is too much for one request.
 */
export function boundedParams(method: string, params: unknown): unknown[] | Refusal | undefined {
  if (!Array.isArray(params)) return undefined
  const [call, ...rest] = params as unknown[]
  if (method === 'eth_simulateV1') return simulation(call, rest)
  const cap = capOf(method, rest)
  return cap === undefined || !isObject(call) ? undefined : [bounded(call, cap), ...rest]
}

function capOf(method: string, [, options]: unknown[]): bigint | undefined {
  if (['eth_call', 'eth_estimateGas', 'eth_createAccessList'].includes(method)) return callGasCap
  if (method !== 'debug_traceCall') return undefined
  const hasTracer = isObject(options) && typeof options.tracer === 'string'
  return hasTracer ? callGasCap : stepsGasCap
}

function simulation(payload: unknown, rest: unknown[]): unknown[] | Refusal | undefined {
  if (!isObject(payload) || !Array.isArray(payload.blockStateCalls)) return undefined
  const blocks = payload.blockStateCalls as unknown[]
  if (blocks.length > mostSimulatedBlocks)
    return wrong('eth_simulateV1', `one request may have at most ${mostSimulatedBlocks} blocks`)
  const blockStateCalls = blocks.map((block) => {
    if (!isObject(block)) return block
    const { calls, blockOverrides } = block
    return {
      ...block,
      ...(isObject(blockOverrides) && 'gasLimit' in blockOverrides
        ? { blockOverrides: { ...blockOverrides, gasLimit: hexOf(blockOverrides.gasLimit) } }
        : {}),
      ...(Array.isArray(calls)
        ? {
            calls: calls.map((call) =>
              isObject(call) && 'gas' in call ? bounded(call, callGasCap) : call,
            ),
          }
        : {}),
    }
  })
  return [{ ...payload, blockStateCalls }, ...rest]
}

function bounded(call: Fields, cap: bigint): Fields {
  const gas = quantityOf(call.gas)
  // What is no quantity the node itself refuses.
  if (call.gas !== undefined && call.gas !== null && gas === undefined) return call
  return { ...call, gas: toHex(gas === undefined || gas > cap ? cap : gas) }
}

function hexOf(gas: unknown): unknown {
  const value = quantityOf(gas)
  return value !== undefined && value > callGasCap ? toHex(callGasCap) : gas
}

/** `anvil_reset` -> `reset`; undefined for methods of other families. */
function nameOf(method: string): string | undefined {
  return /^(?:anvil|hardhat|evm|tenderly)_(\w+)$/.exec(method)?.[1]
}

function notHere(method: string, instead: string): Refusal {
  return {
    code: -32601,
    message: `${method.slice(0, 80)} is not open here: ${instead}. --rpc-unsafe lets it through.`,
  }
}

function wrong(method: string, allowed: string): Refusal {
  return { code: -32602, message: `${method}: ${allowed}. --rpc-unsafe lifts this.` }
}

function isActor(address: unknown): boolean {
  return Object.values(actors).some(
    (actor) => actor.toLowerCase() === String(address).toLowerCase(),
  )
}

/** A quantity in either form that the node reads; undefined when it is none. */
function quantityOf(value: unknown): bigint | undefined {
  if (typeof value === 'number' && value >= 0) return BigInt(Math.floor(value))
  if (typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value)) return BigInt(value)
  return undefined
}

type Fields = Record<string, unknown>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
