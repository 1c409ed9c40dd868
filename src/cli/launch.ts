import { type Simulator, startSimulator } from '../sim.js'
import type { OptionValues } from './optionTable.js'
import { say } from './output.js'

/** Starts the simulator of `start` and `exec`, with its progress on standard error. */
export async function launch(values: OptionValues, defaultPort: number): Promise<Simulator> {
  const { host, dataDir, seed, clock, rpcPortBase, controlToken } = values
  const port = values.port ?? defaultPort
  try {
    return await startSimulator({
      host,
      port,
      apiKeys: values.apiKey,
      revokedApiKeys: values.revokedApiKey,
      onProgress: say,
      fork: Object.fromEntries(values.fork.map(({ network, ...target }) => [network, target])),
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(seed === undefined ? {} : { seed }),
      ...(clock === undefined ? {} : { clock }),
      ...(rpcPortBase === undefined ? {} : { rpcPortBase }),
      ...(controlToken === undefined ? {} : { controlToken }),
    })
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    throw new Error(
      `cannot listen on port ${port} of ${host} (${message}). Choose another --host, one of this machine's own, or another --port.`,
    )
  }
}
