import { z } from 'zod'
import { receiptOf, StoppedError } from '../../../chain/transactions/pool.js'
import { concerns, defineEffect } from '../../rules/effect.js'
import { secondsField, waitOrGone } from '../settings.js'
import { queue } from './queued.js'

/**
 * The node takes the transaction and cannot mine it: it waits in the pool behind a gap in its account's nonces. The activity
 * is pending, with the hash, until the gap is filled. A restart of the simulator ends it: then the plan goes the usual way.
 */
export const stuck = defineEffect({
  on: 'execute',
  name: 'stuck',
  summary:
    'The transaction waits in the node’s pool, and the activity stays pending with its hash, until `seconds` have passed on the clock or the rule is removed. Then it is mined. After a restart of the simulator, the waiting transaction is sent again as usual.',
  settings: z.strictObject({ seconds: secondsField.optional() }),
  outcome: ({ seconds }) => ({
    text: `holds the transaction in the node’s pool ${seconds === undefined ? 'until the rule is removed' : `for ${seconds} s`}`,
    ends: ['pending'],
  }),
  apply({ seconds }, call, proceed, { rule, wait }) {
    call.interceptSend.push((send) => async (node, submission, sending) => {
      if (!concerns(rule, submission.network)) return send(node, submission, sending)
      const queued = await queue(node, submission)
      await sending.submitted(queued.hash)
      const isOff = await waitOrGone(wait, seconds, [rule.signal, sending.signal])
      if (isOff && sending.signal.aborted) throw new StoppedError()
      await queued.fillGap()
      return receiptOf(node, queued.hash, sending.signal)
    })
    return proceed()
  },
})
