import { atPlans, defineAnswer, errorOf, executePath, messageOf, refused } from '../defineAnswer.js'

/** How plans say that there is no such market, or that the wallet has nothing in it. */
const isAboutMarket = /^([a-z]+ market (not found|mismatch)|position not found): /

/** Which markets there are is known from `GET /markets`, so a request that names another can be taken for a malformed one. */
export const missingMarketInvalid = defineAnswer({
  name: 'missing_market_invalid',
  summary:
    'A plan for an asset or pair without a market, or for a position that the wallet does not have, returns 400 `invalid_params` instead of `plan_failed`.',
  at: (route) => atPlans(route) && route.path !== executePath,
  alter: (answer) =>
    errorOf(answer) === 'plan_failed' && isAboutMarket.test(messageOf(answer))
      ? refused(400, 'invalid_params', messageOf(answer))
      : answer,
})
