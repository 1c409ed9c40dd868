const loopback = ['localhost', '127.0.0.1', '::1', '[::1]']

/**
 * Adds loopback to `NO_PROXY` and `no_proxy` of an environment that names a proxy: no proxy can reach a simulator on this machine. Both,
 * because clients differ. Node reads them at each request, so this also works in a running program.
 */
export function keepLoopbackDirect(env: NodeJS.ProcessEnv): void {
  const hasProxy = ['http_proxy', 'https_proxy', 'all_proxy'].some(
    (name) => env[name] || env[name.toUpperCase()],
  )
  if (!hasProxy) return
  const given = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter(Boolean)
  const list = [...new Set([...given, ...loopback])].join(',')
  env.NO_PROXY = list
  env.no_proxy = list
}
