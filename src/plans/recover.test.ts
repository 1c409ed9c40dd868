import { afterEach, expect, test } from 'vitest'
import { anActivity, aPlan, wallet } from '../../test/kit/records.js'
import type { Nodes } from '../chain/node.js'
import { startNodes } from '../chain/nodes.js'
import { worldFiles } from '../chain/world/load.js'
import { realClock } from '../clock.js'
import { createStore } from '../store/createStore.js'
import { nonceSecret } from './nonce.js'
import { recoverActivities } from './recover.js'

const nonce = nonceSecret(8453, wallet, 0)
const cleanUps: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function baseNode(): Promise<Nodes> {
  const nodes = await startNodes({ networks: ['base'], loadState: worldFiles().files })
  cleanUps.push(() => nodes.stop())
  return nodes
}

async function storeWithPending() {
  const store = await createStore()
  await store.savePlan(aPlan())
  const metadata = [{ chain_id: 8453, svc_wallet_address: wallet, svc_operation_nonce: nonce }]
  expect(await store.consumePlan('pln_one', wallet, anActivity({ metadata }))).toBe('consumed')
  return store
}

test('default: an operation the chain does not know ends as failed, with an event', async () => {
  const [nodes, store] = await Promise.all([baseNode(), storeWithPending()])
  await recoverActivities({ clock: realClock(), nodes, store })
  const activity = await store.activity('acc_one', 'act_one')
  expect(activity).toMatchObject({ status: 'failed' })
  expect(activity?.metadata[0]).toMatchObject({
    success: false,
    revert_reason: expect.stringContaining('stopped before the transaction was mined'),
  })
  const events = await store.events('acc_one', 0)
  expect(events.map((event) => event.data.activity_status)).toEqual(['pending', 'failed'])
  expect(await store.pendingActivities()).toEqual([])
})

test('behavior: an operation whose nonce is used up ends as confirmed', async () => {
  const [nodes, store] = await Promise.all([baseNode(), storeWithPending()])
  const { rpc } = nodes.get('base')
  const { encodeFunctionData } = await import('viem/utils')
  const { svcNonceManagerAbi } = await import('../generated/abis.js')
  const { svcAddresses } = await import('../generated/svc.js')
  // The wallet itself is what uses a nonce up; the node acts for it here.
  await rpc.request('anvil_impersonateAccount', [wallet])
  await rpc.request('anvil_setBalance', [wallet, '0xde0b6b3a7640000'])
  await rpc.request('eth_sendTransactionSync', [
    {
      from: wallet,
      to: svcAddresses.nonceManager,
      data: encodeFunctionData({
        abi: svcNonceManagerAbi,
        functionName: 'submit',
        args: [nonce, false, nonce],
      }),
    },
  ])
  await recoverActivities({ clock: realClock(), nodes, store })
  expect(await store.activity('acc_one', 'act_one')).toMatchObject({ status: 'confirmed' })
})
