import type { Hex, RpcTransaction, TransactionSerializable } from 'viem'
import { formatTransaction, serializeTransaction } from 'viem/utils'

/** The bytes of a transaction that a node has listed. Undefined for one with blobs: they are not in its list. */
export function rawTransaction(listed: object): Hex | undefined {
  const { input, r, s, v, yParity, ...rest } = formatTransaction(listed as RpcTransaction)
  if (rest.type === 'eip4844') return undefined
  const signature = { r, s, v, yParity } as Parameters<typeof serializeTransaction>[1]
  return serializeTransaction({ ...rest, data: input } as TransactionSerializable, signature)
}
