import type { ExchangeView } from '../../api/types.js'

/** Headers that curl writes by itself, or that were about the connection only. */
const itsOwn = new Set(['content-length', 'user-agent', 'host', 'accept-encoding', 'connection'])

export function sentHeaders(headers: ExchangeView['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !itsOwn.has(name.toLowerCase()))
}

export function curlOf(
  { method, url, headers, body }: Pick<ExchangeView, 'method' | 'url' | 'headers' | 'body'>,
  {
    origin,
    apiKey,
    world,
    needsToken = false,
  }: {
    origin: string
    apiKey: string | undefined
    /** The leased world that was asked; undefined for the default world. */
    world?: string | undefined
    /** Whether the control API asks for a token. The token itself stays out of the clipboard. */
    needsToken?: boolean
  },
): string {
  const sent = sentHeaders(headers)
  const isControl = /^\/_sim(?=[/?]|$)/.test(url)
  if (isControl && needsToken) sent.unshift(['authorization', 'Bearer YOUR_CONTROL_TOKEN'])
  if (!isControl) sent.unshift(['authorization', `Bearer ${apiKey ?? 'YOUR_KEY'}`])
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  // A service route finds its world by the key.
  const isElsewhere = isControl && world !== undefined && !/^\/_sim\/worlds(\/|$)/.test(url)
  const path = isElsewhere ? url.replace('/_sim', `/_sim/worlds/${world}`) : url
  return [
    ...(isControl && needsToken ? ['# Replace YOUR_CONTROL_TOKEN by the --control-token'] : []),
    `curl -X ${method} ${quoted(origin + path)}`,
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text === undefined ? [] : [`--data-raw ${quoted(text as string)}`]),
  ]
    .join(' \\\n  ')
    .replace(/^(#[^\\]*) \\\n {2}/, '$1\n')
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
