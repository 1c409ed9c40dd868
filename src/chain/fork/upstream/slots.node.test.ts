import { expect, onTestFinished, test } from 'vitest'
import { startEndpoint } from '../../../../test/kit/endpoint.js'
import { startNodes } from '../../process/nodes.js'
import { createSlotReader } from './slots.js'
import { createUpstream } from './upstream.js'

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const slot = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

/** A reader of an endpoint that answers like this. */
async function readerOf(answers: Parameters<typeof startEndpoint>[0]) {
  const endpoint = await startEndpoint(answers)
  const upstream = createUpstream('base', [endpoint.url], {
    answerWithinMs: 20_000,
    patienceMs: 200,
  })
  onTestFinished(async () => {
    upstream.close()
    await endpoint[Symbol.asyncDispose]()
  })
  const read = createSlotReader(upstream)
  const methods = () => endpoint.asked.map(({ method }) => method)
  return { read: (a: number, s: number) => read(address(a), slot(s), '0x10'), methods }
}

const single = (params: unknown[]) => slot(Number(BigInt(String(params[1]))))

test('default: slots of many accounts that are wanted at once are one request to a real node', async () => {
  const nodes = await startNodes({ networks: ['base'] })
  onTestFinished(() => nodes.stop())
  const { rpc } = nodes.get('base')
  const all = [1, 2, 3].flatMap((a) => [0, 1, 2, 3, 4].map((s) => ({ a: a + 0x1000, s })))
  const stored = ({ a, s }: { a: number; s: number }) => slot(s === 3 ? 0 : a * 10 + s)
  for (const each of all)
    await rpc.request('anvil_setStorageAt', [address(each.a), slot(each.s), stored(each)])
  await rpc.request('evm_mine')
  const tag = await rpc.request<string>('eth_blockNumber')
  const { read, methods } = await readerOf(({ method, params }) =>
    rpc.request(
      method,
      params.map((each) => (each === '0x10' ? tag : each)),
    ),
  )
  const shuffled = [...all].sort((x, y) => x.s - y.s)
  const values = await Promise.all(shuffled.map(({ a, s }) => read(a, s)))
  expect(values).toEqual(shuffled.map(stored))
  expect(methods()).toEqual(['eth_call'])
  expect(await read(0x1001, 4)).toBe(slot(0x1001 * 10 + 4))
  expect(methods()).toEqual(['eth_call', 'eth_getStorageAt'])
})

test.each([
  ['refuses overrides', () => new Error('too many arguments, want at most 2')],
  ['ignores them', () => '0x'],
  ['loses the storage over them', () => `0x${'0'.repeat(64 * 2)}`],
])(
  'behavior: an endpoint that %s is asked for each slot, soon without trying',
  async (_how, call) => {
    const { read, methods } = await readerOf(({ method, params }) =>
      method === 'eth_call' ? call() : single(params),
    )
    for (let n = 0; n < 6; n++)
      expect(await Promise.all([read(1, n), read(1, n + 1)])).toEqual([slot(n), slot(n + 1)])
    expect(methods().filter((method) => method === 'eth_call')).toHaveLength(3)
  },
)

test('behavior: zeros are believed only beside a value that is known', async () => {
  const { read, methods } = await readerOf(({ method, params }) => {
    if (method !== 'eth_call') return single(params)
    const words = (params[0] as { data: string }).data.slice(2).match(/.{64}/g)!
    // All zero at first, as if the storage were lost; then as it should be.
    const slots = words.filter((word) => Number(`0x${word}`) < 16)
    return `0x${slots.map((word) => (words.length === 4 ? '0'.repeat(64) : word)).join('')}`
  })
  expect(await Promise.all([read(0x100, 0), read(0x100, 1)])).toEqual([slot(0), slot(1)])
  expect(methods()).toEqual(['eth_call', 'eth_getStorageAt', 'eth_getStorageAt'])
  // Slot 1 goes along as the proof.
  expect(await Promise.all([read(0x100, 0), read(0x100, 2)])).toEqual([slot(0), slot(2)])
  expect(methods()).toHaveLength(4)
})

test('error: an endpoint that fails altogether is told for every slot', async () => {
  const { read } = await readerOf(() => new Error('out of order'))
  const settled = await Promise.allSettled([read(1, 1), read(1, 2), read(2, 1)])
  for (const one of settled)
    expect(String((one as PromiseRejectedResult).reason)).toContain(
      'which refuses eth_getStorageAt',
    )
})
