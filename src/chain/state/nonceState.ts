import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import { nonceLensAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { type Read, walletPlaceholder } from './multicall.js'

/** The most operations that a plan can have on one network: each has a nonce of the plan's secret. Plan kinds need far fewer. */
export const noncesPerSecret = 16

/** A count that no wallet reaches; `fillCount` puts the real one in its place. */
const countPlaceholder = 'c0117fa11ed'.padEnd(64, '0')

/** The read of the first nonce secret, from a count on, of which the wallet has used no nonce on this chain. */
export function nonceRead(book: NetworkBook): Read {
  return {
    target: book.nonceLens,
    data: encodeFunctionData({
      abi: nonceLensAbi,
      functionName: 'firstFree',
      args: [
        svcAddresses.nonceManager,
        walletPlaceholder,
        BigInt(`0x${countPlaceholder}`),
        BigInt(noncesPerSecret),
      ],
    }),
  }
}

/** The calldata with the count in the place of the placeholder. */
export function fillCount(calldata: Hex, count: number): Hex {
  return calldata.replace(countPlaceholder, count.toString(16).padStart(64, '0')) as Hex
}
