import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createSimulator, leaseWorld } from '../../src/index.js'
import { freePorts } from '../kit/ports.js'

// The ports of `--rpc-port-base` and worlds. Needs `npm run build:ts` before: worlds run in processes of their own.

test('behavior: a port of a network leads to the world of the key, by HTTP and WebSocket, and to none when that is over', async () => {
  const rpcPortBase = await freePorts(5)
  await using sim = await createSimulator({ rpcPortBase, maxWorlds: 1 })
  const world = await leaseWorld({ url: sim.url })
  const authorization = `Bearer ${world.apiKey}`
  const whom = '0x00000000000000000000000000000000000000aa'
  const body = (method: string, ...params: unknown[]) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const post = (text: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${rpcPortBase + 1}/`, { method: 'POST', body: text, headers })
  const balance = async (headers?: Record<string, string>) =>
    (
      (await (await post(body('eth_getBalance', whom, 'latest'), headers)).json()) as {
        result: string
      }
    ).result

  await post(body('anvil_setBalance', whom, '0x7'), { authorization })
  expect([await balance({ authorization }), await balance()]).toEqual(['0x7', '0x0'])
  const socket = new WebSocket(`ws://127.0.0.1:${rpcPortBase + 1}/`, { headers: { authorization } })
  const told = new Promise((resolve) => socket.once('message', (text) => resolve(`${text}`)))
  socket.once('open', () => socket.send(body('eth_getBalance', whom, 'latest')))
  expect(await told).toContain('"0x7"')
  socket.close()

  await world.close()
  expect((await post(body('anvil_setBalance', whom, '0x9'), { authorization })).status).toBe(401)
  expect(await balance()).toBe('0x0')
})
