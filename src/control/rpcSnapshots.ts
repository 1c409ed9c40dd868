import { toHex } from 'viem/utils'
import type { RpcCall } from '../chain/proxy/proxy.js'
import { methodOf } from '../chain/rpc/methods.js'
import { quantityForms, quantityOf, shownValue } from '../chain/rpc/rpcValues.js'
import { ServiceError } from '../lib/errors.js'
import { UnknownSnapshotError } from './snapshotRegistry.js'
import type { Snapshots } from './snapshots.js'

/** Whether a JSON-RPC method takes or restores a snapshot. */
export function isSnapshotMethod(method: string): boolean {
  const { turn } = methodOf(method)
  return turn === 'snapshot' || turn === 'revert'
}

/** The snapshot that a number over JSON-RPC names; undefined for what is no number. */
export function snapshotIdOf(number: unknown): string | undefined {
  const quantity = quantityOf(number)
  return quantity === undefined ? undefined : `snp_${quantity}`
}

type Outcome = { result: unknown } | { error: { code: number; message: string } }

/**
 * Answers `evm_snapshot` and `evm_revert` with snapshots of the whole world, so that a chain and the service never disagree. A revert ends
 * the snapshot and those taken after it, as on a bare node.
 */
export function rpcSnapshots(
  snapshots: Pick<Snapshots, 'take' | 'restore'>,
): (call: Pick<RpcCall, 'text'>) => Promise<string> {
  const take = async (): Promise<Outcome> => ({
    result: toHex(Number((await snapshots.take()).id.slice('snp_'.length))),
  })
  const revert = async (method: string, id: unknown): Promise<Outcome> => {
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
  return async ({ text }) => {
    const { id, method, params } = JSON.parse(text) as Record<'id' | 'method' | 'params', unknown>
    const [first] = Array.isArray(params) ? (params as unknown[]) : []
    const name = String(method)
    const work = methodOf(name).turn === 'snapshot' ? take() : revert(name, first)
    return JSON.stringify({ jsonrpc: '2.0', id, ...(await work.catch(failed)) })
  }
}

/** Nothing was changed, and why. Whatever the control API does not say either is the caller's to handle. */
function failed(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) throw error
  const message = [error.message, error.hint].filter(Boolean).join('. ')
  return { error: { code: -32000, message } }
}
