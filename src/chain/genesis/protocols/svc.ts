import type { Address, Hex } from 'viem'
import { concat, encodeFunctionData } from 'viem/utils'
import { actors } from '../../../deployments/actors.js'
import type { Node } from '../../rpc/node.js'
import { sendAs } from '../../transactions/send.js'
import { artifact, type Deployment, deployments } from '../artifacts.js'

/** The deterministic deployment proxy: every fresh anvil carries it, and so does nearly every public chain. */
const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const salt: Hex = `0x${'00'.repeat(32)}`

/**
 * Deploys the simulator's own contracts as on any chain: through the CREATE2 deployer, scripts through the script store.
 * Throws when one does not end up at the address that the Solidity build computed for it.
 */
export async function buildSvc(node: Node): Promise<void> {
  const list = deployments()
  const store = list.find((deployment) => deployment.name === 'SvcScriptStore')!.address
  for (const deployment of list) {
    await sendAs(node, { from: actors.admin, ...deploymentCall(deployment, store) })
    const code = await node.rpc.request<Hex>('eth_getCode', [deployment.address, 'latest'])
    if (code === '0x')
      throw new Error(
        `${deployment.name} was not deployed at ${deployment.address} on ${node.network}. ` +
          'Run "npm run build:contracts" and build the world again.',
      )
  }
}

function deploymentCall({ via, initcode }: Deployment, store: Address): { to: Address; data: Hex } {
  if (via === 'create2') return { to: create2Deployer, data: concat([salt, initcode]) }
  const { abi } = artifact('SvcScriptStore')
  const data = encodeFunctionData({ abi, functionName: 'store', args: [initcode] })
  return { to: store, data }
}
