import { expect, test } from 'vitest'
import { anAccount, anActivity, aPlan, wallet } from '../../../test/kit/records.js'
import { noLog } from '../../wal/dataLog.js'
import { inScope } from '../context/requestContext.js'
import { createStore } from './createStore.js'
import { recoverStore } from './recoverStore.js'
import type { EventRecord } from './store.js'

test('default', async () => {
  const store = createStore()
  await store.createAccount(anAccount())
  await store.savePlan(aPlan())

  expect(await store.account('svc_first', 'acc_one')).toEqual(anAccount())
  expect(await store.plan('acc_one', 'pln_one')).toEqual(aPlan())
  expect(await store.consumePlan('pln_one', wallet, anActivity(), '0x')).toBe('consumed')

  expect(await store.plan('acc_one', 'pln_one')).toBeUndefined()
  expect(await store.activity('acc_one', 'act_one')).toEqual(anActivity())
  expect(await store.nonceCounts(wallet)).toEqual({
    mainnet: 0,
    base: 1,
    arbitrum: 0,
    optimism: 0,
    polygon: 0,
  })
  expect(await store.events('acc_one', 0)).toEqual([
    {
      cursor: 1_735_689_601,
      accountId: 'acc_one',
      eventType: 'activity_updated',
      data: {
        activity_id: 'act_one',
        activity_type: 'svc_operation_executed',
        activity_status: 'pending',
      },
      timestamp: 1_735_689_601,
      order: 1,
    },
  ])
})

test('behavior: of two consumes at once, one consumes and the other finds no plan', async () => {
  const store = createStore()
  await store.savePlan(aPlan())
  const results = await Promise.all([
    store.consumePlan('pln_one', wallet, anActivity(), '0x'),
    store.consumePlan('pln_one', wallet, anActivity({ activityId: 'act_two' }), '0x'),
  ])
  expect(results).toEqual(['consumed', 'not_found'])
  expect(await store.activities('acc_one')).toEqual([anActivity()])
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 1 })
  expect(await store.events('acc_one', 0)).toHaveLength(1)
})

test('behavior: a plan built before another one was consumed on its network is stale and stays', async () => {
  const store = createStore()
  await store.savePlan(aPlan())
  await store.savePlan(aPlan({ planId: 'pln_two' }))
  await store.savePlan(aPlan({ planId: 'pln_both', nonceCounts: { base: 0, polygon: 0 } }))
  await store.savePlan(aPlan({ planId: 'pln_elsewhere', nonceCounts: { polygon: 0 } }))
  const second = anActivity({ activityId: 'act_two' })

  expect(await store.consumePlan('pln_one', wallet, anActivity(), '0x')).toBe('consumed')
  expect(await store.consumePlan('pln_two', wallet, second, '0x')).toBe('stale')
  expect(await store.consumePlan('pln_both', wallet, second, '0x')).toBe('stale')
  expect(await store.plan('acc_one', 'pln_two')).toEqual(aPlan({ planId: 'pln_two' }))
  expect(await store.activities('acc_one')).toHaveLength(1)
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 1, polygon: 0 })

  // Another network's count did not move, so this plan is as good as when it was built.
  expect(await store.consumePlan('pln_elsewhere', wallet, second, '0x')).toBe('consumed')
})

test('behavior: the nonce count goes just beyond the consumed plan’s, however far that was ahead', async () => {
  const store = createStore()
  await store.savePlan(aPlan({ nonceCounts: { base: 5 } }))
  await store.savePlan(aPlan({ planId: 'pln_before', nonceCounts: { base: 4 } }))
  await store.savePlan(aPlan({ planId: 'pln_same', nonceCounts: { base: 5 } }))
  await store.savePlan(aPlan({ planId: 'pln_next', nonceCounts: { base: 6 } }))
  const second = anActivity({ activityId: 'act_two' })
  expect(await store.consumePlan('pln_one', wallet, anActivity(), '0x')).toBe('consumed')
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 6 })
  for (const stale of ['pln_before', 'pln_same'])
    expect(await store.consumePlan(stale, wallet, second, '0x')).toBe('stale')
  expect(await store.consumePlan('pln_next', wallet, second, '0x')).toBe('consumed')
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 7 })
})

