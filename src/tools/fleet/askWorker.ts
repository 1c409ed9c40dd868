import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  fleetHeaders,
  giveUpConnecting,
  keepAliveConnections,
  type RelayAddress,
} from '../../http/server/relay.js'
import { coarseTimeout } from '../../lib/coarseTimeout.js'
import type { FleetWorker } from './directory.js'
import { createWatch, type Watch } from './watch.js'

/** A question of the front itself to a worker. */
export interface WorkerQuestion {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** What a worker has answered. */
export interface WorkerAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

type Asked = Pick<FleetWorker, 'id' | 'url'>

/** Asks workers. Rejects when no whole answer comes. */
export interface WorkerLine {
  ask(worker: Asked, question: WorkerQuestion): Promise<WorkerAnswer>
  /** Calls back should nothing be heard of a worker any more, unless the function that is returned was called. */
  watch: Watch['over']
  close(): void
}

/** Where a worker listens. */
export function addressOfWorker(url: string): RelayAddress {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}

/** By what a front is known to a worker, names and values in turn. */
export function frontHeaders(workerId: string, token: string | undefined): string[] {
  const ofToken = token === undefined ? [] : [fleetHeaders.token, token]
  return [...ofToken, fleetHeaders.worker, workerId]
}

/** How long a worker may take for a sign of life. Milliseconds. */
const signWithinMs = 3_000

/** Connections to workers, for what the front itself has to ask. */
export function createWorkerLine(token: string | undefined): WorkerLine {
  const agent = new Agent(keepAliveConnections)
  const send = ({ id, url }: Asked, question: WorkerQuestion): Promise<WorkerAnswer> =>
    new Promise((resolve, reject) => {
      const { method, path, headers = {}, body = '', signal } = question
      const own = frontHeaders(id, token)
      const there = request({
        ...addressOfWorker(url),
        method,
        path,
        agent,
        ...(signal && { signal }),
      })
      for (const [name, value] of Object.entries(headers)) there.setHeader(name, value)
      for (let i = 0; i < own.length; i += 2) there.setHeader(own[i]!, own[i + 1]!)
      giveUpConnecting(there)
      there.once('error', reject)
      there.once('response', (answer) => {
        text(answer).then((got) => {
          if (!answer.complete) reject(new Error('the answer broke off'))
          resolve({ status: answer.statusCode!, headers: answer.headers, text: got })
        }, reject)
      })
      there.end(body)
    })
  const watch = createWatch((worker) => {
    const late = new AbortController()
    const cancel = coarseTimeout(signWithinMs, () => late.abort())
    const { signal } = late
    return send(worker, { method: 'GET', path: '/health/live', signal })
      .then(
        () => true,
        () => false,
      )
      .finally(cancel)
  })
  return {
    watch: watch.over,
    ask(worker, question) {
      const given = new AbortController()
      const { signal = given.signal } = question
      const end = watch.over(worker, () => given.abort(new Error('nothing is heard of the worker')))
      const either = AbortSignal.any([signal, given.signal])
      return send(worker, { ...question, signal: either }).finally(end)
    },
    close() {
      watch.close()
      agent.destroy()
    },
  }
}
