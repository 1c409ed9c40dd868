import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Front, openSocket, post, startFront } from '../../../test/kit/rpcFront.js'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import type { Nodes } from '../rpc/node.js'

let nodes: Nodes
let front: Front

beforeAll(async () => {
  nodes = await startNodes({ networks: ['base'] })
  front = await startFront(nodes, { timeoutMs: 5_000 })
})

afterAll(async () => {
  await front.close()
  await nodes.stop()
})

const call = (id: unknown, method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

async function send(text: string): Promise<unknown> {
  const reply = await fetch(`${front.url}/rpc/base`, { method: 'POST', body: text })
  return reply.json()
}

async function ask(method: string, ...params: unknown[]): Promise<Answer> {
  const reply = await post(`${front.url}/rpc/base`, call(1, method, ...params))
  return (await reply.json()) as Answer
}

interface Answer {
  result?: unknown
  error?: { code: number; message: string }
}

const refusal = (id: unknown, text: string | RegExp, code = -32602) => ({
  jsonrpc: '2.0',
  id,
  error: {
    code,
    message: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
  },
})

test('error: quantities that only the node reads: alone, in a batch, on a WebSocket, and nothing is done', async () => {
  const { rpc } = nodes.get('base')
  const before = await rpc.request('eth_blockNumber')
  const batch = [
    call(1, 'anvil_mine', '0b11111111111'),
    call(2, 'hardhat_mine', '2_000'),
    call(3, 'evm_mine', { timestamp: null, blocks: '0o3720' }),
    call(4, 'hardhat_setNextBlockBaseFeePerGas', `0o2${'0'.repeat(23)}`),
    call(5, 'eth_call', { to: actors.admin, gas: '0b11111' }, 'latest'),
    call(6, 'eth_chainId'),
  ]
  const expected = [
    refusal(1, '"0b11111111111"'),
    refusal(2, '"2_000"'),
    refusal(3, '"0o3720"'),
    refusal(4, 'the base fee must be'),
    refusal(5, '"0b11111"'),
    { jsonrpc: '2.0', id: 6, result: '0x2105' },
  ]
  const socket = await openSocket(front)
  for (const way of [(message: unknown) => send(JSON.stringify(message)), socket.ask]) {
    expect(await way(batch)).toEqual(expected)
    for (const [i, request] of batch.entries()) expect(await way(request)).toEqual(expected[i])
  }
  socket.close()
  expect(await rpc.request('eth_blockNumber')).toBe(before)
})

test('error: the relayer keeps its signature, however its address is written', async () => {
  const { relayer } = actors
  const bytes = [...Buffer.from(relayer.slice(2), 'hex')]
  const forms = [relayer, relayer.slice(2), relayer.slice(2).toUpperCase(), bytes]
  for (const method of ['anvil_impersonateAccount', 'hardhat_impersonateAccount'])
    for (const form of forms) expect((await ask(method, form)).error).toBeDefined()
  const sent = await ask('eth_sendTransaction', { from: relayer, to: actors.admin, value: '0x1' })
  const { result } = await ask('eth_getTransactionByHash', sent.result)
  expect(BigInt((result as { r: Hex }).r)).not.toBe(0n)
})

test.each([
  ['true for an id', '{"jsonrpc":"2.0","id":true,"method":"eth_chainId"}', null],
  ['an object for an id', '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', null],
  ['a fraction for an id', '{"jsonrpc":"2.0","id":1.5,"method":"eth_chainId"}', null],
  ['half a pair for an id', '{"jsonrpc":"2.0","id":"\\ud800","method":"eth_chainId"}', null],
  ['half a pair', '{"jsonrpc":"2.0","id":2,"method":"eth_call","params":["\\ud800"]}', 2],
  ['half a pair as a name', '{"jsonrpc":"2.0","id":2,"method":"x","params":[{"\\udc00":1}]}', 2],
  ['half a pair in its method', '{"jsonrpc":"2.0","id":2,"method":"\\ud800"}', 2],
  [
    'deep nesting',
    `{"jsonrpc":"2.0","id":2,"method":"x","params":${'['.repeat(126)}${']'.repeat(126)}}`,
    2,
  ],
  [
    'deepest nesting',
    `{"jsonrpc":"2.0","id":2,"method":"x","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    2,
  ],
])(
  'error: %s is refused by itself, and the others of its batch are answered',
  async (_, odd, id) => {
    const good = '{"jsonrpc":"2.0","id":"é","method":"eth_chainId","params":[]}'
    const note = '{"jsonrpc":"2.0","method":"eth_chainId","params":[]}'
    const bad = '{"jsonrpc":"2.0","id":3,"method":"anvil_reset","params":[]}'
    const why =
      id === null ? /An id must be text, null or a whole number|no Unicode/ : /no Unicode|levels/
    const error = refusal(id, why, -32600)
    const result = { jsonrpc: '2.0', id: 'é', result: '0x2105' }
    expect(await send(odd)).toEqual(error)
    expect(await send(`[${odd},${good}]`)).toEqual([error, result])
    expect(await send(`[${good},${note},${odd}]`)).toEqual([result, error])
    expect(await send(`[${bad},${odd},${good}]`)).toMatchObject([{ id: 3 }, error, result])
  },
)

test('behavior: what the node reads as deep as it can is passed on', async () => {
  const deep = `${'['.repeat(125)}${']'.repeat(125)}`
  const request = `{"jsonrpc":"2.0","id":2,"method":"eth_chainId","params":${deep}}`
  expect(await send(`[${request},${request}]`)).toMatchObject(
    Array(2).fill({ id: 2, error: { code: -32602 } }),
  )
})

test('behavior: whole numbers are ids however they are written', async () => {
  const request = (id: string) => `{"jsonrpc":"2.0","id" : ${id},"method":"eth_chainId"}`
  const answer = (id: number) => ({ jsonrpc: '2.0', id, result: '0x2105' })
  expect(await send(request('2.0'))).toEqual(answer(2))
  expect(await send(`[${request('1e3')},${request('-3.0')},${request('4')}]`)).toEqual(
    [1000, -3, 4].map(answer),
  )
})

test('behavior: of a member that is written twice the last one counts, alone and in a batch', async () => {
  const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"anvil_reset","method":"eth_chainId"}'
  const good = '{"jsonrpc":"2.0","id":3,"method":"eth_chainId"}'
  const answer = (id: number) => ({ jsonrpc: '2.0', id, result: '0x2105' })
  expect(await send(twice)).toEqual(answer(2))
  expect(await send(`[${twice},${good}]`)).toEqual([2, 3].map(answer))
})

test.each([
  ['another version', '{"jsonrpc":"1.0","id":2,"method":"evm_mine"}', /^A request is an object/],
  ['no version', '{"id":2,"method":"evm_mine"}', /^A request is an object/],
  ['a member of its own', '{"jsonrpc":"2.0","id":2,"method":"evm_mine","x":1}', /not a "x"$/],
])('error: a request with %s, as for the node', async (_, request, why) => {
  const good = '{"jsonrpc":"2.0","id":3,"method":"eth_chainId"}'
  const error = refusal(2, why, -32600)
  expect(await send(request)).toEqual(error)
  expect(await send(`[${request},${good}]`)).toMatchObject([error, { result: '0x2105' }])
})

test('behavior: numbers beyond 2^53 reach the node as they are written, in a batch too, and ids stay numbers', async () => {
  const account = `0x${'5e'.repeat(20)}`
  const set = (id: number, wei: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"anvil_setBalance","params":["${account}",${wei}]}`
  const read = call(9, 'eth_getBalance', account, 'latest')
  await send(set(1, '10000000000000000001'))
  expect(await ask('eth_getBalance', account, 'latest')).toMatchObject({
    result: '0x8ac7230489e80001',
  })
  const id = Number.MAX_SAFE_INTEGER
  expect(await send(`[${set(id, '9007199254740993')},${JSON.stringify(read)}]`)).toEqual([
    { jsonrpc: '2.0', id, result: null },
    { jsonrpc: '2.0', id: 9, result: '0x20000000000001' },
  ])
})

test('behavior: a batch is answered in its order, each read after the changes before it', async () => {
  const balance = (id: number) => call(id, 'eth_getBalance', `0x${'5f'.repeat(20)}`, 'latest')
  const set = (id: number, wei: string) => call(id, 'anvil_setBalance', `0x${'5f'.repeat(20)}`, wei)
  const batch = [balance(1), set(2, '0x1'), balance(3), balance(4), set(5, '0x2'), balance(6)]
  const results = ['0x0', null, '0x1', '0x1', null, '0x2']
  expect(await send(JSON.stringify(batch))).toEqual(
    results.map((result, place) => ({ jsonrpc: '2.0', id: place + 1, result })),
  )
})

test('behavior: a search for transactions from a block that there is not is answered, several at once', async () => {
  const { result: latest } = await ask('ots_searchTransactionsBefore', actors.admin, 0, 5)
  const searches = await Promise.all(
    Array.from({ length: 4 }, () =>
      ask('ots_searchTransactionsBefore', actors.admin, 999_999_999_999, 5),
    ),
  )
  for (const { result } of searches) expect(result).toEqual(latest)
  expect(await ask('eth_chainId')).toMatchObject({ result: '0x2105' })
})
