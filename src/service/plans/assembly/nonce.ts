import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'

/**
 * A nonce of a wallet on a network ("nonce secret" of the folio): unordered 32 bytes, a function of how many secrets of the
 * wallet are behind it there, consumed by plans or used up on chain. Two plans from one state carry the same nonce, so that
 * only one can ever run (service-facts 10.5). `contracts/lens/NonceLens.sol` computes the same.
 */
export function nonceSecret(chainId: number, wallet: Address, count: number): Hex {
  return keccak256(toHex(`svc-sim/nonce/${chainId}/${wallet.toLowerCase()}/${count}`))
}

/** The nonce of the i-th operation of a plan on one network: the secret itself, then its hashes. */
export function operationNonce(secret: Hex, index: number): Hex {
  let nonce = secret
  for (let i = 0; i < index; i++) nonce = keccak256(nonce)
  return nonce
}
