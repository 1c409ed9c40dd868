import { type Address, type Hex, parseAbi } from 'viem'
import { decodeErrorResult, toFunctionSelector } from 'viem/utils'
import { contractErrors } from '../../generated/errors.js'
import type { Node, SendRequest } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { explainCode, publishedErrors } from './revertCodes.js'
import { ChainRevert } from './send.js'

export interface Revert {
  /** Human-readable: `NotCollateralized()`, `InsufficientBuyAmount(1, 2)`, or the text of `require`. */
  reason: string
  /** The selector, if there is data. */
  signature: Hex | null
  /** The error's arguments as strings. */
  values: string[] | null
}

let knownErrors: ReadonlyMap<string, string> | undefined

/** All known custom errors, by selector. Collected at the first revert, because most runs see none. */
function errorOf(selector: Hex): string | undefined {
  knownErrors ??= new Map(
    ['Error(string)', 'Panic(uint256)', ...contractErrors, ...publishedErrors].map((error) => [
      toFunctionSelector(error),
      error,
    ]),
  )
  return knownErrors.get(selector.toLowerCase())
}

/** How much of an unknown error's data is shown. Characters. */
const shownData = 2 + 2 * 132

/** Decodes errors of our own contracts and of the protocols. The reason of an unknown error is its selector and data. */
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

/** The revert with its reason, or else the error's own message. */
export function failureOf(error: unknown): string {
  if (!(error instanceof ChainRevert)) return (error as Error).message
  const { transactionHash, network, data } = error
  return `transaction ${transactionHash} on ${network} reverted: ${decodeRevert(data).reason}`
}

/** Undefined when the data does not match the error. */
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

/** Errors that carry the error of an inner call. */
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

/** Simulates a call in the next block; resolves to its revert, or to undefined. `code` overrides the code of accounts. */
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
