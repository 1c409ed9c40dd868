import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { routesOf } from '../../src/http/allRoutes.js'
import type { Route } from '../../src/http/core/route.js'
import type { Recorded } from '../../src/http/openapi/recorded.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'

/** What is recorded, and how a simulator is asked for it. */

const { service, control } = routesOf(planKinds)
export const serviceRoutes = service
export const allRoutes = [...service, ...control]
const byId = new Map(allRoutes.map((route) => [route.operationId, route]))

export const recorded: Record<string, Recorded> = {}

export function routeOf(operationId: string): Route {
  const route = byId.get(operationId)
  if (!route) throw new Error(`There is no operation ${operationId}`)
  return route
}

export function recordOf(operationId: string): Recorded {
  recorded[operationId] ??= { answers: {}, errors: {} }
  return recorded[operationId]
}

/** The example body of a plan kind. */
export function kindExample(operationId: string): Record<string, unknown> {
  const path = routeOf(operationId).planKind?.path
  return planKinds.find((kind) => kind.path === path)!.example as Record<string, unknown>
}

export interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Called when the head of the answer is there. */
  onOpen?: (() => unknown) | undefined
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  body: any
}

/** By Node's own client, which lets its caller name any host. Of an event stream, the first message alone. */
export function send(
  url: string,
  { method, path, body, headers = {}, onOpen }: Call,
): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const { hostname, port } = new URL(url)
  const ofBody = payload !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
  }
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ hostname, port, method: method.toUpperCase(), path },
      headers: { ...ofBody, ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      onOpen?.()
      const type = response.headers['content-type'] ?? ''
      const read = async () => {
        if (type.startsWith('text/event-stream')) return firstMessage(response)
        const all = await text(response)
        return type.startsWith('application/json') ? JSON.parse(all) : all
      }
      const status = response.statusCode!
      read().then((body) => resolve({ status, body }), reject)
    })
    sent.end(payload)
  })
}

async function firstMessage(response: AsyncIterable<Buffer>): Promise<string> {
  let all = ''
  for await (const chunk of response) {
    all += chunk
    const message = /^(?:id|event|data): [\s\S]*?\n\n/m.exec(all)
    if (message) return message[0]
  }
  throw new Error(`The stream ended after ${all}`)
}

export function filled(path: string, values: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: no value for ${name}`)
    return value
  })
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
