import type { Address } from 'viem'

/** Begins the addresses at which the code of moved feeds is kept; an upstream has nothing there. */
export const makersCopyPrefix = '0x5caa0feed000'

/** Where the code that the maker has at this address is kept while something else stands there. */
export function makersCopyOf(address: Address): Address {
  return `${makersCopyPrefix}${address.slice(makersCopyPrefix.length).toLowerCase()}`
}
