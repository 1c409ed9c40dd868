import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { createSocketRpc } from '../dist/modules/chain/rpc/rpc.js'
import { createReaders } from '../dist/modules/chain/state/networkState.js'
import { loadAddressBook } from '../dist/modules/deployments/addressBook.js'
import { simulatePlan } from '../dist/modules/service/plans/prepare/simulate.js'
import { openAccount } from './client.mjs'
import { rpc } from './http.mjs'
import { nodeSockets } from './processes.mjs'
import { timed } from './stats.mjs'

const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
])

/**
 * Latencies in milliseconds, each round measuring all of them in turn so that the machine's mood falls on all alike.
 * `nodeUrl` is an anvil with the same world and nothing of ours before it.
 */
export async function measureLatencies(sim, nodeUrl, { rounds, warmup }) {
  const client = await openAccount(sim)
  await client.fund('base', 'USDC', '1000000000')
  const call = {
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [client.wallet] }),
  }
  const bareSender = await bareSendSetup(nodeUrl)
  const needs = planNeeds(sim, client.wallet)
  const samples = {
    call: [],
    smallest: [],
    planRead: [],
    planRun: [],
    plan: [],
    swapPlan: [],
    folio: [],
    send: [],
    execute: [],
  }
  for (let round = -warmup; round < rounds; round++) {
    let plan
    const measured = {
      call: await timed(() => rpc(nodeUrl, 'eth_call', [call, 'latest'])),
      smallest: await timed(() => client.api('GET', '/networks', undefined, 200)),
      planRead: await timed(needs.read),
      plan: await timed(async () => {
        plan = await client.plan('earn', {
          amount: '1000',
          asset: 'USDC',
          network: 'base',
          protocol: 'compound',
        })
      }),
      swapPlan: await timed(() =>
        client.plan('swap', {
          sell_asset: 'USDC',
          buy_asset: 'WETH',
          network: 'base',
          sell_amount: '1000',
        }),
      ),
      planRun: await timed(() => needs.run(plan)),
      folio: await timed(() => client.folio()),
      send: await timed(() => bareSender(round)),
    }
    const signature = await client.sign(plan)
    measured.execute = await client.executeToConfirmed(plan, signature)
    if (round < 0) continue
    for (const [name, value] of Object.entries(measured)) samples[name].push(value)
  }
  needs.close()
  return samples
}

/** What an earn plan asks of its node, each alone, through the node's own socket by the client that the service has. */
function planNeeds(sim, wallet) {
  const book = loadAddressBook()
  const node = {
    rpc: createSocketRpc('The base node', nodeSockets(sim.pid).get(book.on('base').chainId)),
  }
  const read = createReaders(book)('base')
  return {
    read: () => read.read(node, wallet, { protocols: ['comet'], assets: ['USDC'] }),
    run({ details }) {
      const operations = details.svc_operation_actions.map(({ operation, action }) => ({
        operation: {
          network: 'base',
          contingent: false,
          scriptAddress: operation.script_address,
          scriptCalldata: operation.script_calldata,
        },
        context: action.action_context,
      }))
      return simulatePlan({ nodes: { get: () => node }, book }, wallet, operations)
    },
    close: () => node.rpc.close(),
  }
}

/** An ERC-20 transfer sent to the bare node, until its receipt is there. */
async function bareSendSetup(nodeUrl) {
  const from = privateKeyToAddress(generatePrivateKey())
  await rpc(nodeUrl, 'anvil_dealERC20', [from, usdc, '0x3b9aca00'])
  await rpc(nodeUrl, 'anvil_setBalance', [from, '0x3635c9adc5dea00000'])
  await rpc(nodeUrl, 'anvil_impersonateAccount', [from])
  return async (round) => {
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [usdc.replace('8335', '0000'), BigInt(round + 1000)],
    })
    const hash = await rpc(nodeUrl, 'eth_sendTransaction', [
      { from, to: usdc, data, gas: '0x30d40' },
    ])
    for (;;) if (await rpc(nodeUrl, 'eth_getTransactionReceipt', [hash])) return
  }
}
