import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createRpc, RpcError, RpcTransportError } from './rpc.js'

const servers: Server[] = []

/** A server that answers as the test says; resolves to its URL. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answering(body: unknown): RequestListener {
  return (request, response) => {
    request.resume()
    request.on('end', () => response.end(typeof body === 'string' ? body : JSON.stringify(body)))
  }
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('default', async () => {
  const bodies: { id: number; method: string; params: unknown[] }[] = []
  const url = await listen((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      bodies.push(body)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: body.params }))
    })
  })
  const rpc = createRpc(url)
  expect(await rpc.request('some_method', ['0x1', { a: 2 }])).toEqual(['0x1', { a: 2 }])
  expect(await rpc.request('other_method')).toEqual([])
  expect(bodies.map(({ id, method }) => ({ id, method }))).toEqual([
    { id: 1, method: 'some_method' },
    { id: 2, method: 'other_method' },
  ])
  rpc.close()
})

test('behavior: a burst uses at most 16 sockets, and keeps them', async () => {
  const sockets = new Set<unknown>()
  const url = await listen((request, response) => {
    sockets.add(request.socket)
    answering({ result: 1 })(request, response)
  })
  const rpc = createRpc(url)
  const results = await Promise.all(Array.from({ length: 200 }, () => rpc.request('x')))
  expect(results).toHaveLength(200)
  expect(sockets.size).toBeLessThanOrEqual(16)
  rpc.close()
})

test('behavior: a null result is a result', async () => {
  const rpc = createRpc(await listen(answering({ result: null })))
  expect(await rpc.request('eth_getTransactionReceipt', ['0x00'])).toBeNull()
  rpc.close()
})

test.each([
  ['plain', '0x08c379a0'],
  ['nested', { data: '0x08c379a0' }],
  ['nested twice', { originalError: 1, data: { data: '0x08c379a0' } }],
])('error: an answered error keeps its code and revert data (%s)', async (_, data) => {
  const error = { code: 3, message: 'execution reverted', data }
  const rpc = createRpc(await listen(answering({ error })))
  const thrown = await rpc.request('eth_call').catch((e: unknown) => e)
  expect(thrown).toBeInstanceOf(RpcError)
  expect(thrown).toMatchObject({ code: 3, message: 'execution reverted', data: '0x08c379a0' })
  rpc.close()
})

test('error: text in `data` is not taken for revert data', async () => {
  const error = { code: -32000, message: 'nope', data: 'some words' }
  const rpc = createRpc(await listen(answering({ error })))
  await expect(rpc.request('eth_call')).rejects.toMatchObject({ code: -32000, data: undefined })
  rpc.close()
})

test('error: an answer that is not JSON-RPC', async () => {
  const rpc = createRpc(await listen(answering('<html>')))
  const thrown = await rpc.request('eth_call').catch((e: unknown) => e)
  expect(thrown).toBeInstanceOf(RpcTransportError)
  expect((thrown as Error).message).toContain(
    'did not answer eth_call: HTTP 200 with a body that is not JSON-RPC: <html>',
  )
  rpc.close()
})

test('error: nobody listens; the message names the node without its secrets', async () => {
  const { origin } = new URL(await listen(answering({ result: 1 })))
  const server = servers.pop()!
  await new Promise((resolve) => server.close(resolve))
  const rpc = createRpc(`${origin.replace('//', '//user:pass@')}/v2/my-secret-key`)
  const thrown = await rpc.request('eth_chainId').catch((e: unknown) => e)
  expect(thrown).toBeInstanceOf(RpcTransportError)
  expect((thrown as Error).message).toContain(`The node at ${origin} did not answer eth_chainId`)
  expect((thrown as Error).message).not.toMatch(/secret|pass/)
})

test('error: close ends what is under way, and what comes later', async () => {
  let arrived!: () => void
  const underWay = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const rpc = createRpc(await listen(() => arrived())) // never answers
  const pending = rpc.request('eth_call').catch((e: unknown) => e)
  await underWay
  rpc.close()
  expect(await pending).toBeInstanceOf(RpcTransportError)
  await expect(rpc.request('eth_call')).rejects.toThrow('is closed (eth_call)')
})
