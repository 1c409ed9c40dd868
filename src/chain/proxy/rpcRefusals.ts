import { actors } from '../../deployments/actors.js'
import { methodOf, toClock } from '../rpc/methods.js'
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
