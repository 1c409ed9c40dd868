import type { Address, Hex } from 'viem'
import type { Node, SendRequest } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'
import { decodeRevert, type Revert } from './revert.js'

/**
 * Runs a call without sending it, as the next block would: undefined when it would succeed, else why it would revert. `code` stands
 * in for an account's code (state override).
 */
export async function dryRun(
  node: Node,
  { from, to, data }: Pick<SendRequest, 'from' | 'to' | 'data'>,
  code: Record<Address, { code: Hex }> = {},
): Promise<Revert | undefined> {
  try {
    await node.rpc.request('eth_call', [{ from, to, data }, 'pending', code])
    return undefined
  } catch (error) {
    if (error instanceof RpcError) {
      const revert = decodeRevert(error.data)
      return error.data === undefined ? { ...revert, reason: error.message } : revert
    }
    throw error
  }
}
