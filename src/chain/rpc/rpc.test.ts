import { expect, test } from 'vitest'
import { readAnswer } from './nodeSocket.js'
import { createRpcOver, RpcError, RpcTransportError } from './rpc.js'

/** Requests to a node that always answers with this text. */
const rpcTo = (answer: string) =>
  createRpcOver(
    'The base node',
    async () => readAnswer(answer),
    () => {},
  )

test('default: a request is passed on with its parameters, and resolves to the result', async () => {
  const sent: [method: string, params: unknown][] = []
  const rpc = createRpcOver(
    'The base node',
    async (method, params) => {
      sent.push([method, params])
      return { result: 7 }
    },
    () => {},
  )
  expect(await rpc.request('some_method', ['0x1', { a: 2 }])).toBe(7)
  expect(await rpc.request('other_method')).toBe(7)
  expect(sent).toEqual([
    ['some_method', ['0x1', { a: 2 }]],
    ['other_method', []],
  ])
})

test('behavior: a null result is a result', async () => {
  const rpc = rpcTo('{"result":null}')
  expect(await rpc.request('eth_getTransactionReceipt', ['0x00'])).toBeNull()
})

test.each([
  ['plain', '0x08c379a0'],
  ['nested', { data: '0x08c379a0' }],
  ['nested twice', { originalError: 1, data: { data: '0x08c379a0' } }],
])('error: an answered error keeps its code and revert data (%s)', async (_, data) => {
  const error = { code: 3, message: 'execution reverted', data }
  const asking = rpcTo(JSON.stringify({ error })).request('eth_call')
  await expect(asking).rejects.toThrow(RpcError)
  await expect(asking).rejects.toMatchObject({ ...error, name: 'RpcError', data: '0x08c379a0' })
})

test('error: text in `data` is not taken for revert data', async () => {
  const error = { code: -32000, message: 'nope', data: 'some words' }
  const asking = rpcTo(JSON.stringify({ error })).request('eth_call')
  await expect(asking).rejects.toMatchObject({ code: -32000, data: undefined })
})

test('error: an answer that is not JSON-RPC', async () => {
  const asking = rpcTo('<html>').request('eth_call')
  await expect(asking).rejects.toThrow(RpcTransportError)
  await expect(asking).rejects.toThrow(
    'The base node did not answer eth_call: an answer with a body that is not JSON-RPC: <html>',
  )
})

test('error: close ends pending requests, and refuses later ones', async () => {
  let drop = (): void => {}
  const pending = new Promise<never>((_, reject) => {
    drop = () => reject(new Error('dropped'))
  })
  const rpc = createRpcOver('The base node', () => pending, drop)
  const asking = rpc.request('eth_call')
  rpc.close()
  await expect(asking).rejects.toThrow(RpcTransportError)
  await expect(asking).rejects.toThrow('The base node did not answer eth_call: dropped')
  await expect(rpc.request('eth_call')).rejects.toThrow('The base node is closed (eth_call)')
})
