import { at, holds, listAt, must, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, probe, published, shown } from './define.js'

const path = '/accounts'
const where = 'POST /accounts'
const invalid = { status: 400, code: 'invalid_params' }
const exists = { status: 409, code: 'account_already_exists' }
const eoa = (signer_address: unknown) => ({ signer_type: 'eoa', signer_address })

const bad: [string, unknown][] = [
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
      axis: 'codes',
      cells: ['400:invalid_params@POST accounts'],
      from: shown('Accounts'),
      reach: 'read',
      attempt: async ({ caller }) => void must(where, await caller.post(path, body), invalid),
    }),
  ),
  probe({
    name: 'a new account has the fields that were sent, and ids of the right form',
    axis: 'shapes',
    cells: ['201@POST accounts'],
    from: shown('Account'),
    reach: 'plan',
    async attempt({ caller, member, signer }) {
      const { id } = await member('newcomer')
      const read = must(`GET ${path}/${id}`, await caller.get(`${path}/${id}`), { status: 200 })
      same(`${where}: signer_address`, textAt(where, read, 'signer_address'), signer('newcomer'))
      same(`${where}: signer_type`, at(read, 'signer_type') as string, 'eoa')
      same(`${where}: account_id`, at(read, 'account_id') as string, id)
    },
  }),
  probe({
    name: 'a signer has one account',
    axis: 'codes',
    cells: ['409:account_already_exists@POST accounts'],
    from: shown('Accounts'),
    reach: 'plan',
    async attempt({ caller, member }) {
      const { signer } = await member('newcomer')
      must(where, await caller.post(path, eoa(signer)), exists)
    },
  }),
  probe({
    name: 'a signer in another casing is the same signer',
    axis: 'codes',
    cells: ['409:account_already_exists@POST accounts'],
    from: chosen('One signer in two casings'),
    reach: 'plan',
    async attempt({ caller, member }) {
      const { signer } = await member('newcomer')
      must(where, await caller.post(path, eoa(signer.toLowerCase())), exists)
    },
  }),
  probe({
    name: 'the zero address is taken as a signer',
    axis: 'codes',
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
    reach: 'plan',
    async attempt({ caller, member }) {
      const { id } = await member('newcomer')
      const list = must(`GET ${path}`, await caller.get(path), { status: 200 })
      const own = must(`GET ${path}/${id}`, await caller.get(`${path}/${id}`), { status: 200 })
      const found = listAt(`GET ${path}`, list, 'accounts').find(
        (each) => at(each, 'account_id') === id,
      )
      same(`GET ${path}: ${id}`, JSON.stringify(found), JSON.stringify(own))
    },
  }),
  probe({
    name: 'the list of accounts is whole, and a part of it only when limit and after ask for one',
    axis: 'shapes',
    cells: ['200@GET accounts'],
    from: chosen('Long lists of sub-accounts'),
    reach: 'plan',
    concerns: ({ url }) => /[?&](limit|after)=/.test(url),
    async attempt({ caller, member }) {
      await member('newcomer')
      await member('second')
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
    axis: 'codes',
    cells: ['400:invalid_params@GET accounts'],
    from: chosen('Long lists of sub-accounts'),
    reach: 'read',
    concerns: ({ url }) => /[?&]after=/.test(url),
    attempt: async ({ caller }) =>
      void must(
        'GET /accounts?after',
        await caller.get('/accounts?after=acc_000000000000'),
        invalid,
      ),
  }),
  probe({
    name: 'lists have no pages of their own accord',
    axis: 'shapes',
    cells: ['200@GET accounts', '200@activities'],
    from: chosen('Pagination'),
    reach: 'plan',
    async attempt({ caller, member }) {
      const { path: own } = await member('newcomer')
      for (const each of [path, `${own}/activities`]) {
        const body = must(`GET ${each}`, await caller.get(each), { status: 200 })
        const fields = Object.keys(body as object)
        holds(`GET ${each}`, fields.length === 1, 'one field, the list', fields)
      }
    },
  }),
]
