import { atPaths, defineAnswer, errorOf, messageOf, refused, sentFields } from '../defineAnswer.js'

/** That source and destination are the same can be seen from the parameters alone. */
export const sameMarketInvalid = defineAnswer({
  name: 'same_market_invalid',
  summary: 'Migrating a market to itself returns 400 `invalid_params` instead of `plan_failed`.',
  at: atPaths('/accounts/:account_id/plan/migrate'),
  alter(answer, call) {
    const { from_protocol, to_protocol, from_market, to_market } = sentFields(call)
    const isSame = from_protocol === to_protocol && from_market === to_market
    return isSame && errorOf(answer) === 'plan_failed'
      ? refused(400, 'invalid_params', messageOf(answer))
      : answer
  },
})
