import { createRpcOver, parseAnswer, type Rpc } from '../../src/chain/rpc/rpc.js'

/** Sends requests to a node, or to what stands in for one, over HTTP. */
export function createRpc(url: string): Rpc {
  const closed = new AbortController()
  const headers = { 'content-type': 'application/json' }
  const ask = async (body: string) => {
    const response = await fetch(url, { method: 'POST', headers, body, signal: closed.signal })
    return parseAnswer(await response.text())
  }
  return createRpcOver(`The node at ${new URL(url).host}`, ask, () => closed.abort())
}
