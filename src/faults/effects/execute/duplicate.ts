import { sendForReceipt } from '../../../chain/transactions/send.js'
import { noteMined } from '../../../service/plans/execute/submit.js'
import { concerns, defineEffect } from '../../rules/effect.js'

/**
 * The relayer submits the same signed operations twice, as after an answer that it took for lost. The nonce lets them run
 * once: the second transaction reverts on chain, the activity is that of the first.
 */
export const duplicate = defineEffect({
  on: 'execute',
  name: 'duplicate',
  summary:
    'The same signed operations are sent in two transactions. The second reverts on the nonce: money moves once, and the activity is confirmed once.',
  outcome: () => ({ text: 'sent the same operations twice', ends: ['reverted'] }),
  apply(_, call, proceed, { rule }) {
    call.interceptSend.push((send) => async (node, submission, sending) => {
      const first = await send(node, submission, sending)
      if (!concerns(rule, submission.network)) return first
      const second = await sendForReceipt(node, { ...submission.call, alone: true }, sending.signal)
      const { activityId } = sending
      await noteMined(node, { activityId, operations: submission.operations }, second)
      return first
    })
    return proceed()
  },
})
