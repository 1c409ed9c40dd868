import { z } from 'zod'
import { NotMinedError, StoppedError } from '../../../chain/transactions/pool.js'
import { concerns, defineEffect } from '../../rules/effect.js'
import { secondsField, waitOrGone } from '../settings.js'
import { queue } from './queued.js'

/**
 * The node takes the transaction, answers with its hash, and loses it. The relayer looks for it until `seconds` have gone by
 * and gives up: the activity fails, nothing has moved, and a new plan carries another nonce. When the rule is removed before, the
 * relayer sends it again.
 */
export const dropped = defineEffect({
  on: 'execute',
  name: 'dropped',
  summary:
    'The node accepts the transaction and drops it from its pool. The activity is pending with an unknown hash, and fails after `seconds` (30) of the clock; no funds move. If the rule is removed or the simulator restarted before that, the transaction is sent again as usual and mined.',
  settings: z.strictObject({ seconds: secondsField.default(30) }),
  outcome: ({ seconds }) => ({
    text: `took the transaction out of the node’s pool; the relayer gives up ${seconds} s later`,
    ends: ['not mined', 'pending'],
  }),
  apply({ seconds }, call, proceed, { rule, wait }) {
    call.interceptSend.push((send) => async (node, submission, sending) => {
      const isOver = rule.signal.aborted
      if (isOver || !concerns(rule, submission.network)) return send(node, submission, sending)
      const queued = await queue(node, submission)
      await queued.drop()
      await sending.submitted(queued.hash)
      const isOff = await waitOrGone(wait, seconds, [rule.signal, sending.signal])
      if (sending.signal.aborted) throw new StoppedError()
      if (isOff) return send(node, submission, sending)
      throw new NotMinedError(queued.hash)
    })
    return proceed()
  },
})
