import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { startAlteringProxy } from '../kit/alteringProxy.js'
import { readsOf } from '../kit/chainReads.js'
import { origins, twoOrigins } from '../kit/origins.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'

/** What the networks have that Ethereum has not, at the block that is forked; docs/guides/forks.md says what becomes of it. */

const arbSys: Address = '0x0000000000000000000000000000000000000064'
/** `arbBlockNumber()` */
const arbBlockNumber = '0xa3b1b31d'
const l1Block = 25_941_231
const deposit: Hex = `0x${'d1'.repeat(32)}`
const system: Hex = `0x${'5e'.repeat(32)}`
const zero = `0x${'0'.repeat(40)}`
const depositor: Address = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
/** Returns `block.number`. */
const numberCode: Hex = '0x4360005260206000f3'
const asker: Address = '0x00000000000000000000000000000000000b10c4'
const { start, end, openUser } = twoOrigins()
let upstreams: Upstream[]
let proxies: Awaited<ReturnType<typeof startAlteringProxy>>[]
let sim: SimulatorHandle

beforeAll(async () => {
  upstreams = await Promise.all([
    startUpstream('arbitrum'),
    startUpstream('optimism'),
    startUpstream('polygon'),
  ])
  const [arbitrum, optimism] = upstreams as [Upstream, Upstream, Upstream]
  // On Arbitrum a precompile has this one byte for its code.
  await arbitrum.rpc.request('anvil_setCode', [arbSys, '0xfe'])
  await arbitrum.rpc.request('anvil_setCode', [asker, numberCode])
  await arbitrum.rpc.request('evm_mine')
  await optimism.rpc.request('anvil_setBlockTimestampInterval', [2])
  await optimism.rpc.request('anvil_mine', ['0x5'])
  proxies = await Promise.all(
    upstreams.map(async (upstream) => {
      const proxy = await startAlteringProxy(upstream.url)
      proxy.alteration = {
        answer: (answer, { body }) => alter(upstream.book.network, answer, body),
      }
      return proxy
    }),
  )
})
afterAll(async () => {
  await Promise.all([...(proxies ?? []), ...upstreams].map((one) => one[Symbol.asyncDispose]()))
})

interface Fork {
  url: string
}

/** What an endpoint of the network says beside or instead of what Ethereum's would. */
// biome-ignore lint/suspicious/noExplicitAny: JSON-RPC of every shape.
function alter(network: NetworkName, answer: { body: any }, asked: any): void {
  const { result } = answer.body
  const { method, params } = asked
  if (method === 'eth_getBlockByNumber' && result) {
    if (network === 'arbitrum')
      Object.assign(result, {
        l1BlockNumber: `0x${l1Block.toString(16)}`,
        sendCount: '0x1',
        gasLimit: '0x4000000000000',
      })
    if (network === 'optimism')
      Object.assign(result, {
        transactions: [deposit],
        gasLimit: '0x2625a00',
        baseFeePerGas: '0x64',
      })
    if (network === 'polygon') Object.assign(result, { transactions: [system] })
  }
  const common = { blockHash: `0x${'bb'.repeat(32)}`, blockNumber: '0x1', transactionIndex: '0x0' }
  if (method === 'eth_getTransactionByHash' && params[0] === deposit)
    answer.body.result = {
      ...{ ...common, type: '0x7e', hash: deposit, from: depositor, gas: '0xf4240', input: '0x' },
      ...{
        to: '0x4200000000000000000000000000000000000015',
        value: '0x0',
        mint: '0x0',
        nonce: '0x7',
      },
      ...{ sourceHash: `0x${'ab'.repeat(32)}`, isSystemTx: false, gasPrice: '0x0' },
      ...{ v: '0x0', r: '0x0', s: '0x0', depositReceiptVersion: '0x1' },
    }
  if (method === 'eth_getTransactionReceipt' && (params[0] === deposit || params[0] === system))
    answer.body.result = {
      ...{ ...common, transactionHash: params[0], from: depositor, to: zero, status: '0x1' },
      ...{ cumulativeGasUsed: '0x5208', gasUsed: '0x5208', effectiveGasPrice: '0x0', logs: [] },
      ...{ logsBloom: `0x${'0'.repeat(512)}`, contractAddress: null },
      ...(params[0] === deposit
        ? { type: '0x7e', depositNonce: '0x7', depositReceiptVersion: '0x1', l1Fee: '0x0' }
        : { type: '0x0' }),
    }
  if (method === 'eth_getTransactionByHash' && params[0] === system)
    answer.body.result = {
      ...{
        ...common,
        type: '0x0',
        hash: system,
        from: zero,
        to: zero,
        gas: '0x0',
        gasPrice: '0x0',
      },
      ...{ input: '0x', value: '0x0', nonce: '0x0', chainId: '0x89', v: '0x0', r: '0x0', s: '0x0' },
    }
}

