import { createHash } from 'node:crypto'
import { getAddress } from 'viem/utils'
import { z } from 'zod'
import type { EventRecord } from '../../service/store/store.js'
import { addRequestFaults } from '../engine/seams.js'
import { type AnswerRoute, defineEffect, type Effect, type RuleHandle } from '../rules/effect.js'
import {
  atPaths,
  atPlans,
  defineAnswer,
  errorOf,
  executePath,
  isTable,
  type JsonObject,
  mapObjects,
  mapTexts,
  pick,
  refused,
  sentFields,
} from './answerParts.js'

/** A message of the folio stream, or several. */
interface Messages {
  messages: { event: string; pairs: unknown }[]
}

const documentedActions = ['COMET_SUPPLY', 'COMET_BORROW', 'MORPHO_BORROW', 'CLAIM_REWARDS']

const showsValues = (path: string): boolean =>
  path.includes('/plan/') || path.includes('/activities') || path.endsWith('/events')

/** Lists without a promised order. Operations, steps and events have one. */
const unordered = [
  'accounts',
  'activities',
  'collateral_assets',
  'markets',
  'networks',
  'pairs',
  'reserves',
]

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const hoursEast = 2

const timeForms = {
  milliseconds: (at: Date) => at.toISOString(),
  offset: (at: Date) =>
    new Date(at.getTime() + hoursEast * 3_600_000)
      .toISOString()
      .replace(/(\.\d+)?Z$/, `+0${hoursEast}:00`),
}

const makesIds = (route: AnswerRoute): boolean =>
  atPlans(route) || (route.method === 'POST' && route.path === '/accounts')

const casings = {
  checksum: (address: string) => getAddress(address),
  lower: (address: string) => address.toLowerCase(),
  upper: (address: string) => `0x${address.slice(2).toUpperCase()}`,
}

const laterNetworks = [
  { name: 'linea', chain_id: 59_144, display_name: 'Linea' },
  { name: 'scroll', chain_id: 534_352, display_name: 'Scroll' },
]

const isNetworkList = (path: string): boolean => path === '/networks'

interface PlanActions {
  svc_operation_actions: { operation: unknown; action: { action_context: unknown } }[]
  eip712_data: unknown
}

const nullsFor = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, null]))

const notMined = nullsFor(
  ...['success', 'transaction_hash', 'gas_used', 'gas_price', 'executed_at'],
  ...['executed_at_block_number', 'reverted_at'],
  ...['revert_reason', 'revert_signature', 'revert_values'],
)

