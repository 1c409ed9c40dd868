import { readAnswer } from '../../src/chain/rpc/nodeSocket.js'
import { createRpcOver, type Rpc } from '../../src/chain/rpc/rpc.js'

/** Sends requests to a node, or to what stands in for one, over HTTP. */
export function createRpc(url: string): Rpc {
  const closed = new AbortController()
  const headers = { 'content-type': 'application/json' }
  const ask = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers, body, signal: closed.signal })
    return readAnswer(await response.text())
  }
  return createRpcOver(`The node at ${new URL(url).host}`, ask, () => closed.abort())
}
