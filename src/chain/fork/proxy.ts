import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inBackground } from '../../lib/awake.js'
import { failureBody, type Upstream } from './upstream.js'

/** What a node may ask its upstream. Anything else is refused here, so nothing can be changed there. */
const reads: readonly string[] = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getAccountInfo',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_maxPriorityFeePerGas',
  'net_version',
  'debug_traceTransaction',
  'trace_block',
  'trace_transaction',
]

/** What stands between a node and its upstream: the node never learns the URL. */
export interface ForkProxy {
  url: string
  close(): Promise<void>
}

/**
 * Passes a node's reads on to its upstream, on a free port of 127.0.0.1. The storage of `own` contracts, lower case, is asked of
 * nobody: the upstream has none of it, and a wallet's nonces alone would be many round trips in a row.
 */
export async function startForkProxy(
  upstream: Upstream,
  own: readonly string[],
): Promise<ForkProxy> {
  const server = inBackground(
    createServer((req, res) => {
      void answer(upstream, own, req).then((body) => send(res, body))
    }),
  )
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        upstream.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The upstream's answer, or an error of ours in the shape of one. */
async function answer(
  upstream: Upstream,
  own: readonly string[],
  req: IncomingMessage,
): Promise<string> {
  let id: unknown
  try {
    const body = await readAll(req)
    const calls = JSON.parse(body) as Call | Call[]
    if (!Array.isArray(calls) && isSlotOf(own, calls))
      return JSON.stringify({ jsonrpc: '2.0', id: calls.id, result: `0x${'0'.repeat(64)}` })
    for (const call of [calls].flat()) {
      id = call.id
      if (!reads.includes(String(call.method)))
        return JSON.stringify({
          jsonrpc: '2.0',
          id,
          error: { code: -32601, message: `${call.method} is not asked of a fork’s upstream` },
        })
    }
    return await upstream.post(body)
  } catch (error) {
    return failureBody(id, error as Error)
  }
}

interface Call {
  id?: unknown
  method?: unknown
  params?: unknown
}

function isSlotOf(own: readonly string[], { method, params }: Call): boolean {
  if (method !== 'eth_getStorageAt' || !Array.isArray(params)) return false
  return own.includes(String(params[0]).toLowerCase())
}

async function readAll(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(res: ServerResponse, body: string): void {
  res.setHeader('content-type', 'application/json')
  res.end(body)
}
