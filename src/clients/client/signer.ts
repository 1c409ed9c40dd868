import type { SvcTypedData } from './typedData.js'
import type { HexText, Schemas } from './types.js'

/**
 * Who signs for an account:
 * - a private key;
 * - an account of viem, or whatever else signs a hash as it is by `sign`;
 * - a wallet that signs typed data by `signTypedData`, as wallets of browsers do;
 * - a function from the digest to its signature, such as `(digest) => wallet.signingKey.sign(digest).serialized` for ethers.
 */
export type Signer =
  | HexText
  | HashSigner
  | TypedDataSigner
  | ((digest: HexText) => HexText | string | Promise<HexText | string>)

interface HashSigner {
  sign(parameters: { hash: HexText }): Promise<HexText>
}

interface TypedDataSigner {
  signTypedData(typedData: SvcTypedData): Promise<HexText>
}

/** A key with its address: the given one, or a new one. */
export async function newSigner(
  privateKey?: HexText,
): Promise<{ privateKey: HexText; address: HexText }> {
  const { generatePrivateKey, privateKeyToAddress } = await import('viem/accounts')
  const key = privateKey ?? generatePrivateKey()
  return { privateKey: key, address: privateKeyToAddress(key) }
}

/** The signature of a plan, as `execute` takes it. The key never leaves the signer. */
export async function signPlan(plan: Schemas['Plan'], signer: Signer): Promise<string> {
  if (!plan?.details?.eip712_data)
    throw new TypeError(
      `the plan must be what plan() has returned, received ${JSON.stringify(plan)}`,
    )
  const { digest } = plan.details.eip712_data
  if (typeof signer === 'function') return signer(digest)
  if (typeof signer === 'string') {
    // Only who hands over a key needs the curve.
    const { sign } = await import('viem/accounts')
    return sign({ hash: digest, privateKey: signer, to: 'hex' })
  }
  if ('sign' in signer && typeof signer.sign === 'function') return signer.sign({ hash: digest })
  if ('signTypedData' in signer) {
    const { typedDataOf } = await import('./typedData.js')
    return signer.signTypedData(typedDataOf(plan))
  }
  throw new TypeError(
    'the signer must be a private key, an object with sign or signTypedData, or a function that signs a digest',
  )
}
