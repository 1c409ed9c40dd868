import type { IncomingMessage } from 'node:http'

/**
 * The address by which the caller has reached us, without a slash at the end. A proxy that ends TLS names the scheme in
 * `X-Forwarded-Proto`, the first of a chain of proxies first.
 */
export function callerUrl({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [scheme] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return `${scheme!.trim().toLowerCase() === 'https' ? 'https' : 'http'}://${headers.host}`
}
