import { computed, effect, signal } from '@preact/signals'
import createFetchClient from 'openapi-fetch'
import { unwrap } from '../../../clients/client/sending.js'
import type { paths as ServicePaths } from '../../../clients/client/serviceApi.js'
import type { paths as ControlPaths } from '../../../clients/control/controlApi.js'
import { asPerson, asViewer } from './ownReads.js'
import type { ApiDocument } from './schemas.js'

/** The control token, where the simulator requires one. Only the tab's memory has it: a reload asks again. */
const token = signal<string | undefined>()

export const hasToken = computed(() => token.value !== undefined)

export const needsToken = signal<'no' | 'yes' | 'wrong'>('no')

/** The leased world that the page shows; undefined for the default world. */
export const world = signal<string | undefined>()

export const apiKey = signal<string | undefined>()

export function signIn(given: string): void {
  token.value = given
  needsToken.value = 'no'
}

/** Resolves when the key of the shown world is known: the service would refuse an earlier request. */
function knownKey(): Promise<string> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const key = apiKey.value
      if (key === undefined) return
      queueMicrotask(() => stop())
      resolve(key)
    })
  })
}

/** Sends a request to the control API of the shown world, or of another one. Leases belong to the default world. */
export async function askControl(
  request: Request,
  at = world.value,
  send: (request: Request) => Promise<Response> = asViewer,
): Promise<Response> {
  const url = new URL(request.url)
  if (at !== undefined && !/^\/_sim\/worlds(\/|$)/.test(url.pathname))
    url.pathname = url.pathname.replace('/_sim', `/_sim/worlds/${at}`)
  const { method, headers, signal, cache } = request
  // As text: bodies that are streams cannot be sent over HTTP/1.1.
  const body = method === 'GET' ? null : await request.text()
  const worldRequest = new Request(url, { method, headers, signal, cache, body: body || null })
  if (token.value !== undefined) worldRequest.headers.set('authorization', `Bearer ${token.value}`)
  const response = await send(worldRequest)
  if (response.status === 401) needsToken.value = token.value === undefined ? 'yes' : 'wrong'
  return response
}

/**
 * Sends a request as a client does, at a person's click: faults meet it, and the journal records it. A control route gets the control token and is that
 * of the world that is looked at; any other gets the key of that world.
 *
 * @param path begins with `/`.
 * @throws `TypeError` when there is no response.
 */
export async function sendAsClient(path: string, init: RequestInit): Promise<Response> {
  const request = new Request(location.origin + path, init)
  if (/^\/_sim(?=[/?]|$)/.test(path)) return askControl(request, world.value, asPerson)
  request.headers.set('authorization', `Bearer ${await knownKey()}`)
  return asPerson(request)
}

/** The body of a successful response; throws a `SvcError` for any other. */
export async function answered<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call
  if (response.ok) return data as Data
  return unwrap(Promise.resolve({ error, response }))
}

/** The control API of a leased world; without an id, of the world that the page shows. */
export function controlApiOf(id?: string) {
  return createFetchClient<ControlPaths>({
    baseUrl: location.origin,
    fetch: (request) => askControl(request, id),
  })
}

export const controlApi = controlApiOf()

/** @public */
export const serviceApi = createFetchClient<ServicePaths>({
  baseUrl: location.origin,
  async fetch(request) {
    request.headers.set('authorization', `Bearer ${await knownKey()}`)
    return asViewer(request)
  },
})

const documents: { [path: string]: Promise<ApiDocument> } = {}

export function documentOf(path: '/openapi.json' | '/_sim/openapi.json'): Promise<ApiDocument> {
  const load = async (): Promise<ApiDocument> => {
    const request = new Request(path)
    const answer = await (path.startsWith('/_sim') ? askControl(request) : asViewer(request))
    if (!answer.ok) throw new Error(`${path} responded with ${answer.status}`)
    return answer.json()
  }
  const document = documents[path] ?? load()
  documents[path] = document
  document.catch(() => delete documents[path])
  return document
}
