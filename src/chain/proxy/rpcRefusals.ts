import { actors } from '../../deployments/actors.js'
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

const toClock =
  'the time of all chains is one clock: POST /_sim/clock/advance {"seconds": N}, /_sim/clock/freeze or /_sim/clock/resume'
const toMining =
  'every transaction is mined at once: the fault {"on": "chain", "effect": "halt"} stops a network, "execute" with "stuck" one transaction'
const toReset =
  'POST /_sim/reset takes the service and all chains back to the start, POST /_sim/snapshots keeps a moment to go back to'
const toFork = 'forks are chosen at the start: --fork NET=URL'
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
  if (name === 'impersonateAccount') return actorRefusal(method, list[0])
  if (name === 'setNextBlockBaseFeePerGas')
    return beyond(method, list[0], highestBaseFee, 'the base fee', 'wei (1000 gwei)')
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

/** The parameters are refused, with what is allowed. */
export function wrong(method: string, allowed: string): Refusal {
  return { code: -32602, message: `${method.slice(0, 80)}: ${allowed}. --rpc-unsafe lifts this.` }
}

/** A quantity is refused that is not read here. */
export function odd(method: string, what: string, value: unknown): Refusal {
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
