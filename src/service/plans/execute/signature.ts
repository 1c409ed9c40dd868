import type { Hex } from 'viem'
import { hashMessage, isHex, keccak256, recoverAddress, stringToHex } from 'viem/utils'
import type { AccountRecord } from '../../store/store.js'
import { isWellFormed } from './execution.js'

/** The recovered signer of a refused signature, and the common mistake that it looks like: for the hint header, not the body. */
export async function diagnoseSignature(
  signature: string,
  digest: Hex,
  account: AccountRecord,
): Promise<string> {
  const expected = account.signerAddress
  if (/^0X[0-9a-f]*$/i.test(signature) && !signature.startsWith('0x'))
    return 'the signature begins with 0X; write 0x'
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
  const bySigner = async (hash: Hex, sent: Hex = signature): Promise<boolean> =>
    (await recovered(hash, sent))?.toLowerCase() === expected.toLowerCase()
  const from = await recovered(digest, signature)
  if (from?.toLowerCase() === expected.toLowerCase())
    return `the signature recovers ${from}, but the wallet refuses its form; v must be 27 or 28 and s in the lower half`
  for (const other of otherOrders(signature))
    if (await bySigner(digest, other.signature))
      return `r, s and v are in another order (${other.order}); send r, s, v`
  for (const { hash, what } of otherHashes(digest))
    if (await bySigner(hash))
      return `recovered ${from}, expected ${expected}; this looks like ${what}: sign the digest as a raw hash`
  if (from === undefined)
    return 'no address can be recovered from the signature; v must be 27 or 28 and s in the lower half'
  return `recovered ${from}, expected ${expected}; this looks like another key, or another plan's digest`
}

async function recovered(hash: Hex, signature: Hex): Promise<Hex | undefined> {
  try {
    return await recoverAddress({ hash, signature })
  } catch {
    return undefined
  }
}

function otherHashes(digest: Hex): { hash: Hex; what: string }[] {
  const personal = 'a personal_sign over the digest (EIP-191 prefix)'
  return [
    // The digest signed as 32 raw bytes, and as its hex text.
    { hash: hashMessage({ raw: digest }), what: personal },
    { hash: hashMessage(digest), what: personal },
    { hash: keccak256(digest), what: 'a signature over keccak256 of the digest' },
    { hash: keccak256(stringToHex(digest)), what: "a signature over the digest's text" },
    { hash: keccak256(stringToHex(digest.slice(2))), what: "a signature over the digest's text" },
  ]
}

function otherOrders(signature: Hex): { order: string; signature: Hex }[] {
  const part = (from: number, to: number) => signature.slice(2 + 2 * from, 2 + 2 * to)
  return [
    { order: 'v, r, s', signature: `0x${part(1, 33)}${part(33, 65)}${part(0, 1)}` },
    { order: 's, r, v', signature: `0x${part(32, 64)}${part(0, 32)}${part(64, 65)}` },
    { order: 'v, s, r', signature: `0x${part(33, 65)}${part(1, 33)}${part(0, 1)}` },
  ]
}
