import { hasLength, is, keeps, reads, sends } from '../corpus/steps.js'
import { must, Seen } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, probesFor, probesOn, published, refusals, shown } from './define.js'

const path = '/accounts'
const where = 'POST /accounts'
const { invalid } = refusals
const exists = { status: 409, code: 'account_already_exists' }
const eoa = (signer_address: unknown) => ({ signer_type: 'eoa', signer_address })

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
    steps: [
      { account: 'newcomer' },
      reads(
        `${path}/{newcomer.id}`,
        is('signer_address', '{newcomer.signer}'),
        is('signer_type', 'eoa'),
        is('account_id', '{newcomer.id}'),
      ),
    ],
  },
  'a signer has one account': {
    from: shown('Accounts', '409:account_already_exists@POST accounts'),
    steps: [
      { account: 'newcomer' },
      sends('POST', path, { body: eoa('{newcomer.signer}') }, exists),
    ],
  },
  'a signer that is sent twice at once gets one account': {
    from: shown('Accounts', '201@POST accounts', '409:account_already_exists@POST accounts'),
    plan: async ({ caller, signer }) => {
      const body = eoa(signer('hasty'))
      const answers = await Promise.all([1, 2].map(() => caller.post(path, body)))
      for (const answer of answers) must(where, answer, { status: 201 }, exists)
      const made = answers.filter(({ status }) => status === 201)
      new Seen(`${where} twice at once`, made.length, 'accounts').is(1)
    },
  },
  'a signer in another casing is the same signer': {
    from: chosen('One signer in two casings', '409:account_already_exists@POST accounts'),
    steps: [
      { account: 'newcomer' },
      sends('POST', path, { body: eoa('{newcomer.signer_lower}') }, exists),
    ],
  },
  'the zero address is taken as a signer': {
    from: chosen('Zero address as signer', '201@POST accounts'),
    plan: async ({ caller }) => {
      // An earlier run may have made it, which is no drift: what counts is that it is there.
      const zero = eoa(`0x${'0'.repeat(40)}`)
      must(where, await caller.post(path, zero), { status: 201 }, exists)
      caller.taken()
      must(where, await caller.post(path, zero), exists)
    },
  },
  'a new account is in the list, and reads the same there': {
    axis: 'shapes',
    from: published('accounts', '200@GET accounts', '200@account'),
    steps: [
      { account: 'newcomer' },
      reads(`${path}/{newcomer.id}`, keeps('own', '')),
      reads(path, is(['accounts', { account_id: '{newcomer.id}' }], '{own}')),
    ],
  },
  'the list of accounts is whole, and a part of it only when limit and after ask for one': {
    axis: 'shapes',
    from: chosen('Long lists of sub-accounts', '200@GET accounts'),
    plan: async ({ caller, account }) => {
      await account('newcomer')
      await account('second')
      const idsOf = async (query: string) => {
        const accounts = (await caller.read(`${path}${query}`)).at('accounts')
        const ids = accounts.list().map((each) => each.at('account_id').value)
        return new Seen(accounts.request, ids, 'accounts')
      }
      const [first, second] = (await idsOf('')).value
      ;(await idsOf('?limit=1')).is([first])
      ;(await idsOf(`?limit=1&after=${first}`)).is([second])
    },
  },
  'a list after an account that is not there is refused': {
    from: chosen('Long lists of sub-accounts', '400:invalid_params@GET accounts'),
    steps: [sends('GET', '/accounts?after=acc_000000000000', {}, invalid)],
  },
  'lists have no pages of their own accord': {
    axis: 'shapes',
    from: chosen('Pagination', '200@GET accounts', '200@activities'),
    steps: [
      { account: 'newcomer' },
      ...[path, `${path}/{newcomer.id}/activities`].map((each) => reads(each, hasLength('', 1))),
    ],
  },
})
