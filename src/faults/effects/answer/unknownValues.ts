import { defineAnswer } from './defineAnswer.js'
import { type JsonObject, mapObjects } from './json.js'

/** The action types of interface.md. */
const documented = ['COMET_SUPPLY', 'COMET_BORROW', 'MORPHO_BORROW', 'CLAIM_REWARDS']

const isShown = (path: string): boolean =>
  path.includes('/plan/') || path.includes('/activities') || path.endsWith('/events')

function withNewValues(object: JsonObject): JsonObject {
  const { action_type, activity_status, status } = object
  return {
    ...object,
    ...(typeof action_type === 'string' &&
      !documented.includes(action_type) && { action_type: `${action_type}_V2` }),
    ...(activity_status === 'pending' && { activity_status: 'settling' }),
    ...(status === 'pending' && { status: 'in_progress' }),
  }
}

/** interface.md lists values that were seen. Those that it shows stay, and so does what ends an activity. */
export const unknownValues = defineAnswer({
  name: 'unknown_values',
  summary:
    'Values that interface.md does not list are different: an activity under way is `settling`, its executions are `in_progress`, and all action types except COMET_SUPPLY, COMET_BORROW, MORPHO_BORROW and CLAIM_REWARDS end with `_V2`. `confirmed` and `failed` stay.',
  at: ({ path }) => isShown(path),
  alter: (answer) => ({ ...answer, body: mapObjects(answer.body, withNewValues) }),
})
