import { defineEffect } from '../../rules/effect.js'

/**
 * One bit of the signature is turned over before it is checked, so that the wallet contract itself refuses it. The answer is
 * 500 `internal_error`, nothing is sent, and the plan stays as it was.
 */
export const rejectSignature = defineEffect({
  on: 'execute',
  name: 'reject_signature',
  summary:
    'One bit of the signature is changed in transit, and the wallet contract refuses it: 500 `internal_error`. Nothing is sent; the plan stays usable.',
  outcome: () => ({ text: 'changed one bit of the signature' }),
  apply(_, call, proceed) {
    call.request.signature = turnBit(call.signature)
    return proceed()
  },
})

/** The last bit of the s half; what is no signature anyway is left alone. */
function turnBit(signature: string): string {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return signature
  const digit = Number.parseInt(signature[129]!, 16) ^ 1
  return `${signature.slice(0, 129)}${digit.toString(16)}${signature.slice(130)}`
}
