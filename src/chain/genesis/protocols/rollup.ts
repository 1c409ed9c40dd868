import type { Address } from 'viem'
import type { NetworkName } from '../../../deployments/networks.js'
import type { Node } from '../../rpc/node.js'
import { artifact } from '../artifacts.js'

/** What a rollup's own nodes have at fixed addresses, and its SDKs call. None of it has state or a constructor. */
const opStack: Readonly<Record<string, Address>> = {
  GasPriceOracle: '0x420000000000000000000000000000000000000f',
  L1Block: '0x4200000000000000000000000000000000000015',
}

const arbitrum: Readonly<Record<string, Address>> = {
  ArbSys: '0x0000000000000000000000000000000000000064',
  ArbGasInfo: '0x000000000000000000000000000000000000006c',
  NodeInterface: '0x00000000000000000000000000000000000000c8',
}

const rollups: Readonly<Partial<Record<NetworkName, Readonly<Record<string, Address>>>>> = {
  base: opStack,
  optimism: opStack,
  arbitrum,
}

/** Places what SDKs read on rollups of this kind; nothing on other networks. */
export async function buildRollup(node: Node, network: NetworkName): Promise<void> {
  for (const [name, address] of Object.entries(rollups[network] ?? {}))
    await node.rpc.request('anvil_setCode', [address, artifact(name).deployedBytecode])
}
