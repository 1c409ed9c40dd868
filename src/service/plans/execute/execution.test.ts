import { expect, test } from 'vitest'
import type { PlanRecord } from '../../store/store.js'
import { createTurns, type Turns } from './execution.js'

/** A plan with operations on these networks; those of `later` wait for a bridge. */
function planOn(network: string, later: string[] = []): PlanRecord {
  const operations = [{ network }, ...later.map((each) => ({ network: each, contingent: true }))]
  return { operations } as PlanRecord
}

/** What has happened so far, and an execution that notes its turn on base and ends when told to. */
function executions() {
  const turns = createTurns()
  const log: string[] = []
  const begin = (name: string, plan: PlanRecord, wasConfirmed = false) => {
    let own: Turns | undefined
    let end = (): void => {}
    const until = new Promise<void>((resolve) => {
      end = resolve
    })
    const ended = turns.during(plan, wasConfirmed, async (given) => {
      own = given
      void given.get('base')?.ready.then(() => log.push(name))
      await until
    })
    return { pass: () => own!.get('base')!.pass(), end, ended, turns: () => own! }
  }
  return { begin, log }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('default: each comes when the one before it has passed, in the order of their beginning', async () => {
  const { begin, log } = executions()
  const [one, two] = [begin('one', planOn('base')), begin('two', planOn('base'))]
  begin('three', planOn('base'))
  await settled()
  expect(log).toEqual(['one'])
  two.pass() // early: it is not its turn yet
  await settled()
  expect(log).toEqual(['one'])
  one.pass()
  one.pass()
  await settled()
  expect(log).toEqual(['one', 'two', 'three'])
})

test('behavior: one that ends or fails without having passed holds up nobody', async () => {
  const { begin, log } = executions()
  const one = begin('one', planOn('base'))
  begin('two', planOn('base'))
  one.end()
  await one.ended
  await settled()
  expect(log).toEqual(['one', 'two'])
})

test('behavior: operations that wait for a bridge have a place if the plan was confirmed before', async () => {
  const { begin, log } = executions()
  const other = begin('other', planOn('arbitrum', ['base']), true)
  begin('one', planOn('base'))
  await settled()
  expect(log).toEqual(['other'])
  expect([...other.turns().keys()]).toEqual(['arbitrum', 'base'])
  other.pass()
  await settled()
  expect(log).toEqual(['other', 'one'])
})

test('behavior: other networks, and operations that wait for a bridge and were never confirmed, have no place', async () => {
  const { begin, log } = executions()
  const other = begin('other', planOn('arbitrum', ['base']))
  begin('one', planOn('base'))
  await settled()
  expect(log).toEqual(['one'])
  expect([...other.turns().keys()]).toEqual(['arbitrum'])
})
