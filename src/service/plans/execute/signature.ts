import type { Hex } from 'viem'
import { hashMessage, isHex, recoverAddress } from 'viem/utils'
import type { AccountRecord } from '../../store/store.js'

/** 0x and 65 bytes: r, s, v. Anything else the wallet refuses. */
export function isWellFormed(signature: string): signature is Hex {
  return isHex(signature, { strict: true }) && signature.length === 132
}

/**
 * One sentence about a signature that the wallet refused: what was recovered, and which of the usual mistakes it looks like.
 * Only for the hint header; the body stays what the service would send.
 */
export async function diagnoseSignature(
  signature: string,
  digest: Hex,
  account: AccountRecord,
): Promise<string> {
  const expected = account.signerAddress
  if (!isHex(signature, { strict: true }))
    return `the signature is not 0x-prefixed hex; sign the digest as a hash with ${expected} and send 0x and 130 hex digits`
  const { length } = signature as string
  if (!isWellFormed(signature)) {
    if (length % 2 === 1)
      return `the signature has ${length - 2} hex digits, an odd number; expected 130: r, s and v`
    const bytes = (length - 2) / 2
    const compact = bytes === 64 ? ' (64 bytes look like a compact EIP-2098 signature)' : ''
    return `the signature has ${bytes} bytes${compact}, expected 65: r, s and v`
  }
  const matches = async (hash: Hex): Promise<string | undefined> => {
    try {
      return await recoverAddress({ hash, signature })
    } catch {
      return undefined
    }
  }
  const recovered = await matches(digest)
  if (recovered === undefined)
    return 'no address can be recovered from the signature; v must be 27 or 28 and s in the lower half'
  if (recovered.toLowerCase() === expected.toLowerCase())
    return `the signature recovers ${recovered}, but the wallet refuses its form; v must be 27 or 28 and s in the lower half`
  // The digest signed as 32 raw bytes, and as its hex text.
  for (const message of [{ raw: digest }, digest]) {
    const prefixed = await matches(hashMessage(message))
    if (prefixed?.toLowerCase() === expected.toLowerCase())
      return `recovered ${recovered}, expected ${expected}; this looks like a personal_sign over the digest (EIP-191 prefix): sign the digest as a raw hash`
  }
  return `recovered ${recovered}, expected ${expected}; this looks like another key, or another plan's digest`
}
