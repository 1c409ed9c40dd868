import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and change them.
export type Loose = any

/** A request as it came, with its body parsed where it is JSON. */
export interface ProxiedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Loose
}

/** An answer as it goes out: a text is sent as it is, everything else as JSON. */
export interface ProxiedAnswer {
  status: number
  headers: Record<string, string>
  body: Loose
}

/** What a proxy changes; what it leaves out stays as it is. */
export interface Alteration {
  /** Changes what is sent on, or answers by itself. */
  request?(request: ProxiedRequest): ProxiedAnswer | undefined
  answer?(answer: ProxiedAnswer, request: ProxiedRequest): void | Promise<void>
}

/** A server in front of another one; `alteration` can be exchanged at any time. */
export interface AlteringProxy extends AsyncDisposable {
  url: string
  alteration: Alteration
  /** How many requests came. */
  readonly count: number
  close(): Promise<void>
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  let count = 0
  const server = createServer((req, res) => {
    count++
    forward(proxy, target, req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const proxy: AlteringProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alteration: {},
    get count() {
      return count
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return proxy
}

async function forward(
  proxy: AlteringProxy,
  target: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { alteration } = proxy
  const sent = (await buffer(req)).toString()
  const headers = Object.fromEntries(
    ['authorization', 'content-type', 'accept'].flatMap((name) => {
      const value = req.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const request = { method: req.method!, path: req.url!, headers, body: parsed(sent) }
  const own = alteration.request?.(request)
  const answer = own ?? (await ask(target, request, sent))
  if (!own) await alteration.answer?.(answer, request)
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  res.writeHead(answer.status, answer.headers).end(text)
}

async function ask(
  target: string,
  { method, path, headers, body }: ProxiedRequest,
  sent: string,
): Promise<ProxiedAnswer> {
  const text = typeof body === 'string' ? sent : JSON.stringify(body)
  const response = await fetch(`${target}${path}`, {
    method,
    headers,
    ...(sent === '' ? {} : { body: text }),
  })
  const kept = ['content-type', 'x-svc-sim-request-id']
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => kept.includes(name))),
    body: parsed(await response.text()),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
