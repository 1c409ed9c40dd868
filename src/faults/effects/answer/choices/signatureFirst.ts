import { recoverAddress } from 'viem/utils'
import { isWellFormed } from '../../../../service/plans/execute/execution.js'
import {
  atPaths,
  defineAnswer,
  errorOf,
  executePath,
  refused,
  sentFields,
} from '../defineAnswer.js'

/** Which of the two is looked at first, staleness or signature, is not shown. */
export const signatureFirst = defineAnswer({
  name: 'signature_first',
  summary:
    'A stale plan with a wrong signature returns 500 `internal_error` instead of 409 `plan_stale`.',
  at: atPaths(executePath),
  async alter(answer, call, _, { store }) {
    if (errorOf(answer) !== 'plan_stale') return answer
    const { plan_id, signature } = sentFields(call)
    const accountId = String(call.facts.account_id)
    const account = await store.account(call.primeId, accountId)
    const plan = await store.plan(accountId, String(plan_id))
    if (!account || !plan) return answer
    const text = String(signature)
    const signer = isWellFormed(text)
      ? await recoverAddress({ hash: plan.digest, signature: text }).catch(() => undefined)
      : undefined
    const isRight = signer?.toLowerCase() === account.signerAddress.toLowerCase()
    return isRight ? answer : refused(500, 'internal_error', 'Signature verification failed')
  },
})
