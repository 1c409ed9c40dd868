import { vi } from 'vitest'
import type { Rpc } from '../../src/chain/rpc/rpc.js'
import { rpcTap } from './rpcTap.js'

// Tests that count or hold requests to the nodes do so where these leave: below everything that answers from what it knows.
vi.mock('../../src/chain/rpc/rpc.js', async (original) => {
  const real = await original<typeof import('../../src/chain/rpc/rpc.js')>()
  return {
    ...real,
    createSocketRpc(...given: Parameters<typeof real.createSocketRpc>): Rpc {
      const rpc = real.createSocketRpc(...given)
      const [who, url] = given
      const request = <T>(method: string, params?: readonly unknown[]): Promise<T> => {
        const tap = rpcTap()
        const proceed = (): Promise<T> => rpc.request<T>(method, params)
        return tap ? (tap({ who, url, method, params }, proceed) as Promise<T>) : proceed()
      }
      return { ...rpc, request }
    },
  }
})
