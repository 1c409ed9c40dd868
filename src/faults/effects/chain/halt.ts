import { mineAgain } from '../../../chain/transactions/mining.js'
import { definePersistentEffect } from '../../rules/effect.js'
import { createHolds, endAfter, holdAll } from '../../rules/holds.js'
import { standingSettings } from '../settings.js'

/** Holds the mining of blocks. */
export const noBlocks = createHolds(async ({ rpc }) => {
  await rpc.request('evm_setAutomine', [false])
}, mineAgain)

/** No blocks are mined: transactions are accepted and wait, reads go on with the last block. */
export const halt = definePersistentEffect({
  on: 'chain.stand',
  name: 'halt',
  summary:
    'The network (or all) mines no blocks: transactions wait in the pool, activities stay pending, and reads still work. This lasts until the rule is removed, or for `ms`; then all waiting transactions are mined.',
  settings: standingSettings,
  asksNodes: true,
  async stand({ ms }, networks, { nodes }) {
    const halted = networks.map((network) => nodes.get(network))
    return endAfter(ms, await holdAll(noBlocks, halted))
  },
})
