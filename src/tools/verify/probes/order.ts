import { refusesToExecute, sends } from '../corpus/steps.js'
import type { Probe } from '../probe.js'
import { chosen, exampleOf, nobody, noPlan, probeOn, refusals } from './define.js'
import { accountWith, executesTransfer, plansTransfer, stake } from './fixtures.js'

const probe = probeOn('order')

const { invalid } = refusals
const unauthorized = { status: 401, code: 'missing_auth_header' }
const row = chosen('Order of checks')
const earn = `/accounts/${nobody}/plan/earn`
const execute = `/accounts/${nobody}/plan/execute`

/** When several things are wrong: which of them is answered. */
export const orderProbes: Probe[] = [
  probe({
    name: 'the key is asked for before the body is read',
    cells: ['401:missing_auth_header@earn'],
    from: row,
    steps: [sends('POST', earn, { raw: '{"amount": ', key: null }, unauthorized)],
  }),
  probe({
    name: 'the key is asked for before the fields',
    cells: ['401:missing_auth_header@POST accounts'],
    from: row,
    steps: [sends('POST', '/accounts', { body: { signer_type: 'x' }, key: null }, unauthorized)],
  }),
  probe({
    name: 'a body that is no JSON is refused before the account is looked for',
    cells: ['400:invalid_params@earn'],
    from: row,
    concerns: ({ sent }) => typeof sent === 'string',
    steps: [sends('POST', earn, { raw: '{"amount": ' }, invalid)],
  }),
  probe({
    name: 'fields are checked before the account',
    cells: ['400:invalid_params@earn'],
    from: row,
    concerns: ({ url }) => url.includes(nobody),
    steps: [sends('POST', earn, { body: { ...exampleOf('earn'), amount: 'many' } }, invalid)],
  }),
  probe({
    name: 'fields of execute are checked before the account and the plan',
    cells: ['400:invalid_params@execute'],
    from: row,
    concerns: ({ url }) => url.includes(nobody),
    steps: [sends('POST', execute, { body: { plan_id: noPlan } }, invalid)],
  }),
  probe({
    name: 'the account is looked for before the plan',
    cells: ['404:account_not_found@execute'],
    from: row,
    steps: [
      sends(
        'POST',
        execute,
        { body: { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` } },
        { status: 404, code: 'account_not_found' },
      ),
    ],
  }),
  probe({
    name: 'query parameters are checked before the account',
    cells: ['400:invalid_params@events'],
    from: row,
    steps: [sends('GET', `/accounts/${nobody}/events?since=soon`, {}, invalid)],
  }),
  probe({
    name: 'an unknown route is not there for anybody, with a key or without',
    cells: ['404:not_found@(no route)'],
    from: chosen('Unknown route, other method'),
    steps: [{}, { key: null }].map((more) =>
      sends('GET', '/atlantis', more, { status: 404, code: 'not_found' }),
    ),
  }),
  probe({
    name: 'another method is refused before the key is asked for',
    cells: ['405:method_not_allowed@(other method)'],
    from: chosen('Unknown route, other method'),
    steps: [
      sends('DELETE', '/networks', { key: null }, { status: 405, code: 'method_not_allowed' }),
    ],
  }),
  probe({
    name: 'staleness is checked before the signature',
    cells: ['409:plan_stale@execute'],
    from: chosen('Order: staleness, then signature'),
    steps: [
      accountWith('order', stake),
      plansTransfer('late', 'order', '100000'),
      ...executesTransfer('done', 'order', '100000'),
      refusesToExecute('late', refusals.stale, 'other_key'),
    ],
  }),
]