/** How answers of the service may be otherwise without breaking the interface: what a client must not rely on. */
export const variantEffects: readonly Effect[] = [
  defineAnswer({
    name: 'unknown_fields',
    summary:
      'Every object of the response, errors and messages of the folio stream included, has an extra field `added_later`, an object. Tables whose keys are data (assets, networks of an asset, sections of the folio) get no extra key.',
    alter: (answer) => ({
      ...answer,
      body: mapObjects(answer.body, (object, place) =>
        isTable(object, place) ? object : { ...object, added_later: { since: 'a later version' } },
      ),
    }),
  }),
  /** interface.md shows one type of event and says of others: not shown. They are delivered like all others, each once, and resumed after. */
  defineEffect({
    on: 'answer.delivery',
    name: 'unknown_events',
    summary:
      'Before an event of the account, another one of an undocumented type (`portfolio_revalued`) with other data is delivered. It has its own cursor, and all later reads include it.',
    async apply(_, { event, first }, proceed) {
      const other = {
        event_type: 'portfolio_revalued',
        data: { reason: 'scheduled', positions: 3 },
      }
      // The store knows one type; only readers of events use this one.
      await first({
        ...event,
        eventType: other.event_type,
        data: other.data,
      } as unknown as EventRecord)
      return proceed()
    },
  }),
  /** The folio stream is no part of interface.md, so a reader has to be ready for messages of other names. */
  defineAnswer({
    name: 'unknown_messages',
    summary:
      'Before a message of the folio stream comes one with another name, `revision`, and other data.',
    at: atPaths('/accounts/:account_id/folio/stream'),
    alter(answer) {
      const { messages } = answer.body as Messages
      const other = { event: 'revision', pairs: { revision: 7 } }
      return { ...answer, body: { messages: [other, ...messages] } }
    },
  }),
  /** interface.md lists values that were seen. Those that it shows stay, and so does what ends an activity. */
  defineAnswer({
    name: 'unknown_values',
    summary:
      'Values that interface.md does not list are different: an activity under way is `settling`, its executions are `in_progress`, and all action types except COMET_SUPPLY, COMET_BORROW, MORPHO_BORROW and CLAIM_REWARDS end with `_V2`. `confirmed` and `failed` stay.',
    at: ({ path }) => showsValues(path),
    alter: (answer) => ({ ...answer, body: mapObjects(answer.body, withNewValues) }),
  }),
  /** Keys of an object have no order, and few lists have one that is promised. */
  defineAnswer({
    name: 'other_order',
    summary:
      'The keys of every object are reversed, and so are lists whose order is not promised: networks, markets, accounts, activities, and the pairs of a folio stream message. A page of a list keeps its order, because the next page is requested by its last element.',
    alter: (answer, { isPart }) => ({
      ...answer,
      body: mapObjects(answer.body, (object) => inOtherOrder(object, isPart)),
    }),
  }),
  defineAnswer({
    name: 'other_texts',
    summary:
      'The `message` of an error is a different one, without fields or values; code and status stay. Other responses do not change.',
    alter: (answer) =>
      errorOf(answer) === undefined
        ? answer
        : {
            ...answer,
            body: { ...(answer.body as object), message: 'We could not process this request.' },
          },
  }),
  /** The same instants, written as ISO 8601 allows as well. Events have Unix seconds, which stay. */
  defineAnswer({
    name: 'other_times',
    summary:
      'Every ISO 8601 timestamp is the same instant in another form: with milliseconds (`2026-01-01T00:02:00.000Z`), or with an offset (`2026-01-01T02:02:00+02:00`).',
    settings: z.strictObject({ form: z.enum(['milliseconds', 'offset']).default('milliseconds') }),
    alter: (answer, _, { form }) => ({
      ...answer,
      body: mapTexts(answer.body, (text) =>
        utcTime.test(text) ? timeForms[form](new Date(text)) : text,
      ),
    }),
  }),
  /** Ids are texts with a prefix. A record keeps the id that it was created with, so the service knows it when a client sends it. */
  defineEffect({
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
  }),
  /** Addresses are 40 hex digits; that their case is that of the request is our choice. */
  defineAnswer({
    name: 'other_casing',
    summary:
      'Every address in the response, including the signer’s, is written with its checksum, in lower case or in upper case, however it was sent.',
    settings: z.strictObject({ as: z.enum(['checksum', 'lower', 'upper']).default('checksum') }),
    alter: (answer, _, { as }) => ({
      ...answer,
      body: mapTexts(answer.body, (text) =>
        /^0x[0-9a-fA-F]{40}$/.test(text) ? casings[as](text.toLowerCase()) : text,
      ),
    }),
  }),
  /** A cursor is an integer that grows; the interface promises no more. */
  defineEffect({
    on: 'answer.delivery',
    name: 'sparse_cursors',
    summary:
      'An event of the account gets a cursor far beyond the one before, up to `most` further. Later events continue from there, so a client can resume from every cursor that was ever returned.',
    settings: z.strictObject({ most: z.int().min(1).max(1_000_000_000).default(1_000_000) }),
    apply({ most }, call, proceed) {
      const { accountId, cursor } = call.event
      const drawn = createHash('sha256').update(`${accountId}:${cursor}`).digest().readUIntBE(0, 6)
      call.jump = 1 + (drawn % most)
      return proceed()
    },
  }),
  /** The service may add networks. No account has funds on a new one, so plans there fail. */
  defineAnswer({
    name: 'more_networks',
    summary:
      'The list of networks has two more, `linea` and `scroll`; plans on these return 400 `plan_failed`, because no account has anything there.',
    at: (route) => isNetworkList(route.path) || (atPlans(route) && route.path !== executePath),
    instead(call) {
      const { network } = sentFields(call)
      const laterNetwork = laterNetworks.find(({ name }) => name === network)
      return laterNetwork && refused(400, 'plan_failed', `no funds on ${laterNetwork.display_name}`)
    },
    alter(answer, { route }) {
      if (!isNetworkList(route.path) || answer.status !== 200) return answer
      const { networks } = answer.body as { networks: object[] }
      return {
        ...answer,
        body: { ...(answer.body as object), networks: [...networks, ...laterNetworks] },
      }
    },
  }),
  /** Only what interface.md lists. Errors elsewhere than at the creation of an account have, for all that it shows, a code alone. */
  defineAnswer({
    name: 'absent_optionals',
    summary:
      'A plan has the fields of interface.md alone: no version, no steps, no domain separator, and four fields in each action context. Errors have no `message`, except at account creation, where it is shown.',
    alter(answer, { route }) {
      if (errorOf(answer) !== undefined)
        return route.path === '/accounts'
          ? answer
          : { ...answer, body: pick(answer.body, ['error']) }
      const isPlan = atPlans(route) && answer.status === 201
      return isPlan ? { ...answer, body: leastPlan(answer.body as JsonObject) } : answer
    },
  }),
  /** How soon an execution is mined is the service's affair. */
  defineAnswer({
    name: 'pending_first',
    summary:
      'The first `reads` responses that show an execution say `pending`, as if nothing of it were mined, however fast it was. Events and balances are as usual.',
    settings: z.strictObject({ reads: z.int().min(1).max(1_000).default(1) }),
    at: ({ method, path }) => method === 'GET' && path.includes('/activities'),
    alter: (answer, _, { reads }, { rule }) => ({
      ...answer,
      body: mapObjects(answer.body, (object) => {
        const { plan_id, activity_id, activity_metadata } = object
        if (typeof plan_id !== 'string' || activity_metadata === undefined) return object
        return countRead(rule, activity_id) <= reads ? asPending(object) : object
      }),
    }),
  }),
]

