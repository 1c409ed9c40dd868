import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import {
  networkOfRpcPath,
  type RpcProxy,
  type RpcProxyOptions,
  rpcProxy,
} from '../../src/chain/proxy/proxy.js'

/** A server that routes `/rpc/<network>` through the proxy, as the simulator's does. */
export interface Front {
  url: string
  proxy: RpcProxy
  close(): Promise<void>
}

export async function startFront(
  behind: Parameters<typeof rpcProxy>[0],
  options?: RpcProxyOptions,
): Promise<Front> {
  const proxy = rpcProxy(behind, options)
  const server: Server = createServer((request, response) => {
    proxy.handle(networkOfRpcPath(request.url)!, request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    proxy.handleUpgrade(networkOfRpcPath(request.url)!, request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    proxy,
    async close() {
      proxy.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends a message as a page of this machine does. */
export function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: 'http://127.0.0.1:1' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** A WebSocket on base, and a question on it. */
export async function openSocket({ url }: Front) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc/base`)
  await once(socket, 'open')
  return {
    async ask(message: unknown): Promise<unknown> {
      socket.send(JSON.stringify(message))
      const [data] = await once(socket, 'message')
      return JSON.parse(String(data))
    },
    close: () => socket.close(),
  }
}
