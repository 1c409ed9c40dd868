import { atPlans, defineAnswer, errorOf, executePath, messageOf, refused } from '../defineAnswer.js'

/** How plans say that a protocol has no such market, or that it is one of another pair. */
const isAboutMarket = /^[a-z]+ market (not found|mismatch): /

/** Which markets there are is known from `GET /markets`, so a request that names another can be taken for a malformed one. */
export const missingMarketInvalid = defineAnswer({
  name: 'missing_market_invalid',
  summary:
    'A plan for an asset or pair without a market returns 400 `invalid_params` instead of `plan_failed`.',
  at: (route) => atPlans(route) && route.path !== executePath,
  alter: (answer) =>
    errorOf(answer) === 'plan_failed' && isAboutMarket.test(messageOf(answer))
      ? refused(400, 'invalid_params', messageOf(answer))
      : answer,
})
