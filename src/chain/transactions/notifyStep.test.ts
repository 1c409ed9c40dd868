import { expect, test } from 'vitest'
import type { Node } from '../rpc/node.js'
import { createLifecycle } from '../rpc/nodeLifecycle.js'
import { ChainPipeline, nodeRequest } from '../rpc/pipeline.js'
import { lowestWithoutLoss, notifyStep } from './notifyStep.js'

/** A node at block 16, and how often it was looked at. */
function nodeOf() {
  const looked: string[] = []
  const channel = {
    async request(method: string) {
      const block = { number: '0x10', hash: '0xaa' }
      return { result: method === 'eth_getBlockByNumber' ? block : null }
    },
    close() {},
  }
  const lifecycle = createLifecycle(0)
  const notify = notifyStep({ lifecycle }, (network) => looked.push(network))
  const pipeline = new ChainPipeline('base', channel, { fault: notify })
  const node = { network: 'base', lifecycle, rpc: pipeline.rpc(), pipeline } as unknown as Node
  const byClient = (method: string) =>
    pipeline.to(channel)(nodeRequest('base', 'client', method, []))
  return { looked, node, byClient }
}

test.each([
  ['eth_sendTransactionSync', 1, 1],
  ['evm_mine', 1, 1],
  ['evm_revert', 1, 1],
  ['anvil_reorg', 1, 1],
  ['anvil_setBalance', 0, 1],
  ['evm_setAutomine', 0, 1],
  ['eth_call', 0, 0],
])(
  'default: after %s the chain is looked at (by the service %i times, by a client %i)',
  async (method, own, others) => {
    const { looked, node, byClient } = nodeOf()
    await node.rpc.request(method)
    expect(looked).toHaveLength(own)
    await byClient(method)
    expect(looked).toHaveLength(own + others)
  },
)

test('behavior: a write into the state is remembered with its block, whoever has sent it', async () => {
  const [own, others] = [nodeOf(), nodeOf()]
  await own.node.rpc.request('eth_call')
  expect(await lowestWithoutLoss(own.node)).toBe(0)
  await own.node.rpc.request('anvil_setBalance')
  await others.byClient('hardhat_setStorageAt')
  expect(await lowestWithoutLoss(own.node)).toBe(17)
  expect(await lowestWithoutLoss(others.node)).toBe(17)
})
