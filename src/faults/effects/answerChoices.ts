import { recoverAddress } from 'viem/utils'
import { z } from 'zod'
import { isWellFormed } from '../../service/plans/execute/execution.js'
import type { Effect } from '../rules/effect.js'
import {
  atPaths,
  atPlans,
  defineAnswer,
  errorOf,
  executePath,
  type JsonObject,
  mapObjects,
  messageOf,
  refused,
  sentFields,
} from './answerParts.js'
import { expirePlan } from './planChanges.js'

const statuses = { forbidden: 403, invalid_params: 400, not_found: 404 } as const

/** How plans say that an asset is unknown (`tokenOn`). */
const isAboutAsset = /is (not a known asset|not on [a-z]+);/

/** How plans say that a protocol has no such market, or that it is one of another pair. */
const isAboutMarket = /^[a-z]+ market (not found|mismatch): /

interface Item {
  action_type: string
  success: boolean | null
}

interface Execution {
  status: string
  actions: readonly { action_type: string }[]
}

/** The other way for each row of docs/fidelity.md that is our choice and could as well have been made otherwise. */
export const choiceEffects: readonly Effect[] = [
  /** interface.md: "Behavior for an unknown account_id on plan endpoints and on execute: not shown". */
  defineAnswer({
    name: 'unknown_account',
    summary:
      'An unknown account returns another error on plan endpoints and execute: 403 `forbidden`, 400 `invalid_params` or 404 `not_found`.',
    settings: z.strictObject({
      as: z.enum(['forbidden', 'invalid_params', 'not_found']).default('forbidden'),
    }),
    at: atPlans,
    alter: (answer, _, { as }) =>
      errorOf(answer) === 'account_not_found'
        ? refused(statuses[as], as, messageOf(answer))
        : answer,
  }),
  /** interface.md does not show whether parameters or the account are checked first. */
  defineAnswer({
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
  }),
  /** interface.md does not show how the service treats unknown fields. */
  defineAnswer({
    name: 'strict_requests',
    summary:
      'A request with an unknown field in body or query returns 400 `invalid_params`; nothing is done.',
    instead: ({ strangers }) =>
      strangers === undefined ? undefined : refused(400, 'invalid_params', strangers),
  }),
  /** Nobody has the key of the zero address. */
  defineAnswer({
    name: 'zero_signer_refused',
    summary: 'The zero address as signer returns 400 `invalid_params`; no account is created.',
    at: ({ method, path }) => method === 'POST' && path === '/accounts',
    instead: (call) =>
      /^0x0{40}$/.test(String(sentFields(call).signer_address))
        ? refused(400, 'invalid_params', 'signer_address must not be the zero address')
        : undefined,
  }),
  /** interface.md: amounts are integers in strings. It shows no word for everything. */
  defineAnswer({
    name: 'max_refused',
    summary: 'The word `max` as an amount returns 400 `invalid_params`; no plan is made.',
    at: (route) => atPlans(route) && route.path !== executePath,
    instead(call) {
      const maxField = Object.entries(sentFields(call)).find(([, value]) => value === 'max')
      return maxField && refused(400, 'invalid_params', `${maxField[0]} must be a decimal integer`)
    },
  }),
  /** An amount of nothing is well-formed; that no plan can be made of it is another way to see it. */
  defineAnswer({
    name: 'zero_amount_fails',
    summary: 'A plan for an amount of zero returns 400 `plan_failed` instead of `invalid_params`.',
    at: (route) => atPlans(route) && route.path !== executePath,
    alter: (answer, call) =>
      errorOf(answer) === 'invalid_params' && isAboutZero(messageOf(answer), sentFields(call))
        ? refused(400, 'plan_failed', messageOf(answer))
        : answer,
  }),
  /** Public sources have the planner refuse an unknown asset, hence `plan_failed`. */
  defineAnswer({
    name: 'unknown_asset_fails',
    summary:
      'A plan with an asset that the network does not have returns 400 `plan_failed` instead of `invalid_params`.',
    at: (route) => atPlans(route) && route.path !== executePath,
    alter: (answer) =>
      errorOf(answer) === 'invalid_params' && isAboutAsset.test(messageOf(answer))
        ? refused(400, 'plan_failed', messageOf(answer))
        : answer,
  }),
  /** The parameters alone show that source and destination are the same. */
  defineAnswer({
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
  }),
  /** Which markets there are is known from `GET /markets`, so a request that names another can be taken for a malformed one. */
  defineAnswer({
    name: 'missing_market_invalid',
    summary:
      'A plan for an asset or pair without a market returns 400 `invalid_params` instead of `plan_failed`.',
    at: (route) => atPlans(route) && route.path !== executePath,
    alter: (answer) =>
      errorOf(answer) === 'plan_failed' && isAboutMarket.test(messageOf(answer))
        ? refused(400, 'invalid_params', messageOf(answer))
        : answer,
  }),
  /** interface.md shows the body of a successful execution, and no status. */
  defineAnswer({
    name: 'execute_accepted',
    summary: 'A successful execution returns 202 instead of 200.',
    at: atPaths(executePath),
    alter: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
  }),
  /** interface.md: "a consumed plan cannot be executed again"; the error is not shown. */
  defineAnswer({
    name: 'consumed_plan_stale',
    summary:
      'Executing a plan again returns 409 `plan_stale`. Its money has already moved, so a client that plans again moves it twice.',
    at: atPaths(executePath),
    async alter(answer, call, _, { store }) {
      if (errorOf(answer) !== 'plan_not_found') return answer
      const { plan_id } = sentFields(call)
      const activities = await store.activities(String(call.facts.account_id))
      return activities.some(({ planId }) => planId !== null && planId === plan_id)
        ? refused(409, 'plan_stale', 'The plan was executed already')
        : answer
    },
  }),
  /** interface.md: what becomes of a plan when the signature or the execution fails is not shown. */
  defineAnswer({
    name: 'failure_uses_plan_up',
    summary:
      'A plan whose execution fails with 500 `internal_error`, because of its signature or anything else, is used up: executing it again returns 404 `plan_not_found`.',
    at: atPaths(executePath),
    outcome: () => ({ text: 'used the plan up, so that it cannot be executed any more' }),
    actsBeside: true,
    async alter(answer, call, _, tools) {
      if (errorOf(answer) !== 'internal_error') return answer
      const isUsedUp = await expirePlan(tools, {
        accountId: String(call.facts.account_id),
        planId: String(sentFields(call).plan_id),
        effect: 'answer.failure_uses_plan_up',
      })
      return isUsedUp ? { ...answer } : answer
    },
  }),
  /** Which of the two is looked at first, staleness or signature, is not shown. */
  defineAnswer({
    name: 'signature_first',
    summary:
      'A stale plan with a wrong signature returns 500 `internal_error` instead of 409 `plan_stale`.',
    at: atPaths(executePath),
    async alter(answer, call, _, { store }) {
      if (errorOf(answer) !== 'plan_stale') return answer
      const { plan_id, signature } = sentFields(call)
      const accountId = String(call.facts.account_id)
      const account = await store.account(call.primeId, accountId)
      const plan = await store.plan(accountId, String(plan_id))
      if (!account || !plan) return answer
      const text = String(signature)
      const signer = isWellFormed(text)
        ? await recoverAddress({ hash: plan.digest, signature: text }).catch(() => undefined)
        : undefined
      const isRight = signer?.toLowerCase() === account.signerAddress.toLowerCase()
      return isRight ? answer : refused(500, 'internal_error', 'Signature verification failed')
    },
  }),
  /** Published samples have the `id` of an activity as an integer and as text. */
  defineAnswer({
    name: 'activity_id_text',
    summary: 'The `id` of an activity is its `act_` text instead of an integer.',
    at: ({ path }) => path.includes('/activities'),
    alter: (answer) => ({
      ...answer,
      body: mapObjects(answer.body, (object) =>
        'activity_id' in object && 'id' in object ? { ...object, id: object.activity_id } : object,
      ),
    }),
  }),
  /** Errors of `GET /activities/:id` are not shown; accounts and plans have a code of their own. */
  defineAnswer({
    name: 'activity_not_found',
    summary: 'An unknown activity returns 404 `activity_not_found` instead of `not_found`.',
    at: ({ path }) => path.includes('/activities/'),
    alter: (answer) =>
      errorOf(answer) === 'not_found'
        ? refused(404, 'activity_not_found', messageOf(answer))
        : answer,
  }),
  /** Public sources name executions from outside; that one is listed before it happens is ours. */
  defineAnswer({
    name: 'fills_listed_late',
    summary:
      'An activity lists the fill of a bridge (`BRIDGE_MINT`) only once it has arrived, not from the deposit on.',
    at: ({ path }) => path.includes('/activities'),
    alter: (answer) => ({ ...answer, body: mapObjects(answer.body, withoutExpectedFills) }),
  }),
]

/** Whether the message names an amount of zero before anything else. */
function isAboutZero(message: string, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).some(
    ([name, value]) => value === '0' && message.startsWith(`${name} must`),
  )
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