test('behavior: a plan whose time was over as its activity was created is expired and stays', async () => {
  const store = createStore()
  const activity = anActivity()
  await store.savePlan(aPlan({ expiresAtMs: activity.createdAtMs }))
  expect(await store.consumePlan('pln_one', wallet, activity, '0x')).toBe('expired')
  expect(await store.activities('acc_one')).toEqual([])
  expect(await store.plan('acc_one', 'pln_one')).toBeDefined()
  await store.savePlan(aPlan({ expiresAtMs: activity.createdAtMs + 1 }))
  expect(await store.consumePlan('pln_one', wallet, activity, '0x')).toBe('consumed')
})

test('behavior: the letter case of a wallet address does not split its nonce counts', async () => {
  const store = createStore()
  await store.savePlan(aPlan())
  await store.consumePlan(
    'pln_one',
    '0x00000000000000000000000000000000000000AA',
    anActivity(),
    '0x',
  )
  expect(await store.nonceCounts(wallet)).toMatchObject({ base: 1 })
})

test('behavior: what belongs to another is as absent as what does not exist', async () => {
  const store = createStore()
  await store.createAccount(anAccount())
  await store.createAccount(anAccount({ accountId: 'acc_two', primeId: 'svc_second' }))
  await store.savePlan(aPlan())
  const foreign = anActivity({ accountId: 'acc_two' })

  expect(await store.account('svc_second', 'acc_one')).toBeUndefined()
  expect(await store.accounts('svc_second')).toMatchObject([{ accountId: 'acc_two' }])
  expect(await store.plan('acc_two', 'pln_one')).toBeUndefined()
  expect(await store.consumePlan('pln_one', wallet, foreign, '0x')).toBe('not_found')
  expect(await store.consumePlan('pln_one', wallet, anActivity(), '0x')).toBe('consumed')
  expect(await store.activity('acc_two', 'act_one')).toBeUndefined()
  expect(await store.activities('acc_two')).toEqual([])
  expect(await store.events('acc_two', 0)).toEqual([])
})

test('behavior: accounts are listed oldest first, activities newest first', async () => {
  const store = createStore()
  for (const name of ['one', 'two', 'three']) {
    await store.createAccount(anAccount({ accountId: `acc_${name}`, signerAddress: `0x${name}` }))
    await store.savePlan(aPlan({ planId: `pln_${name}`, nonceCounts: {} }))
    const activity = anActivity({ activityId: `act_${name}`, planId: `pln_${name}` })
    await store.consumePlan(`pln_${name}`, wallet, activity, '0x')
  }
  const accounts = await store.accounts('svc_first')
  const activities = await store.activities('acc_one')
  expect(accounts.map((a) => a.accountId)).toEqual(['acc_one', 'acc_two', 'acc_three'])
  expect(activities.map((a) => a.activityId)).toEqual(['act_three', 'act_two', 'act_one'])
})

test('behavior: the accounts of a wallet, of whoever it is', async () => {
  const store = createStore()
  const second = { accountId: 'acc_two', primeId: 'svc_second' }
  await store.createAccount(anAccount())
  await store.createAccount(anAccount(second))
  await store.createAccount(
    anAccount({ accountId: 'acc_x', signerAddress: '0x0c', walletAddress: '0xbb' }),
  )
  expect(await store.accountsOfWallet('0x00000000000000000000000000000000000000AA')).toEqual([
    anAccount(),
    anAccount(second),
  ])
  expect(await store.accountsOfWallet('0xBB')).toMatchObject([{ accountId: 'acc_x' }])
  expect(await store.accountsOfWallet('0xcc')).toEqual([])
})

test('behavior: numbers grow over all accounts, stay through updates, and find their activity', async () => {
  const store = createStore()
  await store.createAccount(anAccount())
  const other = anAccount({ accountId: 'acc_two', primeId: 'svc_second', walletAddress: '0xbb' })
  await store.createAccount(other)
  const record = (accountId: string, activityId: string) =>
    store.recordActivity(anActivity({ accountId, activityId, planId: null, intentId: null }))
  await Promise.all([record('acc_one', 'act_a'), record('acc_two', 'act_b')])
  await record('acc_one', 'act_c')
  const known = (await store.activity('acc_one', 3))!
  await store.updateActivity({ ...known, status: 'confirmed' })
  expect(await store.activity('acc_one', 3)).toEqual({ ...known, status: 'confirmed' })
  const numbers = (await store.activities('acc_one')).map((each) => each.numbers)
  expect(numbers.map(({ activity, wallet }) => [activity, wallet])).toEqual([
    [3, 1],
    [1, 1],
  ])
  expect(await store.activity('acc_two', 2)).toMatchObject({
    activityId: 'act_b',
    numbers: { activity: 2, intent: null, wallet: 2 },
  })
  expect(await store.activity('acc_two', 1)).toBeUndefined()
  expect(await store.activity('acc_one', 4)).toBeUndefined()
})

