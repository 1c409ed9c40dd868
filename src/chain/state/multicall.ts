import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { multicall3Abi } from '../../generated/abis.js'

/** One read of a batch. */
export interface Read {
  target: Address
  data: Hex
}

/** An address that no wallet has; `fillWallet` puts the real one in its place. */
export const walletPlaceholder: Address = '0xfa11ed0000000000000000000000000000fa11ed'

/**
 * Calldata of one Multicall3 `aggregate3` of all reads, each allowed to fail. Encoding costs more than the call itself, so
 * it is done once per network with `walletPlaceholder`, and `fillWallet` replaces the placeholder per request.
 */
export function encodeReads(reads: readonly Read[]): Hex {
  return encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [reads.map((read) => ({ target: read.target, allowFailure: true, callData: read.data }))],
  })
}

/** The calldata with the wallet in every place of the placeholder. */
export function fillWallet(calldata: Hex, wallet: Address): Hex {
  return calldata.replaceAll(walletPlaceholder.slice(2), wallet.slice(2).toLowerCase()) as Hex
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
