import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'

/**
 * The relayer pays out less than the deposit asked for, and keeps the rest. What waited for the money is sent all the same and
 * reverts on chain for want of it, unless it takes what there is.
 */
export const partial = defineEffect({
  on: 'bridge',
  name: 'partial',
  summary:
    'Only `percent` of the output arrives (rounded down) and nothing is refunded. The operations that waited for it are sent and revert on chain, so the activity fails with that reason. The funds that arrived stay in the wallet on the target network.',
  settings: z.strictObject({ percent: z.int().min(1).max(99).default(50) }),
  outcome: ({ percent }) => ({
    text: `let only ${percent} % of the bridged amount arrive`,
    ends: ['reverted'],
  }),
  apply({ percent }, call, proceed) {
    call.outputAmount = (call.outputAmount * BigInt(percent)) / 100n
    return proceed()
  },
})
