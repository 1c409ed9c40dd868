import { z } from 'zod'
import type { Node } from '../../chain/node.js'
import { defineStandingEffect } from '../effect.js'
import { createHolds, holdAll } from './holds.js'

/** Holds the mining of blocks. */
export const noBlocks = createHolds(
  async ({ rpc }) => {
    await rpc.request('evm_setAutomine', [false])
  },
  async (node) => {
    // Before it mines by itself again, or it may do so at the same time: then there is an empty block besides.
    await mineWaiting(node)
    await node.rpc.request('evm_setAutomine', [true])
    await mineWaiting(node)
  },
)

/** What waits in the pool is mined now, not with the next transaction; without any no block is due. */
async function mineWaiting({ rpc }: Node): Promise<void> {
  const { pending } = await rpc.request<{ pending: string }>('txpool_status')
  if (BigInt(pending) > 0n) await rpc.request('evm_mine')
}

/** No blocks are mined: transactions are accepted and wait, reads go on with the last block. */
export const halt = defineStandingEffect({
  on: 'chain.stand',
  name: 'halt',
  summary:
    'The network (or all) mines no blocks: transactions wait in the pool and activities are pending, reads go on. Stands until the rule is removed; then everything that waits is mined.',
  settings: z.strictObject({}),
  stand: (_, networks, { nodes }) =>
    holdAll(
      noBlocks,
      networks.map((network) => nodes.get(network)),
    ),
})
