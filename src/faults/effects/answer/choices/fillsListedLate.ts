import { defineAnswer } from '../defineAnswer.js'
import { type JsonObject, mapObjects } from '../json.js'

interface Item {
  action_type: string
  success: boolean | null
}
interface Execution {
  status: string
  actions: readonly { action_type: string }[]
}

function withoutExpectedFills(object: JsonObject): JsonObject {
  const { activity_metadata: items, executions } = object
  if (!Array.isArray(items) || !Array.isArray(executions)) return object
  return {
    ...object,
    activity_metadata: (items as Item[]).filter(
      ({ action_type, success }) => action_type !== 'BRIDGE_MINT' || success !== null,
    ),
    executions: (executions as Execution[]).filter(
      ({ status, actions }) => status !== 'pending' || actions[0]?.action_type !== 'BRIDGE_MINT',
    ),
  }
}

/** Public sources name executions from outside; that one is listed before it happens is ours. */
export const fillsListedLate = defineAnswer({
  name: 'fills_listed_late',
  summary:
    'An activity lists the fill of a bridge (`BRIDGE_MINT`) only once it has arrived, not from the deposit on.',
  at: ({ path }) => path.includes('/activities'),
  alter: (answer) => ({ ...answer, body: mapObjects(answer.body, withoutExpectedFills) }),
})