test.each([
  [false, 3],
  [true, 2],
])('behavior: a restore gives numbers again: %s', async (repeatable, next) => {
  const store = createStore({ isRepeatable: () => repeatable })
  await store.createAccount(anAccount())
  const record = (activityId: string) =>
    store.recordActivity(anActivity({ activityId, planId: null, intentId: null }))
  await record('act_kept')
  const saved = store.save()
  await record('act_dropped')
  await store.restore(saved)
  expect(await store.activity('acc_one', 2)).toBeUndefined()
  await record('act_again')
  expect(await store.activity('acc_one', next)).toMatchObject({ activityId: 'act_again' })
  expect(await store.activity('acc_one', 1)).toMatchObject({ activityId: 'act_kept' })
})

test('behavior: cursors are seconds, and grow strictly when events share a second or go back', async () => {
  const store = createStore()
  await store.savePlan(aPlan())
  await store.consumePlan('pln_one', wallet, anActivity({ updatedAtMs: 1_000_900 }), '0x')
  await store.updateActivity(anActivity({ updatedAtMs: 1_000_950 }))
  await store.updateActivity(anActivity({ updatedAtMs: 998_000 }))
  await store.updateActivity(anActivity({ updatedAtMs: 2_000_000, status: 'confirmed' }))

  const events = await store.events('acc_one', 0)
  expect(events.map(({ cursor, timestamp }) => [cursor, timestamp])).toEqual([
    [1000, 1000],
    [1001, 1000],
    [1002, 998],
    [2000, 2000],
  ])
  expect(await store.events('acc_one', 1001)).toEqual(events.slice(2))
  expect(await store.events('acc_one', 1500)).toEqual(events.slice(3))
  expect(await store.events('acc_one', 2000)).toEqual([])
  expect(await store.activity('acc_one', 'act_one')).toMatchObject({ status: 'confirmed' })
  expect(await store.activities('acc_one')).toHaveLength(1)
})

test('behavior: listeners hear the events of their account until they unsubscribe', async () => {
  const store = createStore()
  const heard: EventRecord[] = []
  const foreign: EventRecord[] = []
  const unsubscribe = store.onEvent('acc_one', (event) => heard.push(event))
  store.onEvent('acc_two', (event) => foreign.push(event))
  await store.savePlan(aPlan())
  await store.consumePlan('pln_one', wallet, anActivity(), '0x')
  unsubscribe()
  await store.updateActivity(anActivity({ status: 'confirmed' }))

  expect(heard).toEqual((await store.events('acc_one', 0)).slice(0, 1))
  expect(foreign).toEqual([])
})

test('behavior: plans past their expiry are dropped, those at their last instant are not', async () => {
  const store = createStore()
  await store.savePlan(aPlan({ planId: 'pln_past', expiresAtMs: 999 }))
  await store.savePlan(aPlan({ planId: 'pln_now', expiresAtMs: 1000 }))
  await store.dropExpiredPlans(1000)
  expect(await store.plan('acc_one', 'pln_past')).toBeUndefined()
  expect(await store.plan('acc_one', 'pln_now')).toBeDefined()
})

test('behavior: the store keeps its own copy', async () => {
  const store = createStore()
  const plan = aPlan()
  await store.savePlan(plan)
  plan.digest = '0xff'
  expect(await store.plan('acc_one', 'pln_one')).toEqual(aPlan())
})

test('error: a second account of a prime account with one signer, whatever its letter case', async () => {
  const store = createStore()
  await store.createAccount(anAccount())
  const again = anAccount({
    accountId: 'acc_two',
    signerAddress: anAccount().signerAddress.toLowerCase() as `0x${string}`,
  })
  await expect(store.createAccount(again)).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'account_already_exists',
    hint: expect.stringContaining('acc_one'),
  })
  expect(await store.accounts('svc_first')).toHaveLength(1)
  await store.createAccount({ ...again, primeId: 'svc_second' })
})

test('error: an activity that no plan made', async () => {
  const store = createStore()
  await expect(store.updateActivity(anActivity())).rejects.toThrow('No activity act_one')
  expect(await store.events('acc_one', 0)).toEqual([])
})

