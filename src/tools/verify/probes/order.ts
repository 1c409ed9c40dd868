import type { Probe } from '../probe.js'
import { chosen, exampleOf, nobody, noPlan, probesOn, refusals } from './define.js'
import { executesTransfer, plansTransfer, stake } from './fixtures.js'
import { refusesToExecute, sends } from './steps.js'

const { invalid } = refusals
const unauthorized = { status: 401, error: 'missing_auth_header' } as const
const inOrder = (cell: string) => chosen('Order of checks', cell)
const earn = `/accounts/${nobody}/plan/earn`
const execute = `/accounts/${nobody}/plan/execute`

/** When several things are wrong: which of them is answered. */
export const orderProbes: Probe[] = probesOn('order', {
  'the key is asked for before the body is read': {
    from: inOrder('401:missing_auth_header@earn'),
    steps: [sends('POST', earn, { raw: '{"amount": ', key: null }, unauthorized)],
  },
  'the key is asked for before the fields': {
    from: inOrder('401:missing_auth_header@POST accounts'),
    steps: [sends('POST', '/accounts', { body: { signer_type: 'x' }, key: null }, unauthorized)],
  },
  'a body that is no JSON is refused before the account is looked for': {
    from: inOrder('400:invalid_params@earn'),
    steps: [sends('POST', earn, { raw: '{"amount": ' }, invalid)],
  },
  'fields are checked before the account': {
    from: inOrder('400:invalid_params@earn'),
    steps: [sends('POST', earn, { body: { ...exampleOf('earn'), amount: 'many' } }, invalid)],
  },
  'fields of execute are checked before the account and the plan': {
    from: inOrder('400:invalid_params@execute'),
    steps: [sends('POST', execute, { body: { plan_id: noPlan } }, invalid)],
  },
  'the account is looked for before the plan': {
    from: inOrder('404:account_not_found@execute'),
    steps: [
      sends(
        'POST',
        execute,
        { body: { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` } },
        { status: 404, error: 'account_not_found' },
      ),
    ],
  },
  'query parameters are checked before the account': {
    from: inOrder('400:invalid_params@events'),
    steps: [sends('GET', `/accounts/${nobody}/events?since=soon`, {}, invalid)],
  },
  'an unknown route is not there for anybody, with a key or without': {
    from: chosen('Unknown route, other method', '404:not_found@(no route)'),
    steps: [{}, { key: null }].map((more) =>
      sends('GET', '/atlantis', more, { status: 404, error: 'not_found' }),
    ),
  },
  'another method is refused before the key is asked for': {
    from: chosen('Unknown route, other method', '405:method_not_allowed@(other method)'),
    steps: [
      sends('DELETE', '/networks', { key: null }, { status: 405, error: 'method_not_allowed' }),
    ],
  },
  'staleness is checked before the signature': {
    from: chosen('Order: staleness, then signature', '409:plan_stale@execute'),
    accounts: { order: stake },
    steps: [
      plansTransfer('late', 'order', '100000'),
      ...executesTransfer('done', 'order', '100000'),
      refusesToExecute('late', refusals.stale, 'other_key'),
    ],
  },
})
