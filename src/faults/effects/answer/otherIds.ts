import type { AnswerRoute } from '../../rules/effect.js'
import { defineEffect } from '../../rules/effect.js'
import { addRequestFaults } from '../../rules/requestFaults.js'
import { atPlans } from './defineAnswer.js'

const makesIds = (route: AnswerRoute): boolean =>
  atPlans(route) || (route.method === 'POST' && route.path === '/accounts')

/** Ids are texts with a prefix. What is made under such an id keeps it, so a client that sends it back is understood. */
export const otherIds = defineEffect({
  on: 'answer',
  name: 'other_ids',
  summary:
    'Accounts, plans, intents and activities that the request makes permanently get ids of another form: the known prefix, then 26 capital letters and digits.',
  at: makesIds,
  applies: (_, { route }) => makesIds(route),
  async apply(_, _call, proceed) {
    addRequestFaults({ hasOtherIds: true })
    return proceed()
  },
})
