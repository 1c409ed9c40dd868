import { type Address, type Hex, parseAbi } from 'viem'
import { decodeErrorResult, toFunctionSelector } from 'viem/utils'
import { contractErrors } from '../../generated/errors.js'
import type { Node, SendRequest } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { explainCode, publishedErrors } from './revertCodes.js'
import { ChainRevert } from './send.js'

/** A decoded revert. */
export interface Revert {
  /** Human-readable: `NotCollateralized()`, `InsufficientBuyAmount(1, 2)`, or the text of `require`. */
  reason: string
  /** The first four bytes, when there are some. */
  signature: Hex | null
  /** The error's arguments as strings. */
  values: string[] | null
}

let knownErrors: ReadonlyMap<string, string> | undefined

/** All custom errors that we know, by selector; collected at the first revert, since most runs never see one. */
function errorOf(selector: Hex): string | undefined {
  knownErrors ??= new Map(
    ['Error(string)', 'Panic(uint256)', ...contractErrors, ...publishedErrors].map((error) => [
      toFunctionSelector(error),
      error,
    ]),
  )
  return knownErrors.get(selector.toLowerCase())
}

/** Characters of an unknown error's data that are shown. */
const shownData = 2 + 2 * 132

/**
 * Decodes revert data: errors of our own contracts, and those that the protocols have published. An unknown error is named by its
 * selector, with its data; no data at all says so.
 */
export function decodeRevert(data: Hex | undefined): Revert {
  if (data === undefined || data === '0x')
    return { reason: 'reverted without a reason', signature: null, values: null }
  const signature = data.slice(0, 10) as Hex
  const known = errorOf(signature)
  const values = known && valuesOf(known, data)
  if (!known || !values)
    return { reason: `unknown error ${signature}${dataNote(data)}`, signature, values: null }
  return { reason: reasonOf(known, values), signature, values }
}

/** What a failed send says: of a transaction that reverted with what, of anything else its own message. */
export function failureOf(error: unknown): string {
  if (!(error instanceof ChainRevert)) return (error as Error).message
  const { transactionHash, network, data } = error
  return `transaction ${transactionHash} on ${network} reverted: ${decodeRevert(data).reason}`
}

/** The arguments as strings; undefined when the data is not what the error has. */
function valuesOf(error: string, data: Hex): string[] | undefined {
  try {
    const { args } = decodeErrorResult({
      abi: parseAbi([`error ${error}`] as readonly string[]),
      data,
    })
    return (args ?? []).map(String)
  } catch {
    return undefined
  }
}

/** Some errors carry that of a contract further in. */
const wrapping = [
  'TransferInFailed(bytes)',
  'TransferOutFailed(bytes)',
  'LowLevelCallFailed(bytes)',
]

function reasonOf(error: string, values: readonly string[]): string {
  if (error === 'Error(string)') return explainCode(values[0]!)
  const name = error.slice(0, error.indexOf('('))
  if (wrapping.includes(error)) return `${name}(${decodeRevert(values[0] as Hex).reason})`
  return `${name}(${values.join(', ')})`
}

function dataNote(data: Hex): string {
  if (data.length <= 10) return ''
  const shown = data.length <= shownData ? data : `${data.slice(0, shownData)}…`
  return ` with data ${shown}`
}

/**
 * Runs a call without sending it, as the next block would: undefined when it would succeed, else why it would revert. `code` stands
 * in for an account's code (state override).
 */
export async function dryRun(
  node: Node,
  { from, to, data }: Pick<SendRequest, 'from' | 'to' | 'data'>,
  code: Record<Address, { code: Hex }> = {},
): Promise<Revert | undefined> {
  try {
    await node.rpc.request('eth_call', [{ from, to, data }, 'pending', code])
    return undefined
  } catch (error) {
    if (error instanceof RpcError) {
      const revert = decodeRevert(error.data)
      return error.data === undefined ? { ...revert, reason: error.message } : revert
    }
    throw error
  }
}