const ask = <T>(network: NetworkName, method: string, params: unknown[] = []) =>
  readsOf(sim).request<T>(network, method, params)

describe.each(origins)('from its %s', (origin) => {
  beforeAll(async () => {
    const [a, o, p] = proxies.map(({ url }) => ({ url })) as [Fork, Fork, Fork]
    const fork = { arbitrum: a, optimism: o, polygon: p }
    sim = await start(origin, upstreams, { bridgeDelayMs: 20, fork })
  })
  afterAll(() => end(origin, upstreams, sim))

  test('behavior: blocks of Arbitrum, with a block of Ethereum and a gas limit without end, are forked; blocks count on from it', async () => {
    const { block } = sim.forks.get('arbitrum')!
    expect(Number(await ask<Hex>('arbitrum', 'eth_blockNumber'))).toBeGreaterThan(block)
    const latest = await ask<{ gasLimit: Hex }>('arbitrum', 'eth_getBlockByNumber', [
      'latest',
      false,
    ])
    expect(Number(latest.gasLimit)).toBe(60_000_000)
    // `block.number` is Ethereum's on Arbitrum; on the fork it is the height, once there is a block of the fork's own.
    const number = Number(await ask<Hex>('arbitrum', 'eth_call', [{ to: asker }, 'latest']))
    expect(number).toBeGreaterThan(block)
    expect(number).toBeLessThan(l1Block)
  })

  test('error: what asks Arbitrum’s precompiles reverts', async () => {
    await expect(
      ask('arbitrum', 'eth_call', [{ to: arbSys, data: arbBlockNumber }, 'latest']),
    ).rejects.toThrow(/EVM error InvalidFEOpcode|reverted/)
  })

  test('behavior: transactions of the networks’ own kinds, of before the fork, can be looked up', async () => {
    for (const [network, hash] of [
      ['optimism', deposit],
      ['polygon', system],
    ] as const) {
      const seen = await ask<{ hash: Hex } | null>(network, 'eth_getTransactionByHash', [hash])
      expect(seen?.hash).toBe(hash)
      const receipt = await ask<{ status: Hex } | null>(network, 'eth_getTransactionReceipt', [
        hash,
      ])
      expect(receipt?.status).toBe('0x1')
    }
  })

  test('default: plans work on all of them, and cost no fee of another chain', async () => {
    const user = await openUser(sim)
    for (const network of ['arbitrum', 'optimism', 'polygon'] as const) {
      await user.fund(network, 'USDC', 20_000_000n)
      const before = await ask<Hex>(network, 'eth_getBalance', [user.wallet, 'latest'])
      const { activity } = await user.run('earn', {
        ...{ asset: 'USDC', amount: 'max', network, protocol: 'aave' },
      })
      expect([network, activity.activity_status]).toEqual([network, 'confirmed'])
      expect(await ask<Hex>(network, 'eth_getBalance', [user.wallet, 'latest'])).toBe(before)
      const hash = activity.activity_metadata[0]!.transaction_hash
      const receipt = await ask<object>(network, 'eth_getTransactionReceipt', [hash])
      expect(receipt).not.toHaveProperty('l1Fee')
    }
  })
})
