import { atPlans, defineAnswer, executePath, refused, sentFields } from '../defineAnswer.js'

/** interface.md: amounts are integers in strings. It shows no word for everything. */
export const maxRefused = defineAnswer({
  name: 'max_refused',
  summary: 'The word `max` as an amount returns 400 `invalid_params`; no plan is made.',
  at: (route) => atPlans(route) && route.path !== executePath,
  instead(call) {
    const found = Object.entries(sentFields(call)).find(([, value]) => value === 'max')
    return found && refused(400, 'invalid_params', `${found[0]} must be a decimal integer`)
  },
})