test('error: a value that JSON cannot carry is refused and leaves nothing behind', async () => {
  const store = createStore()
  await expect(store.savePlan(aPlan({ intent: { amount: 1n } }))).rejects.toThrow('BigInt')
  expect(await store.plan('acc_one', 'pln_one')).toBeUndefined()
})

test('behavior: a consumed plan and its signature stay with the execution until the activity has ended', async () => {
  const store = createStore()
  await store.createAccount(anAccount())
  await store.savePlan(aPlan())
  expect(await store.executions()).toEqual([])
  const activity = anActivity()
  await store.consumePlan('pln_one', wallet, activity, '0x5163')
  const execution = { account: anAccount(), plan: aPlan(), signature: '0x5163', activity }
  expect(await store.executions()).toEqual([execution])
  const further = { ...activity, metadata: [] }
  await store.updateActivity(further)
  expect(await store.executions()).toEqual([{ ...execution, activity: further }])
  await store.updateActivity({ ...activity, status: 'failed' })
  expect(await store.executions()).toEqual([])
})

test('behavior: a response is unread until it arrives; what began before that and asks for the same repeats it, also after a sudden end', async () => {
  const changes: unknown[] = []
  const append = async (_: string, change: unknown) => void changes.push(change)
  const store = createStore({ log: { ...noLog, append } })
  await store.createAccount(anAccount())
  const execute = async (id: string, amount = '1', scope = true) => {
    const planId = `pln_${id}`
    const activity = anActivity({ activityId: `act_${id}`, planId })
    const nonceCounts = { base: changes.length }
    await store.savePlan(aPlan({ planId, intent: { amount }, nonceCounts }))
    const consume = () => store.consumePlan(planId, wallet, activity, '0x')
    expect(
      await (scope ? inScope({ requestId: id, note() {}, cut() {} }, consume) : consume()),
    ).toBe('consumed')
    return (await store.activity('acc_one', `act_${id}`))!
  }
  const lost = { how: 'the connection was cut', faults: [] }
  expect((await execute('own', '1', false)).repeats).toBeUndefined()
  await execute('open')
  await execute('cut')
  await store.responded('act_cut', lost)
  expect((await execute('other', '2')).repeats).toBeUndefined()
  await store.responded('act_other')
  const last = await execute('last')
  expect(last.repeats).toEqual(['act_open', 'act_cut'])
  await store.responded('act_last')
  await store.updateActivity({ ...last, status: 'confirmed' })
  expect([...(await store.unread()).keys()]).toEqual(['act_open', 'act_cut'])
  // A response that was under way ended with the process.
  const { data } = await recoverStore({ changes: { store: changes }, files: {} } as never)
  expect([...data.unread.values()]).toMatchObject([
    { activityId: 'act_open', accountId: 'acc_one', lost: { faults: [] } },
    { activityId: 'act_cut', accountId: 'acc_one', lost },
  ])
  expect(data.activities.get('act_last')).toMatchObject({ repeats: ['act_open', 'act_cut'] })
  // What its client hears of it last is what counts.
  await store.responded('act_cut')
  expect([...(await store.unread()).keys()]).toEqual(['act_open'])
})

test('error: whether a response arrived cannot be written: it stays unread, and what asks for the same still repeats it', async () => {
  let isFull = false
  const append = async (_: string, __: unknown, undo?: () => void) => {
    if (!isFull) return
    undo?.()
    throw new Error('full')
  }
  const store = createStore({ log: { ...noLog, append } })
  await store.createAccount(anAccount())
  const execute = async (id: string) => {
    const planId = `pln_${id}`
    await store.savePlan(aPlan({ planId, nonceCounts: { base: Number(id) } }))
    const activity = anActivity({ activityId: `act_${id}`, planId })
    const scope = { requestId: id, note() {}, cut() {} }
    await inScope(scope, () => store.consumePlan(planId, wallet, activity, '0x'))
    return (await store.activity('acc_one', `act_${id}`))!.repeats
  }
  await execute('1')
  await execute('2')
  isFull = true
  for (const id of ['act_1', 'act_2']) await expect(store.responded(id)).rejects.toThrow('full')
  isFull = false
  expect([...(await store.unread()).keys()].sort()).toEqual(['act_1', 'act_2'])
  expect((await execute('3'))?.toSorted()).toEqual(['act_1', 'act_2'])
  await store.responded('act_1')
  expect(await execute('4')).toEqual(['act_2', 'act_3'])
})
