/** Whether a host name or address (IPv6 without brackets) can only be reached from this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}
