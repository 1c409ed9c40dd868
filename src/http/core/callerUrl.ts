import type { IncomingMessage } from 'node:http'
import type { Bind } from './types.js'

/**
 * The URL by which callers reach us, without a slash at the end: the advertised one, or the one of this request. A proxy that ends TLS names
 * the scheme in `X-Forwarded-Proto`, the first of a chain of proxies first.
 */
export function callerUrl(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { advertise }: Pick<Bind, 'advertise'> = {},
): string {
  if (advertise !== undefined) return advertise
  const [scheme] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return `${scheme!.trim().toLowerCase() === 'https' ? 'https' : 'http'}://${headers.host}`
}
