import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inBackground } from '../../../lib/keepProcessAlive.js'
import { upstreamText } from '../../rpc/rpc.js'
import type { ForkSource } from './source.js'

/** The methods that a node may call at its upstream: reads only. */
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

/** Serves a source to a node on a free port of 127.0.0.1, so that the node never sees a URL with a key. */
export async function startForkProxy(source: ForkSource) {
  const server = inBackground(
    createServer((req, res) => {
      void answer(source, req).then((body) => send(res, body))
    }),
  )
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await Promise.all([closed, source.close()])
    },
  }
}

async function answer(source: ForkSource, req: IncomingMessage): Promise<string> {
  try {
    const calls = JSON.parse(await readAll(req)) as Call | Call[]
    if (!Array.isArray(calls)) return JSON.stringify(await answerOne(source, calls))
    return JSON.stringify(await Promise.all(calls.map((call) => answerOne(source, call))))
  } catch (error) {
    return JSON.stringify(failed(null, error as Error))
  }
}

interface Call {
  id?: unknown
  method?: unknown
  params?: unknown
}

async function answerOne(source: ForkSource, { id, method, params }: Call): Promise<object> {
  const name = String(method)
  if (!reads.includes(name)) {
    const message = `${name} is not asked of a fork’s upstream`
    return { jsonrpc: '2.0', id, error: { code: -32601, message } }
  }
  try {
    const result = await source.answer(name, Array.isArray(params) ? params : [])
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    return failed(id, error as Error)
  }
}

function failed(id: unknown, error: Error): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: upstreamText(error) } }
}

/** Without stream helpers, which would cost more than all the rest of the hundreds of requests of a start. */
function readAll(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', (part: string) => {
      text += part
    })
    req.once('end', () => resolve(text))
    req.once('error', reject)
  })
}

function send(res: ServerResponse, body: string): void {
  res.setHeader('content-type', 'application/json')
  res.end(body)
}
