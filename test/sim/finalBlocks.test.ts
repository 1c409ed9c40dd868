import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { getWebSocketRpcClient } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** Blocks are final at once: `finalized` and `safe` mean the latest one. */

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => sim.close())

const usdc = loadAddressBook().token('base', 'USDC')!.address
const { admin } = actors
const data = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })

/** Each method that takes a block, with the tag in its place. */
const methods: Record<string, (tag: string) => unknown[]> = {
  eth_getBlockByNumber: (tag) => [tag, true],
  eth_getBlockTransactionCountByNumber: (tag) => [tag],
  eth_getBlockReceipts: (tag) => [tag],
  eth_getTransactionByBlockNumberAndIndex: (tag) => [tag, '0x0'],
  eth_getBalance: (tag) => [admin, tag],
  eth_getTransactionCount: (tag) => [admin, tag],
  eth_getCode: (tag) => [usdc, tag],
  eth_getStorageAt: (tag) => [usdc, '0x0', tag],
  eth_getProof: (tag) => [usdc, [`0x${'0'.repeat(64)}`], tag],
  eth_call: (tag) => [{ to: usdc, data }, tag],
  eth_estimateGas: (tag) => [{ to: usdc, data }, tag],
  eth_createAccessList: (tag) => [{ to: usdc, data }, tag],
  eth_feeHistory: (tag) => ['0x2', tag, []],
  trace_block: (tag) => [tag],
  debug_traceCall: (tag) => [{ to: usdc, data }, tag, {}],
}

test.each(['finalized', 'safe'])(
  'default: %s means the latest block, over HTTP and over a WebSocket',
  async (tag) => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000_000n)
    const overHttp = <T>(method: string, params: unknown[]) =>
      readsOf(sim).request<T>('base', method, params)
    const socket = await getWebSocketRpcClient(`${sim.rpc('base').replace('http', 'ws')}`, {
      keepAlive: false,
      reconnect: false,
    })
    const overSocket = async <T>(method: string, params: unknown[]): Promise<T> => {
      const { result, error } = await socket.requestAsync({ body: { method, params } })
      expect(error).toBeUndefined()
      return result as T
    }
    try {
      for (const request of [overHttp, overSocket]) {
        const head = await request<{ number: Hex }>('eth_getBlockByNumber', ['latest', false])
        for (const [method, params] of Object.entries(methods))
          expect(await request(method, params(tag)), method).toEqual(
            await request(method, params('latest')),
          )
        const filter = { address: usdc, fromBlock: tag, toBlock: tag }
        const logs = await request<{ blockNumber: Hex }[]>('eth_getLogs', [filter])
        expect(new Set(logs.map(({ blockNumber }) => blockNumber))).toEqual(new Set([head.number]))
        const id = await request<Hex>('eth_newFilter', [filter])
        expect(await request('eth_getFilterLogs', [id])).toEqual(logs)
      }
    } finally {
      socket.close()
    }
  },
)
