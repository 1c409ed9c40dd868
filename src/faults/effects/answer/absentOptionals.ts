import { atPlans, defineAnswer, errorOf } from './defineAnswer.js'
import { type JsonObject, pick } from './json.js'

interface Actions {
  svc_operation_actions: { operation: unknown; action: { action_context: unknown } }[]
  eip712_data: unknown
}

/** The fields of a plan that interface.md lists; domain separator and struct hash are in "most responses". */
function leastPlan(plan: JsonObject): JsonObject {
  const { svc_operation_actions: all, eip712_data } = plan.details as Actions
  return {
    ...pick(plan, ['plan_id', 'expires_at']),
    details: {
      svc_operation_actions: all.map(({ operation, action }) => ({
        operation: pick(operation, [
          'expiry',
          'is_replayable',
          'nonce',
          'script_address',
          'script_calldata',
        ]),
        action: {
          action_context: pick(action.action_context, [
            'action_type',
            'amount',
            'asset_symbol',
            'chain_id',
          ]),
        },
      })),
      eip712_data: pick(eip712_data, ['digest']),
    },
  }
}

/** Only what interface.md lists. Errors elsewhere than at the creation of an account have, for all that it shows, a code alone. */
export const absentOptionals = defineAnswer({
  name: 'absent_optionals',
  summary:
    'A plan has the fields of interface.md alone: no version, no steps, no domain separator, and four fields in each action context. Errors have no `message`, except at account creation, where it is shown.',
  alter(answer, { route }) {
    if (errorOf(answer) !== undefined)
      return route.path === '/accounts' ? answer : { ...answer, body: pick(answer.body, ['error']) }
    const isPlan = atPlans(route) && answer.status === 201
    return isPlan ? { ...answer, body: leastPlan(answer.body as JsonObject) } : answer
  },
})
