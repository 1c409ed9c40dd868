import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A JSON-RPC endpoint of a test's own, which answers as it is told. */
export interface TestEndpoint extends AsyncDisposable {
  url: string
  /** What it was asked, in order. */
  asked: { method: string; params: unknown[] }[]
}

/** What an endpoint answers: a result, or something of its own on the response. */
type Answers = (
  call: { method: string; params: unknown[] },
  res: ServerResponse,
  req: IncomingMessage,
) => unknown

/** The answer when something else was sent. */
export const sentItself = Symbol('sent itself')

function replyOf(result: unknown): object {
  if (!(result instanceof Error)) return { result }
  const { message } = result
  return { error: { message, code: 'code' in result ? result.code : -32000 } }
}

/** Starts it on a free port. An answer that is an `Error` is one of JSON-RPC, with its `code`. */
export async function startEndpoint(answers: Answers): Promise<TestEndpoint> {
  const asked: TestEndpoint['asked'] = []
  const reply = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { id, method, params } = JSON.parse(await text(req))
    asked.push({ method, params })
    const result = await answers({ method, params }, res, req)
    if (result === sentItself) return
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ jsonrpc: '2.0', id, ...replyOf(result) }))
  }
  // Who asks may be gone in the middle of it.
  const server = createServer((req, res) => void reply(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
