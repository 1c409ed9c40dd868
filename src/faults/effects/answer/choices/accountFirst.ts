import { defineAnswer, errorOf, refused } from '../defineAnswer.js'

/** In which order parameters and account are looked at is not shown. */
export const accountFirst = defineAnswer({
  name: 'account_first',
  summary:
    'The account is checked before the fields: a malformed request for an unknown account returns 404 `account_not_found`.',
  at: ({ path }) => path.includes(':account_id'),
  async alter(answer, { primeId, facts }, _, { store }) {
    if (errorOf(answer) !== 'invalid_params') return answer
    const accountId = String(facts.account_id)
    const account = await store.account(primeId, accountId)
    return account
      ? answer
      : refused(404, 'account_not_found', `Account not found: ${accountId.slice(0, 80)}`)
  },
})
