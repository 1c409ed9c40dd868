import { expect, test } from 'vitest'
import type { Note } from '../../service/context/requestContext.js'
import { createJournal } from './journal.js'
import { planEnds } from './planEnds.js'

const second = (at: number) => new Date(at * 1000).toISOString()

/** A journal with a clock in seconds, and requests with one note each. */
function openJournal() {
  let seconds = 0
  const journal = createJournal({ now: () => seconds * 1000 })
  const noted = (note: Note) =>
    journal.begin({ requestId: 'req', method: 'POST', url: '/', headers: {} }).note(note)
  return {
    journal,
    pass: (more: number) => {
      seconds += more
    },
    made: (plan_id: string) =>
      noted({
        ...{ type: 'plan', plan_id, account_id: 'acc_1', kind: 'earn', digest: '0x' },
        ...{ expires_at: second(seconds + 120), operations: [] },
      }),
    refused: (plan_id: string, changed = 'nonce', cause: 'plan' | 'fault' | 'executed' = 'plan') =>
      noted({ type: 'stale', plan_id, reason: 'so', cause, changed }),
    endedBy: (rule: string, plan_id: string) =>
      noted({ type: 'expiry', plan_id, at: second(seconds), rule, effect: 'plan.expire' }),
    executed: (plan_id: string) =>
      noted({
        ...{ type: 'activity', plan_id, activity_id: 'act_1', svc_intent_id: null },
        status: 'pending',
      }),
    snapshot: (id: string) => journal.taken(id),
    restore: (id: string) => journal.mark({ id, name: undefined }),
    ends: (of?: { most?: number; id?: string }) =>
      Object.fromEntries(planEnds(journal, seconds * 1000, of)),
  }
}

test('default: open and executed plans have not ended; the others expired, were refused, or were ended by a rule', () => {
  const run = openJournal()
  for (const plan of ['pln_open', 'pln_ran', 'pln_stale', 'pln_late', 'pln_rule', 'pln_twice'])
    run.made(plan)
  run.executed('pln_ran')
  run.executed('pln_twice')
  run.refused('pln_twice', 'position', 'executed')
  run.refused('pln_stale')
  run.endedBy('mean', 'pln_rule')
  run.refused('pln_rule', 'expiry', 'fault')
  expect(run.ends()).toMatchObject({
    pln_stale: { outcome: 'stale', cause: { cause: 'plan' } },
    pln_rule: { outcome: 'expired', at: second(0), by: { rule: 'mean', effect: 'plan.expire' } },
  })
  expect(Object.keys(run.ends())).toHaveLength(2)
  run.pass(120)
  const late = { outcome: 'expired', at: second(120) }
  expect(run.ends()).toMatchObject({
    pln_open: late,
    pln_late: late,
    pln_stale: { outcome: 'stale' },
  })
  expect(run.ends()).not.toHaveProperty('pln_ran')
  expect(run.ends()).not.toHaveProperty('pln_twice')
  expect(Object.keys(run.ends({ id: 'pln_late' }))).toEqual(['pln_late'])
  expect(Object.keys(run.ends({ most: 2 }))).toEqual(['pln_rule'])
})

test('behavior: a restore takes the plans after its snapshot for good, and takes back what happened to the others', () => {
  const run = openJournal()
  run.made('pln_1')
  run.snapshot('snp_1')
  run.made('pln_2')
  run.refused('pln_1')
  run.snapshot('snp_2')
  run.executed('pln_2')
  expect(run.ends()).toMatchObject({ pln_1: { outcome: 'stale' } })
  run.restore('snp_1')
  const gone = { outcome: 'gone', cause: { cause: 'restore', snapshot: 'snp_1' } }
  expect(run.ends()).toMatchObject({ pln_2: gone })
  expect(run.ends()).not.toHaveProperty('pln_1')
  // Time does not make it anything else.
  run.pass(600)
  expect(run.ends()).toMatchObject({ pln_1: { outcome: 'expired' }, pln_2: gone })
  // Another restore brings it back, before its execution.
  run.restore('snp_2')
  expect(run.ends()).toMatchObject({ pln_1: { outcome: 'stale' }, pln_2: { outcome: 'expired' } })
})

test('behavior: after a reset the same id is another plan', () => {
  const run = openJournal()
  run.made('pln_1')
  run.executed('pln_1')
  run.journal.mark(undefined)
  expect(run.ends()).toMatchObject({ pln_1: { outcome: 'gone', cause: { cause: 'reset' } } })
  run.made('pln_1')
  expect(run.ends()).toEqual({})
})

test('behavior: of two lives of an id, the present one counts, though it is the older', () => {
  const run = openJournal()
  run.snapshot('snp_1')
  run.made('pln_1')
  run.snapshot('snp_2')
  run.restore('snp_1')
  run.made('pln_1')
  run.refused('pln_1')
  expect(run.ends()).toMatchObject({ pln_1: { outcome: 'stale' } })
  run.restore('snp_2')
  expect(run.ends()).toEqual({})
  run.executed('pln_1')
  run.pass(600)
  expect(run.ends()).toEqual({})
})
