import { encodeFunctionData } from 'viem/utils'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { MorphoVault } from '../../deployments/protocolBook.js'
import { vaultLensAbi } from '../../generated/abis.js'
import { type Read, walletPlaceholder, wordAt } from './multicall.js'

/** A vault and the wallet's part in it, with the interest up to the read. Amounts in smallest units of its asset. */
export interface VaultState {
  vault: MorphoVault
  totalAssets: bigint
  /** What the vault earns in its markets after fees, per second, 1e18-scaled. */
  supplyRate: bigint
  /** What may still be deposited. */
  room: bigint
  /** What the wallet's shares are worth, rounded down. */
  supplied: bigint
  /** As in `CometState`. */
  leaving?: bigint
  /** The same as far as the vault's markets have cash. */
  withdrawable: bigint
}

/** The read of one vault and position. */
export function vaultRead(book: NetworkBook, vault: MorphoVault): Read {
  return {
    target: book.vaultLens,
    data: encodeFunctionData({
      abi: vaultLensAbi,
      functionName: 'read',
      args: [book.morpho.morpho, vault.address, walletPlaceholder],
    }),
  }
}

/** Decodes `VaultLens.read`: five words in line. */
export function decodeVault(vault: MorphoVault, data: string): VaultState {
  return {
    vault,
    totalAssets: wordAt(data, 0),
    supplyRate: wordAt(data, 1),
    room: wordAt(data, 2),
    supplied: wordAt(data, 3),
    withdrawable: wordAt(data, 4),
  }
}
