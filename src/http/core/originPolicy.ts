/** Which callers are allowed besides keys and tokens: names that a request may use for this server, pages that may read responses. */
export interface OriginPolicy {
  /** Further names that `Host` may have, with a port or for every port; loopback names and the bound host may always. */
  allowedHosts: readonly string[]
  /** Origins of browser apps; `loopback` stands for http and https on every loopback name and port, `none` for no app at all. */
  corsOrigins: readonly string[]
}

/** By default, browser apps on this machine may call. */
export const defaultCorsOrigins: readonly string[] = ['loopback']

/** A host name or address, with or without a port, in lower case. Throws with what is allowed. */
export function allowedHost(text: string): string {
  const [, name, port] =
    /^(\[[0-9a-f:]+\]|[0-9a-z_](?:[0-9a-z._-]*[0-9a-z_])?)(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (name !== undefined && (port === undefined || Number(port) <= 65535)) {
    if (URL.canParse(`http://${text}`)) return text.toLowerCase()
  }
  throw new Error(
    'it must be a host name or IP address as in the Host header, with or without a port, for example sim.lan, sim.lan:4477 or [fd00::1]',
  )
}

/**
 * Parses an origin as a browser or a webview writes it, such as `https://app.example`, `tauri://localhost` or `capacitor://localhost`; or
 * `loopback` or `none`. Throws with what is allowed.
 */
export function corsOrigin(text: string): string {
  if (text === 'loopback' || text === 'none') return text
  // A webview's own scheme is no special one for URL, which would call its origin `null`.
  if (/^(?!https?:|file:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d{1,5})?$/.test(text)) return text
  if (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text) return text
  throw new Error(
    'it must be an origin as browsers send it, for example http://localhost:5173, https://app.example or tauri://localhost (lower case, no path, no slash at the end), or loopback, or none',
  )
}

/** What a `Host` header names, in lower case. */
interface HostAddress {
  /** Without brackets. */
  name: string
  /** As a URL has it: the name in brackets where it needs them, the port unless it is 80. */
  host: string
}

/** Whether this server accepts the value of a `Host` header. */
export function isOwnHost(
  host: string | undefined,
  boundHost: string,
  { allowedHosts }: Pick<OriginPolicy, 'allowedHosts'>,
): boolean {
  const place = placeOf(host)
  if (!place) return false
  const { name } = place
  // Bound to every address, the server has names it cannot know; what guards it there is the control token.
  if (isLocalName(name) || name === boundHost.toLowerCase() || isWildcard(boundHost)) return true
  return allowedHosts.some((allowed) => {
    const other = placeOf(allowed)!
    return hasPort(allowed) ? other.host === place.host : other.name === name
  })
}

/** Whether the page comes from this very server. `host` has been found to be its own. */
export function isOwnPage(origin: string, host: string | undefined): boolean {
  const page = placeOf(originHost(origin))
  return page !== undefined && page.host === placeOf(host)?.host
}

export function isAllowedOrigin(
  origin: string,
  { corsOrigins }: Pick<OriginPolicy, 'corsOrigins'>,
): boolean {
  if (corsOrigins.includes(origin)) return true
  if (!corsOrigins.includes('loopback')) return false
  const place = placeOf(originHost(origin))
  return place !== undefined && isLocalName(place.name)
}

/** `localhost` and every name below it lead to this machine alone (RFC 6761, 6.3): no other site can claim one. */
function isLocalName(name: string): boolean {
  return isLoopback(name) || /^[^.].*\.localhost$/.test(name)
}

function originHost(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@]+)$/.exec(origin)?.[1]
}

function placeOf(host: string | undefined): HostAddress | undefined {
  if (host === undefined) return undefined
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
  return url && { name: url.hostname.replace(/^\[|\]$/g, ''), host: url.host }
}

function hasPort(host: string): boolean {
  return /:\d+$/.test(host.replace(/^\[.*\]/, ''))
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Whether a host name or address (IPv6 without brackets) can only be reached from this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}