function withNewValues(object: JsonObject): JsonObject {
  const { action_type, activity_status, status } = object
  return {
    ...object,
    ...(typeof action_type === 'string' &&
      !documentedActions.includes(action_type) && { action_type: `${action_type}_V2` }),
    ...(activity_status === 'pending' && { activity_status: 'settling' }),
    ...(status === 'pending' && { status: 'in_progress' }),
  }
}

function inOtherOrder(object: JsonObject, keepLists: boolean): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => [
    key,
    !keepLists && unordered.includes(key) && Array.isArray(value) ? value.toReversed() : value,
  ])
  return Object.fromEntries(entries.reverse())
}

/** The fields of a plan that interface.md lists; domain separator and struct hash are in "most responses". */
function leastPlan(plan: JsonObject): JsonObject {
  const { svc_operation_actions: all, eip712_data } = plan.details as PlanActions
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

/** How often the rule has shown an activity. */
function countRead(rule: RuleHandle, activityId: unknown): number {
  const reads = rule.remembered('reads', () => new Map<unknown, number>())
  const count = (reads.get(activityId) ?? 0) + 1
  reads.set(activityId, count)
  return count
}

/** The activity as it was before anything of it was mined. */
function asPending(activity: JsonObject): JsonObject {
  const items = activity.activity_metadata as JsonObject[]
  const executions = activity.executions as (JsonObject & { actions: JsonObject[] })[]
  return {
    ...activity,
    activity_status: 'pending',
    status: 'pending',
    activity_metadata: items
      .filter((item) => item.svc_operation_nonce !== null)
      .map((item) => ({
        ...item,
        ...notMined,
        activity_record_type: 'unexecuted',
        semantic_events: [],
      })),
    executions: executions
      .filter((each) => each.execution_type === 'transaction')
      .map((execution) => ({
        ...execution,
        ...nullsFor('transaction_hash', 'executed_at', 'reverted_at'),
        status: 'pending',
        actions: execution.actions.map((action) => ({ ...action, observed_values: {} })),
      })),
  }
}
