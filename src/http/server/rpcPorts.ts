import { networkNames } from '../../deployments/networks.js'
import { type Listening, listen } from './listen.js'

/** The ports of `--rpc-port-base`. Each method acts on all of them. */
export type RpcPorts = Pick<Listening, 'serve' | 'drain' | 'close'>

/**
 * Listens on five ports in a row, one per network in the order of `networks.ts`. Each serves `/rpc/<network>` with the same checks; none is a
 * node's own. If one is taken, all are closed.
 */
export async function listenForRpc(host: string, base: number): Promise<RpcPorts> {
  const opened: Listening[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((each) => each.close()))
  }
  try {
    for (const [index, network] of networkNames.entries()) {
      const route = (url: string): string =>
        url.startsWith(`/rpc/${network}`) ? url : url.replace(/^[^?]*/, `/rpc/${network}`)
      const flag = '--rpc-port-base'
      opened.push(await listen({ host, port: base + index, flag, route }, () => false))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    serve(handler) {
      for (const rpcPort of opened) rpcPort.serve(handler)
    },
    async drain(patienceMs) {
      await Promise.all(opened.map((each) => each.drain(patienceMs)))
    },
    close,
  }
}
