import { toHex } from 'viem/utils'
import type { RpcAnswers, RpcCall } from '../chain/proxy/proxy.js'
import { methodOf } from '../chain/rpc/methods.js'
import type { NodeAnswer } from '../chain/rpc/nodeSocket.js'
import { firstParam } from '../chain/rpc/pipeline.js'
import { quantityForms, quantityOf, shownValue } from '../chain/rpc/rpcValues.js'
import { ServiceError } from '../lib/errors.js'
import { UnknownSnapshotError } from './snapshotRegistry.js'
import type { Snapshots } from './snapshots.js'

/** Whether a JSON-RPC method takes or restores a snapshot. */
export function isSnapshotMethod(method: string): boolean {
  const { turn } = methodOf(method)
  return turn === 'snapshot' || turn === 'revert'
}

/** The snapshot id for a JSON-RPC quantity; undefined for any other value. */
export function snapshotIdOf(number: unknown): string | undefined {
  const quantity = quantityOf(number)
  return quantity === undefined ? undefined : `snp_${quantity}`
}

/**
 * Answers `evm_snapshot` and `evm_revert` with snapshots of the whole world, so that chain and service stay consistent. As on a bare node,
 * a revert deletes the snapshot and later ones.
 */
export function rpcSnapshots(
  snapshots: Pick<Snapshots, 'take' | 'restore'>,
): (call: Pick<RpcCall, 'requests'>) => Promise<RpcAnswers> {
  const take = async (): Promise<NodeAnswer> => ({
    result: toHex(Number((await snapshots.take()).id.slice('snp_'.length))),
  })
  const revert = async (method: string, id: unknown): Promise<NodeAnswer> => {
    const snapshot = snapshotIdOf(id)
    if (snapshot === undefined) {
      const message = `${method}: the id of a snapshot must be ${quantityForms}, but is ${shownValue(id)}`
      return { error: { code: -32602, message } }
    }
    try {
      await snapshots.restore(snapshot, { ends: true })
      return { result: true }
    } catch (error) {
      if (error instanceof UnknownSnapshotError) return { result: false }
      throw error
    }
  }
  const answer = (request: RpcCall['requests'][number]): Promise<NodeAnswer> => {
    const { method } = request
    const isTaken = methodOf(method).turn === 'snapshot'
    return (isTaken ? take() : revert(method, firstParam(request))).catch(failed)
  }
  return ({ requests }) => Promise.all(requests.map(answer))
}

/** A `ServiceError` as a JSON-RPC error; rethrows any other. */
function failed(error: unknown): NodeAnswer {
  if (!(error instanceof ServiceError)) throw error
  const message = [error.message, error.hint].filter(Boolean).join('. ')
  return { error: { code: -32000, message } }
}
