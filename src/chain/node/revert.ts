import type { Abi, Hex } from 'viem'
import { decodeErrorResult } from 'viem/utils'
import * as abis from '../../generated/abis.js'
import { nameAaveError } from './aaveErrors.js'

/** A decoded revert. */
export interface Revert {
  /** Human-readable: `NotCollateralized()`, `InsufficientBuyAmount(1, 2)`, or the text of `require`. */
  reason: string
  /** The first four bytes, when there are some. */
  signature: Hex | null
  /** The error's arguments as strings. */
  values: string[] | null
}

let knownErrors: Abi | undefined

/** All custom errors of the contracts we know; collected at the first revert, since most runs never see one. */
function errorsAbi(): Abi {
  knownErrors ??= Object.values(abis)
    .flatMap((abi) => abi as Abi)
    .filter((item) => item.type === 'error')
  return knownErrors
}

/** Decodes revert data. Unknown errors are named by their selector; no data at all says so. */
export function decodeRevert(data: Hex | undefined): Revert {
  if (data === undefined || data === '0x')
    return { reason: 'reverted without a reason', signature: null, values: null }
  const signature = data.slice(0, 10) as Hex
  try {
    // viem adds Error(string) and Panic(uint256) to what it is given.
    const decoded = decodeErrorResult({ abi: errorsAbi(), data })
    const values = (decoded.args ?? []).map(String)
    const reason =
      decoded.errorName === 'Error'
        ? nameAaveError(values[0]!)
        : `${decoded.errorName}(${values.join(', ')})`
    return { reason, signature, values }
  } catch {
    return { reason: `unknown error ${signature}`, signature, values: null }
  }
}
