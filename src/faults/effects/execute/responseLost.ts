import type { Hex } from 'viem'
import { currentScope } from '../../../service/context/requestContext.js'
import { defineEffect } from '../../rules/effect.js'

const noop = (): void => {}

/**
 * The plan is executed and its first transactions are mined; then the connection ends without an answer. Who asks again gets
 * 404 `plan_not_found`, and finds the activity among the account's.
 */
export const responseLost = defineEffect({
  on: 'execute',
  name: 'response_lost',
  summary:
    'The plan is executed, its immediate transactions land, and the connection is cut without a response. The activity exists and can be read.',
  outcome: () => ({ text: 'cut the connection after the plan was executed' }),
  async apply(_, call, proceed) {
    const sent: Promise<void>[] = []
    call.interceptSend.push((send) => (node, submission, sending) => {
      let isHeld = (): void => {}
      const held = new Promise<void>((resolve) => {
        isHeld = resolve
      })
      const submitted = async (hash: Hex): Promise<void> => {
        await sending.submitted(hash)
        isHeld()
      }
      const receipt = send(node, submission, { ...sending, submitted })
      const ended = receipt.then(noop, noop)
      // What another rule holds in the pool is not immediate.
      sent.push(Promise.race([ended, held]))
      return receipt
    })
    const answer = await proceed()
    await Promise.all(sent)
    currentScope()?.cut()
    return answer
  },
})
