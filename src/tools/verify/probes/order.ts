import { must } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, exampleOf, nobody, noPlan, probe } from './define.js'
import { stake, transferOf } from './doings.js'

const invalid = { status: 400, code: 'invalid_params' }
const unauthorized = { status: 401, code: 'missing_auth_header' }
const row = chosen('Order of checks')
const earn = `/accounts/${nobody}/plan/earn`
const execute = `/accounts/${nobody}/plan/execute`

/** When several things are wrong: which of them is answered. */
export const orderProbes: Probe[] = [
  probe({
    name: 'the key is asked for before the body is read',
    axis: 'order',
    cells: ['401:missing_auth_header@earn'],
    from: row,
    reach: 'read',
    async attempt({ caller }) {
      const request = { method: 'POST', path: earn, raw: '{"amount": ', bearer: null }
      must(`POST ${earn}`, await caller.send(request), unauthorized)
    },
  }),
  probe({
    name: 'the key is asked for before the fields',
    axis: 'order',
    cells: ['401:missing_auth_header@POST accounts'],
    from: row,
    reach: 'read',
    async attempt({ caller }) {
      const answer = await caller.post('/accounts', { signer_type: 'x' }, { bearer: null })
      must('POST /accounts', answer, unauthorized)
    },
  }),
  probe({
    name: 'a body that is no JSON is refused before the account is looked for',
    axis: 'order',
    cells: ['400:invalid_params@earn'],
    from: row,
    reach: 'read',
    concerns: ({ sent }) => typeof sent === 'string',
    async attempt({ caller }) {
      const request = { method: 'POST', path: earn, raw: '{"amount": ' }
      must(`POST ${earn}`, await caller.send(request), invalid)
    },
  }),
  probe({
    name: 'fields are checked before the account',
    axis: 'order',
    cells: ['400:invalid_params@earn'],
    from: row,
    reach: 'read',
    concerns: ({ url }) => url.includes(nobody),
    async attempt({ caller }) {
      const body = { ...exampleOf('earn'), amount: 'many' }
      must(`POST ${earn}`, await caller.post(earn, body), invalid)
    },
  }),
  probe({
    name: 'fields of execute are checked before the account and the plan',
    axis: 'order',
    cells: ['400:invalid_params@execute'],
    from: row,
    reach: 'read',
    concerns: ({ url }) => url.includes(nobody),
    attempt: async ({ caller }) =>
      void must(`POST ${execute}`, await caller.post(execute, { plan_id: noPlan }), invalid),
  }),
  probe({
    name: 'the account is looked for before the plan',
    axis: 'order',
    cells: ['404:account_not_found@execute'],
    from: row,
    reach: 'read',
    async attempt({ caller }) {
      const body = { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` }
      must(`POST ${execute}`, await caller.post(execute, body), {
        status: 404,
        code: 'account_not_found',
      })
    },
  }),
  probe({
    name: 'query parameters are checked before the account',
    axis: 'order',
    cells: ['400:invalid_params@events'],
    from: row,
    reach: 'read',
    async attempt({ caller }) {
      const path = `/accounts/${nobody}/events?since=soon`
      must(`GET ${path}`, await caller.get(path), invalid)
    },
  }),
  probe({
    name: 'an unknown route is not there for anybody, with a key or without',
    axis: 'order',
    cells: ['404:not_found@(no route)'],
    from: chosen('Unknown route, other method'),
    reach: 'read',
    async attempt({ caller }) {
      for (const more of [{}, { bearer: null }])
        must('GET /atlantis', await caller.get('/atlantis', more), {
          status: 404,
          code: 'not_found',
        })
    },
  }),
  probe({
    name: 'another method is refused before the key is asked for',
    axis: 'order',
    cells: ['405:method_not_allowed@(other method)'],
    from: chosen('Unknown route, other method'),
    reach: 'read',
    async attempt({ caller }) {
      const request = { method: 'DELETE', path: '/networks', bearer: null }
      must('DELETE /networks', await caller.send(request), {
        status: 405,
        code: 'method_not_allowed',
      })
    },
  }),
  probe({
    name: 'staleness is checked before the signature',
    axis: 'order',
    cells: ['409:plan_stale@execute'],
    from: chosen('Order: staleness, then signature'),
    reach: 'all',
    async attempt({ funded }) {
      const user = await funded('order', stake)
      const body = transferOf(user, '100000')
      const late = await user.plan('transfer', body)
      await user.carryOut('transfer', body)
      must(`POST ${user.path}/plan/execute`, await user.execute(late, 'other_key'), {
        status: 409,
        code: 'plan_stale',
      })
    },
  }),
]
