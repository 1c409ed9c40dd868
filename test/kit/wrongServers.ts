import { concat, keccak256, toHex } from 'viem'
import { expect, vi } from 'vitest'
import type { Alteration, Loose, ProxiedAnswer } from './alteringProxy.js'

/** A server that breaks the contract in one way. */
export interface WrongServer {
  what: string
  /** The cell that the report must name. */
  cell: string
  /** The probes that run: those whose names have this. */
  probes: RegExp
  alteration: Alteration
  /** Its probes are slow ones. */
  isSlow?: boolean
}

const json = { 'content-type': 'application/json' }
const isPlan = (path: string, kind: string): boolean => path.endsWith(`/plan/${kind}`)
const isEvents = (path: string): boolean => path.includes('/events')
const isFolio = (path: string): boolean => /\/folio(\?|$)/.test(path)
const executed = {
  plan_id: 'pln_000000000000',
  svc_intent_id: 'qi_000000000000',
  activity_id: 'act_000000000000',
  status: 'executing',
}

/** Turns one error into another answer. */
function insteadOf(status: number, error: string, other: Partial<ProxiedAnswer>): Alteration {
  return {
    answer(answer) {
      if (answer.status === status && answer.body?.error === error) Object.assign(answer, other)
    },
  }
}

/** Changes the body of successful answers. */
function onSuccess(
  matches: (path: string, method: string) => boolean,
  change: (body: Loose) => void,
): Alteration {
  return {
    answer(answer, { path, method }) {
      if (answer.status < 300 && matches(path, method)) change(answer.body)
    },
  }
}

/** Answers later executions of a plan as the first was answered. */
function replaying(): Alteration {
  const answers = new Map<string, ProxiedAnswer>()
  return {
    answer(answer, { path, body }) {
      if (!isPlan(path, 'execute')) return
      const first = answers.get(body.plan_id)
      if (answer.status === 200) answers.set(body.plan_id, structuredClone(answer))
      else if (first) Object.assign(answer, first)
    },
  }
}

const contextsOf = (body: Loose): Loose[] =>
  body.details.svc_operation_actions.map((each: Loose) => each.action.action_context)

const createOrPlans = /a new account has|transfer plans exactly/

