import {
  createPublicClient,
  type Hex,
  http,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { expect } from 'vitest'

/** Whether a client that trusts nobody finds the transaction of this hash, and its sender, in what a node tells of it. */
export async function expectSigned(url: string, hash: Hex): Promise<void> {
  const client = createPublicClient({ transport: http(url), cacheTime: 0 })
  const { from, input: data, r, s, v, yParity, ...rest } = await client.getTransaction({ hash })
  const fields = { ...rest, data, gasPrice: undefined } as TransactionSerializable
  const serialized = serializeTransaction(fields, {
    r,
    s,
    v,
    ...(yParity !== undefined && { yParity }),
  })
  expect(keccak256(serialized)).toBe(hash)
  const serializedTransaction = serialized as TransactionSerialized
  expect((await recoverTransactionAddress({ serializedTransaction })).toLowerCase()).toBe(
    from.toLowerCase(),
  )
}
