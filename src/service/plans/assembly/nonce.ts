import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'

/** How many secrets in a row differ in their last byte alone: the nonce manager keeps what became of them in one slot. */
const groupSize = 256

/**
 * A nonce of a wallet on a network ("nonce secret" of the folio): unordered 32 bytes, a function of how many secrets of the
 * wallet are behind it there, consumed by plans or used up on chain. Two plans from one state carry the same nonce, so that
 * only one can ever run (service-facts 10.5). `contracts/lens/NonceLens.sol` computes the same.
 */
export function nonceSecret(chainId: number, wallet: Address, count: number): Hex {
  const group = Math.floor(count / groupSize)
  const hash = keccak256(toHex(`svc-sim/nonce/${chainId}/${wallet.toLowerCase()}/${group}`))
  return endingIn(hash, (count % groupSize).toString(16).padStart(2, '0'))
}

/** The nonce of the i-th operation of a plan on one network: the secret itself, then the hash of each, with the secret's last byte. */
export function operationNonce(secret: Hex, index: number): Hex {
  let nonce = secret
  for (let i = 0; i < index; i++)
    nonce = endingIn(keccak256(endingIn(nonce, '00')), secret.slice(-2))
  return nonce
}

const endingIn = (nonce: Hex, lastByte: string): Hex => `0x${nonce.slice(2, 64)}${lastByte}`
