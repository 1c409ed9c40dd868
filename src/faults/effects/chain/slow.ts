import { z } from 'zod'
import { whileMoving } from '../../../time/backgroundTasks.js'
import { realWait } from '../../../time/clock.js'
import { defineEffect } from '../../rules/effect.js'
import { msField } from '../settings.js'

/**
 * Every request to the node takes longer. By the machine's time, not the clock's, since it is there to meet the timeouts of
 * service and client, which are the machine's too. WebSockets through `/rpc` are not slowed.
 */
export const slow = defineEffect({
  on: 'chain.request',
  name: 'slow',
  summary:
    'Each JSON-RPC request to the network (or any), by the service or through `/rpc`, takes `ms` milliseconds of real time longer. Beyond the read timeout, reads return 408 `timeout`.',
  settings: z.strictObject({ ms: msField }),
  async apply({ ms }, _, proceed, { rule }) {
    await whileMoving(realWait(ms, rule.signal))
    return proceed()
  },
})