/** Wrong servers that the probes catch. */
export const wrongServers: readonly WrongServer[] = [
  {
    what: 'an account is created with 200',
    cell: '201@POST accounts',
    probes: /zero address/,
    alteration: {
      answer(answer, { method, path }) {
        if (method === 'POST' && path === '/accounts' && answer.status < 300) answer.status = 200
        if (answer.status === 409) answer.status = 200
      },
    },
  },
  {
    what: 'a second account of a signer is 400',
    cell: '409:account_already_exists@POST accounts',
    probes: /a signer has one account/,
    alteration: insteadOf(409, 'account_already_exists', { status: 400 }),
  },
  {
    what: 'the code of that is another word',
    cell: '409:account_already_exists@POST accounts',
    probes: /a signer has one account/,
    alteration: {
      answer({ status, body }) {
        if (status === 409) body.error = 'account_exists'
      },
    },
  },
  {
    what: 'a missing account is not_found on the folio',
    cell: '404:account_not_found@folio',
    probes: /folio of an account that is not there/,
    alteration: {
      answer({ status, body }, { path }) {
        if (status === 404 && isFolio(path)) body.error = 'not_found'
      },
    },
  },
  {
    what: 'a new account lacks created_at',
    cell: '201@POST accounts',
    probes: createOrPlans,
    alteration: onSuccess(
      (path) => path === '/accounts',
      (body) => delete body.created_at,
    ),
  },
  {
    what: 'account ids have another prefix',
    cell: '200@account',
    probes: /a new account is in the list/,
    alteration: onSuccess(
      (path) => /^\/accounts\/\w+$/.test(path),
      (body) => {
        body.account_id = body.account_id.replace('acc_', 'sub_')
      },
    ),
  },
  {
    what: 'the list hides the newest account',
    cell: '200@GET accounts',
    probes: /a new account is in the list/,
    alteration: onSuccess(
      (path, method) => method === 'GET' && path === '/accounts',
      (body) => body.accounts.pop(),
    ),
  },
  {
    what: 'a chain id is a text',
    cell: '200@networks',
    probes: /the networks are the five/,
    alteration: onSuccess(
      (path) => path === '/networks',
      (body) => {
        body.networks[0].chain_id = String(body.networks[0].chain_id)
      },
    ),
  },
  {
    what: 'a network is missing',
    cell: '200@networks',
    probes: /the networks are the five/,
    alteration: onSuccess(
      (path) => path === '/networks',
      (body) => body.networks.pop(),
    ),
  },
  {
    what: 'execution says submitted',
    cell: '200@execute',
    probes: /a transfer takes exactly/,
    alteration: onSuccess(
      (path) => isPlan(path, 'execute'),
      (body) => {
        body.status = 'submitted'
      },
    ),
  },
  {
    what: 'a plan has no expiry',
    cell: '201@earn',
    probes: /a supply plans exactly/,
    alteration: onSuccess(
      (path) => isPlan(path, 'earn'),
      (body) => delete body.expires_at,
    ),
  },
  {
    what: 'a plan’s expiry is in Unix seconds',
    cell: '201@transfer',
    probes: /a plan lives for two minutes/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        body.expires_at = Date.parse(body.expires_at) / 1_000
      },
    ),
  },
  {
    what: 'a plan lives for five minutes',
    cell: '201@transfer',
    probes: /a plan lives for two minutes/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        body.expires_at = new Date(Date.parse(body.expires_at) + 180_000).toISOString()
      },
    ),
  },
  {
    what: 'a planned amount is a unit more',
    cell: '201@transfer',
    probes: /a transfer plans exactly/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        for (const context of contextsOf(body)) context.amount = `${BigInt(context.amount) + 1n}`
      },
    ),
  },
  {
    what: 'the folio rounds balances to four digits',
    cell: '200@folio',
    probes: /a transfer takes exactly/,
    alteration: onSuccess(isFolio, ({ folio }) => {
      for (const key of Object.keys(folio.balances))
        folio.balances[key] = folio.balances[key].replace(/(\.\d{4})\d+e/, '$1e')
    }),
  },
  {
    what: 'the fee of a swap is rounded up',
    cell: '201@swap',
    probes: /the fee of a swap/,
    alteration: onSuccess(
      (path) => isPlan(path, 'swap'),
      (body) => {
        for (const context of contextsOf(body))
          context.fee_amounts = [`${BigInt(context.fee_amounts[0]) + 1n}`]
      },
    ),
  },
  {
    what: 'swap-and-supply supplies before the fee',
    cell: '201@swap-and-supply',
    probes: /swap-and-supply supplies/,
    alteration: onSuccess(
      (path) => isPlan(path, 'swap-and-supply'),
      (body) => {
        const [swap, supply] = contextsOf(body)
        supply.amount = swap.output_amount
      },
    ),
  },
  {
    what: 'a bridge delivers a unit less than the folio says',
    cell: '201@transfer',
    probes: /a shortfall is bridged/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        const bridge = contextsOf(body).find((each) => each.action_type === 'BRIDGE')
        if (bridge) bridge.output_amount = `${BigInt(bridge.output_amount) - 1n}`
      },
    ),
  },
  {
    what: 'the account is looked for before the fields',
    cell: '400:invalid_params@earn',
    probes: /fields are checked before the account/,
    alteration: {
      request: ({ path }) =>
        path.includes('/acc_000000000000/')
          ? { status: 404, headers: json, body: { error: 'account_not_found', message: 'no' } }
          : undefined,
    },
  },
  {
    what: 'the body is read before the key is asked for',
    cell: '401:missing_auth_header@earn',
    probes: /the key is asked for before the body/,
    alteration: {
      request: ({ body, method }) =>
        method === 'POST' && typeof body === 'string'
          ? { status: 400, headers: json, body: { error: 'invalid_params', message: 'no' } }
          : undefined,
    },
  },
  {
    what: 'a missing key is 403',
    cell: '401:missing_auth_header@assets',
    probes: /GET \/assets without a key/,
    alteration: insteadOf(401, 'missing_auth_header', { status: 403 }),
  },
  {
    what: 'a stale plan is accepted',
    cell: '409:plan_stale@execute',
    probes: /a plan is stale when another/,
    alteration: insteadOf(409, 'plan_stale', { status: 200, body: executed }),
  },
  {
    what: 'a consumed plan is accepted again',
    cell: '404:plan_not_found@execute',
    probes: /a consumed plan/,
    alteration: replaying(),
  },
  {
    what: 'a plan is accepted twice at once',
    cell: '200@execute',
    probes: /executed twice at once/,
    alteration: replaying(),
  },
  {
    what: 'a consumed plan is plan_stale',
    cell: '404:plan_not_found@execute',
    probes: /a consumed plan/,
    alteration: insteadOf(404, 'plan_not_found', {
      status: 409,
      body: { error: 'plan_stale', message: 'no' },
    }),
  },
  {
    what: 'no signature is checked',
    cell: '500:internal_error@execute',
    probes: /a signature of another key/,
    alteration: insteadOf(500, 'internal_error', { status: 200, body: executed }),
  },
  {
    what: 'a wrong signature uses the plan up',
    cell: '500:internal_error@execute',
    probes: /a plan outlives a refused signature/,
    alteration: (() => {
      const spoilt = new Set<string>()
      return {
        answer(answer, { path, body }) {
          if (!isPlan(path, 'execute')) return
          if (answer.status === 500) spoilt.add(body.plan_id)
          else if (spoilt.has(body.plan_id))
            Object.assign(answer, { status: 404, body: { error: 'plan_not_found', message: 'no' } })
        },
      } satisfies Alteration
    })(),
  },
  {
    what: 'a digest is not that of its two hashes',
    cell: '201@earn',
    probes: /a digest is made of/,
    alteration: onSuccess(
      (path) => isPlan(path, 'earn'),
      ({ details }) => {
        details.eip712_data.digest = keccak256(toHex('something else'))
      },
    ),
  },
  {
    what: 'a digest is well made, but of another operation',
    cell: '201@transfer',
    probes: /the digest of one operation/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      ({ details }) => {
        details.eip712_data.digest = keccak256(concat(['0x1901', toHex('a'), toHex('b')]))
      },
    ),
  },
  {
    what: 'an operation does something else than the digest covers',
    cell: '201@transfer',
    probes: /the digest of one operation/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      ({ details }) => {
        const [{ operation }] = details.svc_operation_actions
        operation.script_calldata = operation.script_calldata.replace(/0$/, '1')
      },
    ),
  },
  {
    what: 'transfer shows more than the digest',
    cell: '201@transfer',
    probes: /show the digest alone/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      ({ details }) => {
        details.eip712_data.hash_struct = keccak256(toHex('x'))
      },
    ),
  },
  {
    what: 'events are told newest first',
    cell: '200@events',
    probes: /events are told in the order/,
    alteration: onSuccess(isEvents, (body) => body.events.reverse()),
  },
  {
    what: 'the cursor is that of the event before',
    cell: '200@events',
    probes: /after its cursor there is nothing/,
    alteration: onSuccess(isEvents, (body) => {
      body.cursor = Math.max(0, body.cursor - 1)
    }),
  },
  {
    what: 'since is ignored',
    cell: '200@events',
    probes: /after its cursor there is nothing/,
    alteration: {
      request(request) {
        request.path = request.path.replace(/since=\d+/, 'since=0')
        return undefined
      },
    },
  },
  {
    what: 'events carry milliseconds',
    cell: '200@events',
    probes: /events carry Unix seconds/,
    alteration: onSuccess(isEvents, (body) => {
      for (const event of body.events) event.timestamp *= 1_000
    }),
  },
  {
    what: 'an activity is completed instead of confirmed',
    cell: '200@events',
    probes: /an execution is followed by an event/,
    alteration: onSuccess(isEvents, (body) => {
      for (const { data } of body.events)
        data.activity_status = data.activity_status.replace('confirmed', 'completed')
    }),
  },
  {
    what: 'a long poll does not wait',
    cell: '200@events',
    probes: /a long poll wakes up/,
    alteration: {
      request(request) {
        request.path = request.path.replace('&poll=true', '')
        return undefined
      },
    },
  },
  {
    what: 'observed amounts are JSON numbers',
    cell: '200@GET /activities/{activity_id}',
    probes: /amounts of expected and observed/,
    alteration: onSuccess(
      (path) => path.includes('/activities/'),
      (body) => {
        const { observed_values } = body.executions[0].actions[0]
        observed_values.amount = Number(observed_values.amount)
      },
    ),
  },
  {
    what: 'errors have code and detail',
    cell: '400:invalid_params@POST accounts',
    probes: /an account with no signer_type/,
    alteration: {
      answer(answer) {
        const { error, message } = answer.body ?? {}
        if (answer.status >= 400) answer.body = { code: error, detail: message }
      },
    },
  },
  {
    what: 'errors have no message',
    cell: '400:invalid_params@POST accounts',
    probes: /an account with no signer_type/,
    alteration: {
      answer({ status, body }) {
        if (status >= 400) delete body.message
      },
    },
  },
  {
    what: 'JSON is sent as text',
    cell: '200@markets',
    probes: /markets of every protocol/,
    alteration: {
      answer(answer, { path }) {
        if (path === '/markets') answer.headers = { 'content-type': 'text/plain' }
      },
    },
  },
  {
    what: 'fields that are missing are 422',
    cell: '400:invalid_params@borrow',
    probes: /borrow names a field as missing/,
    alteration: insteadOf(400, 'invalid_params', { status: 422 }),
  },
  {
    what: 'a required field of a plan is not missed',
    cell: '400:invalid_params@transfer',
    probes: /transfer names a field as missing/,
    alteration: {
      request(request) {
        if (isPlan(request.path, 'transfer'))
          request.body = { recipient: `0x${'1'.repeat(40)}`, ...request.body }
        return undefined
      },
    },
  },
  {
    what: 'a symbol in lower case is no asset',
    cell: '201@transfer',
    probes: /in any casing/,
    alteration: {
      answer(answer, { body }) {
        if (body?.asset === 'usdc')
          Object.assign(answer, { status: 400, body: { error: 'invalid_params', message: '' } })
      },
    },
  },
  {
    what: 'a step waits for nothing',
    cell: '201@earn',
    probes: /a step depends on/,
    alteration: onSuccess(
      (path) => isPlan(path, 'earn'),
      (body) => {
        for (const step of body.details.steps) step.depends_on = []
      },
    ),
  },
  {
    what: 'the pool fee of 1 % is no value',
    cell: '201@loop-long',
    probes: /common pool fees/,
    alteration: {
      answer(answer, { body }) {
        if (body?.pool_fee === 10_000)
          Object.assign(answer, { status: 400, body: { error: 'invalid_params', message: '' } })
      },
    },
  },
  {
    what: 'an intent has no token',
    cell: '200@GET /activities/{activity_id}',
    probes: /names its token/,
    alteration: onSuccess(
      (path) => path.startsWith('/activities/'),
      (body) => delete body.svc_intent?.intent?.token,
    ),
  },
  {
    what: 'a plan without money is answered',
    cell: '400:plan_failed@migrate',
    probes: /^migrate of an account without money/,
    alteration: insteadOf(400, 'plan_failed', { status: 201, body: {} }),
  },
  {
    what: 'both amounts of a swap are taken',
    cell: '400:invalid_params@swap',
    probes: /swap with both/,
    alteration: {
      request(request) {
        if (isPlan(request.path, 'swap')) delete request.body.buy_amount
        return undefined
      },
    },
  },
  {
    what: 'the folio lacks a section',
    cell: '200@folio',
    probes: /a folio has all its sections/,
    alteration: onSuccess(isFolio, ({ folio }) => delete folio.patches),
  },
  {
    what: 'a cached folio is another',
    cell: '200@folio',
    probes: /a cached folio/,
    alteration: onSuccess(
      (path) => path.includes('cached=true'),
      ({ folio }) => {
        folio.prices['token/USDC'] = '0.99'
      },
    ),
  },
  {
    what: 'money that an execution needs is promised twice',
    cell: '400:plan_failed@transfer',
    probes: /what an execution under way needs/,
    alteration: (() => {
      let plan: ProxiedAnswer | undefined
      return {
        answer(answer, { path }) {
          if (!isPlan(path, 'transfer')) return
          if (answer.status === 201) plan = structuredClone(answer)
          else Object.assign(answer, plan)
        },
      } satisfies Alteration
    })(),
  },
  {
    what: 'a loan pays out a unit less than was borrowed',
    cell: '201@borrow',
    probes: /a loan brings exactly/,
    alteration: {
      request(request) {
        const { path, body } = request
        if (isPlan(path, 'borrow') && body.amount === '5000000') body.amount = '4999999'
        return undefined
      },
    },
  },
  {
    what: 'a repayment gives back no collateral',
    cell: '201@repay',
    probes: /a repayment takes exactly/,
    alteration: {
      request({ path, body }) {
        if (isPlan(path, 'repay')) body.collateral_amount = '0'
        return undefined
      },
    },
  },
  {
    what: 'a loop provides a unit more than it may',
    cell: '201@loop-long',
    probes: /a loop pays what/,
    alteration: {
      request({ path, body }) {
        if (isPlan(path, 'loop-long'))
          body.max_provided_backing_amount = `${BigInt(body.max_provided_backing_amount) + 1n}`
        return undefined
      },
    },
  },
  {
    what: 'the fee of a loop is rounded up',
    cell: '201@loop-long',
    probes: /the fee of a loop/,
    alteration: onSuccess(
      (path) => isPlan(path, 'loop-long'),
      (body) => {
        for (const context of contextsOf(body))
          context.fee_amount = `${BigInt(context.fee_amount) + 1n}`
      },
    ),
  },
  {
    what: 'a loop is closed but for a part',
    cell: '201@unloop-long',
    probes: /a loop that is closed/,
    alteration: {
      request({ path, body }) {
        if (isPlan(path, 'unloop-long'))
          Object.assign(body, { exposure_amount: '9000000000000000', min_swap_backing_amount: '1' })
        return undefined
      },
    },
  },
  {
    what: 'a migration takes money of the wallet along',
    cell: '201@migrate',
    probes: /a migration moves exactly/,
    alteration: {
      request({ path, body }) {
        if (isPlan(path, 'migrate')) body.migrate_only_supply_balances = false
        return undefined
      },
    },
  },
  {
    what: 'a plan from before a loan is accepted',
    cell: '409:plan_stale@execute',
    probes: /a loan makes a plan/,
    alteration: insteadOf(409, 'plan_stale', { status: 200, body: executed }),
  },
  {
    what: 'a migration is confirmed twice',
    cell: '200@events',
    probes: /a migration is told/,
    alteration: onSuccess(isEvents, (body) => {
      body.events.push(...body.events.slice(-1))
    }),
  },
  {
    what: 'a repayment is observed without its collateral',
    cell: '200@GET /activities/{activity_id}',
    probes: /what a loan and its repayment/,
    alteration: onSuccess(
      (path) => path.includes('/activities/'),
      (body) => delete body.executions[0].actions[0].observed_values.collateral_amounts,
    ),
  },
  {
    what: 'an empty long poll moves the cursor back',
    cell: '200@events',
    probes: /a long poll without anything new/,
    isSlow: true,
    alteration: onSuccess(isEvents, (body) => {
      if (body.events.length === 0) body.cursor = Math.max(0, body.cursor - 1)
    }),
  },
  {
    what: 'since returns the event of the cursor once more',
    cell: '200@events',
    probes: /after its cursor there is nothing/,
    alteration: {
      request(request) {
        request.path = request.path.replace(/since=([1-9]\d*)/, (_, at) => `since=${at - 1}`)
        return undefined
      },
    },
  },
  {
    what: 'events of an account are told to every other one',
    cell: '200@events',
    probes: /to which nothing happened/,
    alteration: onSuccess(isEvents, (body) => {
      if (body.events.length === 0)
        body.events.push({ event_type: 'activity_updated', data: {}, timestamp: 1 })
    }),
  },
  {
    what: 'a signer that is sent twice at once gets two accounts',
    cell: '201@POST accounts',
    probes: /sent twice at once/,
    alteration: (() => {
      const made = new Map<string, ProxiedAnswer>()
      return {
        async answer(answer, { method, path, body }) {
          if (method !== 'POST' || path !== '/accounts') return
          const signer = String(body.signer_address)
          if (answer.status === 201) made.set(signer, structuredClone(answer))
          else if (answer.status === 409) {
            // The other request of the two may still be under way.
            await vi.waitFor(() => expect(made.has(signer)).toBe(true))
            Object.assign(answer, made.get(signer))
          }
        },
      } satisfies Alteration
    })(),
  },
  {
    what: 'amounts are counted in floats',
    cell: '201@transfer',
    probes: /no float can hold/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        for (const context of contextsOf(body)) context.amount = `${Number(context.amount)}`
      },
    ),
  },
  {
    what: 'amounts that are numbers are taken',
    cell: '400:invalid_params@earn',
    probes: /an amount that is a number/,
    alteration: {
      request({ path, body }) {
        if (isPlan(path, 'earn')) body.amount = `${body.amount}`
        return undefined
      },
    },
  },
  {
    what: 'plans of different accounts share one plan_id',
    cell: '200@execute',
    probes: /a plan outlives a refused signature|an activity names/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        body.plan_id = 'pln_000000000000'
      },
    ),
  },
  {
    what: 'execution names another plan',
    cell: '200@GET /activities/{activity_id}',
    probes: /an activity names its account/,
    alteration: onSuccess(
      (path) => isPlan(path, 'execute'),
      (body) => {
        body.plan_id = 'pln_000000000000'
      },
    ),
  },
  {
    what: 'the signer comes back in lower case',
    cell: '201@POST accounts',
    probes: /a new account has the fields/,
    alteration: onSuccess(
      (path) => path.startsWith('/accounts'),
      (body) => {
        if (body.signer_address) body.signer_address = body.signer_address.toLowerCase()
      },
    ),
  },
  {
    what: 'the folio of an empty wallet lists balances of zero',
    cell: '200@folio',
    probes: /balances have keys/,
    alteration: onSuccess(isFolio, ({ folio }) => {
      folio.balances['token/base/DAI/0x0'] ??= '0e18'
    }),
  },
  {
    what: 'the expiry of an operation is a number',
    cell: '201@transfer',
    probes: /a transfer plans exactly/,
    alteration: onSuccess(
      (path) => isPlan(path, 'transfer'),
      (body) => {
        for (const { operation } of body.details.svc_operation_actions)
          operation.expiry = Number(operation.expiry)
      },
    ),
  },
  {
    what: 'assets count ether in six decimals',
    cell: '200@assets',
    probes: /assets have the decimals/,
    alteration: onSuccess(
      (path) => path === '/assets',
      ({ assets }) => {
        assets.ETH.decimals = 6
      },
    ),
  },
  {
    what: 'an expired plan is executed',
    cell: '404:plan_not_found@execute',
    probes: /a plan is gone when/,
    isSlow: true,
    alteration: insteadOf(404, 'plan_not_found', { status: 200, body: executed }),
  },
]

/** Wrong servers that no run can catch, each with the reason. */
export const survivors: readonly (Omit<WrongServer, 'cell' | 'probes'> & { why: string })[] = [
  {
    what: 'a revoked key is accepted',
    why: 'a run has one key, which is not revoked',
    alteration: insteadOf(401, 'api_key_revoked', { status: 200, body: {} }),
  },
  {
    what: 'a failed quote is an unexpected failure',
    why: 'the aggregator of the service would have to fail',
    alteration: insteadOf(422, 'swap_quote_failed', { status: 500 }),
  },
  {
    what: 'a folio that takes too long is cut off without an answer',
    why: 'the service would have to be slow',
    alteration: {
      answer({ status }, { path }) {
        if (status === 408 && isFolio(path)) throw new Error('cut')
      },
    },
  },
  {
    what: 'an account without a wallet gets a plan',
    why: 'accounts have wallets from the start',
    alteration: insteadOf(400, 'no_wallet', { status: 201, body: {} }),
  },
]
