/** Whether a host name or address (IPv6 without brackets) can only be reached from this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/**
 * Whether a name in `Host` or `Origin` leads to this machine: `app.localhost` does, like `localhost` itself (RFC 6761, 6.3). Not for where
 * to listen: there the machine's own resolver decides.
 */
export function isLoopbackName(name: string): boolean {
  return isLoopback(name) || /^([a-z0-9_-]+\.)+localhost$/.test(name)
}
