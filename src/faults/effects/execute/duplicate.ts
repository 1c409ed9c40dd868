import { z } from 'zod'
import { decodeRevert } from '../../../chain/node/revert.js'
import { revertDataOf, sendForReceipt } from '../../../chain/node/send.js'
import { note } from '../../../lib/requestContext.js'
import { concerns, defineEffect } from '../../effect.js'

/**
 * The relayer submits the same signed operations twice, as after an answer that it took for lost. The nonce lets them run
 * once: the second transaction reverts on chain, the activity is that of the first.
 */
export const duplicate = defineEffect({
  on: 'execute',
  name: 'duplicate',
  summary:
    'The same signed operations are sent in two transactions. The second reverts on the nonce: money moves once, the activity is confirmed once.',
  settings: z.strictObject({}),
  apply(_, call, proceed, { rule }) {
    const { send } = call
    call.send = async (node, submission, sending) => {
      const first = await send(node, submission, sending)
      if (!concerns(rule, submission.network)) return first
      const second = await sendForReceipt(node, submission.call, sending.stop)
      note({
        type: 'transaction',
        network: node.network,
        hash: second.transactionHash,
        status: second.status,
        reverted: decodeRevert(await revertDataOf(node, second)).reason,
      })
      return first
    }
    return proceed()
  },
})
