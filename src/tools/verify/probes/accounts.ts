import type { Probe } from '../probe.js'
import { ResponseValue } from '../responseValue.js'
import { chosen, probesFor, probesOn, published, refusals, shown } from './define.js'
import { as, hasLength, is, reads, sends } from './steps.js'

const path = '/accounts'
const { invalid } = refusals
const exists = { status: 409, error: 'account_already_exists' } as const
const madeOrThere = { any_of: [{ status: 201 }, exists] }
const eoa = (signer_address: unknown) => ({ signer_type: 'eoa', signer_address })
const newcomer = { newcomer: {} }

const bad: [string, Record<string, unknown>][] = [
  ['no signer_address', { signer_type: 'eoa' }],
  ['a signer_address of 39 digits', eoa(`0x${'1'.repeat(39)}`)],
  ['a signer_address without 0x', eoa('1'.repeat(40))],
  ['a signer_address that is a number', eoa(1)],
  ['another signer_type', { ...eoa(`0x${'1'.repeat(40)}`), signer_type: 'passkey' }],
  ['no signer_type', { signer_address: `0x${'1'.repeat(40)}` }],
]

/** Sub-accounts: how they are made, and how they are read again. */
export const accountProbes: Probe[] = probesOn('codes', {
  ...probesFor(bad, ([what, body]) => [
    `an account with ${what} is refused`,
    {
      from: shown('Accounts', '400:invalid_params@POST accounts'),
      steps: [sends('POST', path, { body }, invalid)],
    },
  ]),
  'a new account has the fields that were sent, and ids of the right form': {
    axis: 'shapes',
    from: shown('Account', '201@POST accounts'),
    accounts: newcomer,
    steps: [
      reads(
        `${path}/{{newcomer.id}}`,
        is('signer_address', '{{newcomer.signer}}'),
        is('signer_type', 'eoa'),
        is('account_id', '{{newcomer.id}}'),
      ),
    ],
  },
  'a signer has one account': {
    from: shown('Accounts', '409:account_already_exists@POST accounts'),
    accounts: newcomer,
    steps: [sends('POST', path, { body: eoa('{{newcomer.signer}}') }, exists)],
  },
  'a signer that is sent twice at once gets one account': {
    from: shown('Accounts', '201@POST accounts', '409:account_already_exists@POST accounts'),
    reach: 'plan',
    async compute({ play, answer, signer }) {
      const body = eoa(signer('hasty'))
      const names = ['one', 'other']
      await play(
        ...names.map((name) => ({
          call: {
            method: 'POST' as const,
            path,
            body,
            as: name,
            background: true,
            expect: madeOrThere,
          },
        })),
        ...names.map((join) => ({ join })),
      )
      const made = names.filter((name) => answer(name).status === 201)
      new ResponseValue(`POST ${path} twice at once`, made.length, 'accounts').is(1)
    },
  },
  'a signer in another casing is the same signer': {
    from: chosen('One signer in two casings', '409:account_already_exists@POST accounts'),
    accounts: newcomer,
    steps: [sends('POST', path, { body: eoa('{{newcomer.signer_lower}}') }, exists)],
  },
  'the zero address is taken as a signer': {
    from: chosen('Zero address as signer', '201@POST accounts'),
    reach: 'plan',
    async compute({ play, wire }) {
      // An earlier run may have created it, which is not drift: only its existence counts.
      const body = eoa(`0x${'0'.repeat(40)}`)
      await play(sends('POST', path, { body }, madeOrThere))
      wire.taken()
      await play(sends('POST', path, { body }, exists))
    },
  },
  'a new account is in the list, and reads the same there': {
    axis: 'shapes',
    from: published('accounts', '200@GET accounts', '200@account'),
    accounts: newcomer,
    steps: [
      reads(`${path}/{{newcomer.id}}`, as('own')),
      reads(path, is(['accounts', { account_id: '{{newcomer.id}}' }], '{{own.body}}')),
    ],
  },
  'the list of accounts is whole, and a part of it only when limit and after ask for one': {
    axis: 'shapes',
    from: chosen('Long lists of sub-accounts', '200@GET accounts'),
    accounts: { newcomer: {}, second: {} },
    steps: [
      reads(path, as('all')),
      ...[
        ['limit=1', 0],
        ['limit=1&after={{all.body.accounts.0.account_id}}', 1],
      ].map(([query, place]) =>
        reads(
          `${path}?${query}`,
          hasLength('accounts', 1),
          is('accounts.0.account_id', `{{all.body.accounts.${place}.account_id}}`),
        ),
      ),
    ],
  },
  'a list after an account that is not there is refused': {
    from: chosen('Long lists of sub-accounts', '400:invalid_params@GET accounts'),
    steps: [sends('GET', '/accounts?after=acc_000000000000', {}, invalid)],
  },
  'lists have no pages of their own accord': {
    axis: 'shapes',
    from: chosen('Pagination', '200@GET accounts', '200@activities'),
    accounts: newcomer,
    steps: [path, `${path}/{{newcomer.id}}/activities`].map((list) =>
      reads(list, hasLength('', 1)),
    ),
  },
})
