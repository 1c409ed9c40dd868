import type { components } from '../../api/controlApi.js'

type Exchange = components['schemas']['Exchange']

/** Headers that curl writes by itself, or that were about the connection only. */
const itsOwn = new Set(['content-length', 'user-agent', 'host', 'accept-encoding', 'connection'])

/** The exchange as a command for a shell that asks the same again. */
export function curlOf(
  { method, url, headers, body }: Pick<Exchange, 'method' | 'url' | 'headers' | 'body'>,
  { origin, apiKey }: { origin: string; apiKey: string | undefined },
): string {
  const sent = Object.entries(headers).filter(([name]) => !itsOwn.has(name.toLowerCase()))
  if (!url.startsWith('/_sim')) sent.unshift(['authorization', `Bearer ${apiKey ?? 'YOUR_KEY'}`])
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return [
    `curl -X ${method} ${quoted(origin + url)}`,
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text === undefined ? [] : [`--data-raw ${quoted(text as string)}`]),
  ].join(' \\\n  ')
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
