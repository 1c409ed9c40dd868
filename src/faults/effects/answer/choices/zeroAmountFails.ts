import {
  atPlans,
  defineAnswer,
  errorOf,
  executePath,
  messageOf,
  refused,
  sentFields,
} from '../defineAnswer.js'

/** Whether the message names an amount of zero before anything else. */
function isAboutZero(message: string, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).some(
    ([name, value]) => value === '0' && message.startsWith(`${name} must`),
  )
}

/** An amount of nothing is well-formed; that no plan can be made of it is another way to see it. */
export const zeroAmountFails = defineAnswer({
  name: 'zero_amount_fails',
  summary: 'A plan for an amount of zero returns 400 `plan_failed` instead of `invalid_params`.',
  at: (route) => atPlans(route) && route.path !== executePath,
  alter: (answer, call) =>
    errorOf(answer) === 'invalid_params' && isAboutZero(messageOf(answer), sentFields(call))
      ? refused(400, 'plan_failed', messageOf(answer))
      : answer,
})
