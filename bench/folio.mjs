import { createSocketRpc } from '../dist/modules/chain/rpc/rpc.js'
import { encodeReads } from '../dist/modules/chain/state/multicall.js'
import { singleReads } from '../dist/modules/chain/state/networkState.js'
import { loadAddressBook } from '../dist/modules/deployments/addressBook.js'
import { networkNames } from '../dist/modules/deployments/networks.js'
import { openAccount } from './client.mjs'
import { send } from './http.mjs'
import { nodeSockets } from './processes.mjs'
import { timed } from './stats.mjs'

/** An account that has nothing to do with what is measured. */
const nobody = '0x000000000000000000000000000000000000dead'

/**
 * Folios in milliseconds, on a frozen clock: `fresh` when every network has changed since the last one, `one` when one has (base),
 * `kept` when none has; `raw` by network the multicall that a folio asks of it, alone and not decoded, through the node's own
 * socket by the client that the service has; `all` these of all networks at once.
 */
export async function measureFolios(sim, { rounds }) {
  const client = await openAccount(sim)
  await client.fund('base', 'USDC', '1000000000')
  const book = loadAddressBook()
  const sockets = nodeSockets(sim.pid)
  const reads = networkNames.map((network) => {
    const { multicall3, chainId } = book.on(network)
    const rpc = createSocketRpc(`The ${network} node`, sockets.get(chainId))
    const data = encodeReads(singleReads(book.on(network), client.wallet))
    const call = { to: multicall3, data, gas: '0xbebc200' }
    return { network, rpc, read: () => rpc.request('eth_call', [call, 'pending']) }
  })
  const change = (networks) =>
    Promise.all(
      networks.map((network) => {
        const request = {
          jsonrpc: '2.0',
          id: 1,
          method: 'anvil_setBalance',
          params: [nobody, '0x1'],
        }
        return send('POST', `${sim.url}/rpc/${network}`, request)
      }),
    )
  const samples = { fresh: [], one: [], kept: [], all: [], raw: {} }
  for (const network of networkNames) samples.raw[network] = []
  for (let round = -20; round < rounds; round++) {
    const add = (list, value) => round >= 0 && list.push(value)
    for (const { network, read } of reads) add(samples.raw[network], await timed(read))
    add(samples.all, await timed(() => Promise.all(reads.map(({ read }) => read()))))
    await change(networkNames)
    add(samples.fresh, await timed(() => client.folio()))
    await change(['base'])
    add(samples.one, await timed(() => client.folio()))
    add(samples.kept, await timed(() => client.folio()))
  }
  for (const { rpc } of reads) rpc.close()
  return samples
}
