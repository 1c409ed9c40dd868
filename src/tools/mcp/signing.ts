import type { Hex } from 'viem'
import type { JsonSchema } from './documents.js'
import { ToolError } from './toolError.js'

/** The argument in which an agent gives a key. It goes nowhere: neither to the simulator nor into a message. */
export const privateKeyInput: JsonSchema = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'Key of the signer, 0x and 64 hex digits. Signs here; is not sent, kept or logged.',
}

/** The order of the group that the curve's points form; a key is a number below it, and not zero. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Throws without repeating what was given. */
export function readPrivateKey(given: unknown): Hex {
  const isHex = typeof given === 'string' && /^0x[0-9a-fA-F]{64}$/.test(given)
  if (isHex && BigInt(given) > 0n && BigInt(given) < curveOrder) return given as Hex
  throw new ToolError(
    'private_key is no key: it must be text of 0x and 64 hex digits, and a number from 1 to the order of secp256k1.',
  )
}
