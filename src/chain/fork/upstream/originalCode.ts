import type { Address } from 'viem'

/** Begins the addresses at which the code of moved feeds is kept; an upstream has nothing there. */
export const originalCodePrefix = '0x5caa0feed000'

/** Where the code that the maker has at this address is kept while something else stands there. */
export function originalCodeOf(address: Address): Address {
  return `${originalCodePrefix}${address.slice(originalCodePrefix.length).toLowerCase()}`
}
