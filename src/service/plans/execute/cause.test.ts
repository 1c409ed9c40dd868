import { expect, test } from 'vitest'
import { createLedger } from '../../context/ledger.js'
import { findCause } from './cause.js'
import { sentenceOf } from './causeSentence.js'

const clock = { now: () => Date.parse('2026-01-01T00:00:07Z') }
const account = { accountId: 'acc_1', walletAddress: '0x00000000000000000000000000000000000a11ce' }
const plan = {
  ...{ planId: 'pln_1', intent: {}, details: {}, quotes: [], spends: [] },
  operations: [{ network: 'base', nonce: '0x7' }],
}
const ran = { success: true, transaction_hash: '0xabc', revert_reason: null }
const activity = (nonce: string, end: object) => ({
  ...{ planId: 'pln_2', activityId: 'act_2', createdAtMs: clock.now() },
  metadata: [{ svc_operation_nonce: nonce, ...end }],
})

function causeOf(ledger: ReturnType<typeof createLedger>, nonce: string, end: object = ran) {
  const store = {
    accountsOfWallet: async () => [account],
    activities: async () => [activity(nonce, end)],
  }
  const book = { token: () => ({ decimals: 6 }) }
  const reason = 'its nonce on base is taken'
  return findCause({ nodes: {}, book, store, ledger } as never, account as never, plan as never, {
    ...{ reason, by: 'nonce', network: 'base', isTaken: true },
  })
}

const sent = { transaction_hash: '0xabc', revert_reason: null }

test.each([
  ['used', ran, ' in transaction 0xabc', 'used the nonce on base'],
  [
    ...(['in flight', { ...sent, success: null }, ''] as const),
    'took the nonce on base, which its transaction had not used yet',
  ],
  [
    ...(['taken', { ...sent, success: false, revert_reason: 'OutOfGas()' }] as const),
    ' in transaction 0xabc',
    'took the nonce on base, but did not use it (OutOfGas()); the service gives each nonce only once',
  ],
  [
    'taken',
    { transaction_hash: null, success: false, revert_reason: 'not run: the bridge failed' },
    '',
    'took the nonce on base, but did not use it (not run: the bridge failed); the service gives each nonce only once',
  ],
] as const)('behavior: a nonce of another plan is %s: %j', async (after, end, place, text) => {
  const ledger = createLedger(clock)
  ledger.planMade('pln_1', { from: 0, balances: {}, blocks: {} })
  const actor = { by: 'plan', plan_id: 'pln_2', activity_id: 'act_2' } as const
  const address = account.walletAddress
  ledger.add({ ...actor, wallet: '0x00000000000000000000000000000000000a11ce' }, [
    { of: 'nonce', network: 'base', address, nonces: ['0x7'] },
  ])
  // Also after a restart.
  for (const known of [ledger, createLedger(clock)]) {
    const cause = await causeOf(known, '0x7', end)
    expect(cause).toMatchObject({ cause: 'plan', changed: 'nonce', before: 'free', after })
    expect(sentenceOf(cause)).toBe(
      `plan pln_2 of the same wallet was executed at 00:00:07${place} (activity act_2) and ${text}`,
    )
  }
})

test('behavior: after a restart the store still knows who used a nonce', async () => {
  const cause = await causeOf(createLedger(clock), '0x7')
  expect(cause).toMatchObject({ cause: 'plan', by_plan: 'pln_2', activity_id: 'act_2' })
  expect(sentenceOf(cause)).toBe(
    'plan pln_2 of the same wallet was executed at 00:00:07 in transaction 0xabc (activity act_2) and used the nonce on base',
  )
})

test('behavior: an execution under way that the plan would break has changed nothing yet', async () => {
  const ledger = createLedger(clock)
  ledger.planMade('pln_1', { from: 0, balances: {}, blocks: {} })
  const other = { activity: activity('0x9', ran), account, plan: { planId: 'pln_2' } }
  const cause = await findCause(
    { nodes: {}, book: {}, store: {}, ledger } as never,
    account as never,
    plan as never,
    { reason: 'it would break activity act_2', by: 'state', among: [other as never] },
  )
  expect(cause).toMatchObject({ cause: 'plan', is_under_way: true })
  expect(sentenceOf(cause)).toBe(
    'plan pln_2 of the same wallet was executed at 00:00:07 (activity act_2); it would break activity act_2',
  )
})

test('error: after a restart nothing is guessed', async () => {
  expect(sentenceOf(await causeOf(createLedger(clock), '0x8'))).toBe(
    'its nonce on base is taken; the simulator was restarted after the plan was made, and does not know what changed before that; the cause is unknown',
  )
})

test('error: what explains nothing is listed, and blamed for nothing', async () => {
  const ledger = createLedger(clock)
  ledger.planMade('pln_1', { from: 0, balances: {}, blocks: {} })
  ledger.add({ by: 'faucet', network: 'base', asset: 'USDC', amount: '5000000' }, [])
  const cause = await causeOf(ledger, '0x7')
  expect(cause.cause).toBe('unknown')
  expect(sentenceOf(cause)).toBe(
    'its nonce on base is taken; the cause is unknown. Since the plan was made: the faucet gave 5 USDC on base at 00:00:07',
  )
})
