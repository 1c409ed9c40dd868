import { reads, sends } from '../corpus/steps.js'
import { at, listAt, must, same } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, probeOn, published, shown } from './define.js'

const probe = probeOn('codes')

const path = '/accounts'
const where = 'POST /accounts'
const invalid = { status: 400, code: 'invalid_params' }
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
export const accountProbes: Probe[] = [
  ...bad.map(([what, body]) =>
    probe({
      name: `an account with ${what} is refused`,
      cells: ['400:invalid_params@POST accounts'],
      from: shown('Accounts'),
      steps: [sends('POST', path, { body }, invalid)],
    }),
  ),
  probe({
    name: 'a new account has the fields that were sent, and ids of the right form',
    axis: 'shapes',
    cells: ['201@POST accounts'],
    from: shown('Account'),
    steps: [
      { account: 'newcomer' },
      reads(`${path}/{newcomer.id}`, {
        checks: [
          { at: ['signer_address'], equals: '{newcomer.signer}' },
          { at: ['signer_type'], equals: 'eoa' },
          { at: ['account_id'], equals: '{newcomer.id}' },
        ],
      }),
    ],
  }),
  probe({
    name: 'a signer has one account',
    cells: ['409:account_already_exists@POST accounts'],
    from: shown('Accounts'),
    steps: [
      { account: 'newcomer' },
      sends('POST', path, { body: eoa('{newcomer.signer}') }, exists),
    ],
  }),
  probe({
    name: 'a signer that is sent twice at once gets one account',
    cells: ['201@POST accounts', '409:account_already_exists@POST accounts'],
    from: shown('Accounts'),
    reach: 'plan',
    async attempt({ caller, signer }) {
      const body = eoa(signer('hasty'))
      const answers = await Promise.all([1, 2].map(() => caller.post(path, body)))
      for (const answer of answers) must(where, answer, { status: 201 }, exists)
      const made = answers.filter(({ status }) => status === 201)
      same(`${where} twice at once: accounts`, made.length, 1)
    },
  }),
  probe({
    name: 'a signer in another casing is the same signer',
    cells: ['409:account_already_exists@POST accounts'],
    from: chosen('One signer in two casings'),
    steps: [
      { account: 'newcomer' },
      sends('POST', path, { body: eoa('{newcomer.signer_lower}') }, exists),
    ],
  }),
  probe({
    name: 'the zero address is taken as a signer',
    cells: ['201@POST accounts'],
    from: chosen('Zero address as signer'),
    reach: 'plan',
    concerns: ({ sent }) => at(sent, 'signer_address') === `0x${'0'.repeat(40)}`,
    async attempt({ caller }) {
      // An earlier run may have made it, which is no drift: what counts is that it is there.
      const zero = eoa(`0x${'0'.repeat(40)}`)
      must(where, await caller.post(path, zero), { status: 201 }, exists)
      caller.taken()
      must(where, await caller.post(path, zero), exists)
    },
  }),
  probe({
    name: 'a new account is in the list, and reads the same there',
    axis: 'shapes',
    cells: ['200@GET accounts', '200@account'],
    from: published('accounts'),
    steps: [
      { account: 'newcomer' },
      reads(`${path}/{newcomer.id}`, { keep: { own: [] } }),
      reads(path, {
        checks: [{ at: ['accounts', { account_id: '{newcomer.id}' }], equals: '{own}' }],
      }),
    ],
  }),
  probe({
    name: 'the list of accounts is whole, and a part of it only when limit and after ask for one',
    axis: 'shapes',
    cells: ['200@GET accounts'],
    from: chosen('Long lists of sub-accounts'),
    reach: 'plan',
    concerns: ({ url }) => /[?&](limit|after)=/.test(url),
    async attempt({ caller, account }) {
      await account('newcomer')
      await account('second')
      const read = async (query: string) => {
        const body = must(`GET ${path}${query}`, await caller.get(`${path}${query}`), {
          status: 200,
        })
        return listAt(`GET ${path}${query}`, body, 'accounts').map((each) => at(each, 'account_id'))
      }
      const all = await read('')
      const [first] = all
      same(`GET ${path}?limit=1`, (await read('?limit=1')).join(), String(first))
      const next = await read(`?limit=1&after=${first}`)
      same(`GET ${path}?limit=1&after=${first}`, next.join(), String(all[1]))
    },
  }),
  probe({
    name: 'a list after an account that is not there is refused',
    cells: ['400:invalid_params@GET accounts'],
    from: chosen('Long lists of sub-accounts'),
    concerns: ({ url }) => /[?&]after=/.test(url),
    steps: [sends('GET', '/accounts?after=acc_000000000000', {}, invalid)],
  }),
  probe({
    name: 'lists have no pages of their own accord',
    axis: 'shapes',
    cells: ['200@GET accounts', '200@activities'],
    from: chosen('Pagination'),
    steps: [
      { account: 'newcomer' },
      ...[path, `${path}/{newcomer.id}/activities`].map((each) =>
        reads(each, { checks: [{ at: [], length: 1 }] }),
      ),
    ],
  }),
]
