import { expect, test, vi } from 'vitest'
import type { Node } from '../../chain/rpc/node.js'
import { makeChange, takeBack } from './activeRule.js'
import { createHolds, endAfter, holdAll } from './stoppedNodes.js'

const [base, polygon] = [{ network: 'base' }, { network: 'polygon' }] as unknown as [Node, Node]

function holdsOf(refused?: Node) {
  const log: string[] = []
  const holds = createHolds(async (node) => {
    if (node === refused) throw new Error(`${node.network} refuses`)
    log.push(`begin ${node.network}`)
    return () => void log.push(`end ${node.network}`)
  })
  return { holds, log }
}

test('default: a node is held from the first rule to the last', async () => {
  const { holds, log } = holdsOf()
  const first = await holds.hold(base)
  const second = await holds.hold(base)
  expect([holds.isHeld(base), holds.isHeld(polygon)]).toEqual([true, false])
  await first()
  await first()
  expect(holds.isHeld(base)).toBe(true)
  expect(log).toEqual(['begin base'])
  await second()
  expect(holds.isHeld(base)).toBe(false)
  expect(log).toEqual(['begin base', 'end base'])
})

test('default: several nodes are held and released together', async () => {
  const { holds, log } = holdsOf()
  const end = await holdAll(holds, [base, polygon])
  expect([holds.isHeld(base), holds.isHeld(polygon)]).toEqual([true, true])
  await end()
  expect(log).toEqual(['begin base', 'begin polygon', 'end base', 'end polygon'])
})

test('error: if one node refuses, none is held', async () => {
  const { holds, log } = holdsOf(polygon)
  await expect(holdAll(holds, [base, polygon])).rejects.toThrow('polygon refuses')
  expect(holds.isHeld(base)).toBe(false)
  expect(log).toEqual(['begin base', 'end base'])
})

test('default: a change is made once and undone in reverse order', async () => {
  const log: string[] = []
  const changes = new Map()
  const change = (name: string) =>
    makeChange(changes, { name, node: base }, async () => {
      log.push(`do ${name}`)
      return async () => void log.push(`undo ${name}`)
    })
  await Promise.all([change('a'), change('a')])
  await change('b')
  await takeBack(changes, [])
  expect(log).toEqual(['do a', 'do b', 'undo b', 'undo a'])
  expect(changes.size).toBe(0)
  await takeBack(changes, [])
  expect(log).toHaveLength(4)
})

test('behavior: a joint change goes over to a rule that stays, and is undone behind its own', async () => {
  const log: string[] = []
  const rules = [new Map(), new Map()] as const
  for (const [i, changes] of rules.entries())
    for (const isJoint of [true, false])
      await makeChange(
        changes,
        { name: isJoint ? 'joint' : 'own', node: base, isJoint },
        async () => async () => void log.push(`undo ${isJoint ? 'joint' : 'own'} ${i}`),
      )
  await takeBack(rules[0], [rules[1]])
  expect(log).toEqual(['undo own 0'])
  await takeBack(rules[1], [])
  expect(log).toEqual(['undo own 0', 'undo own 1', 'undo joint 1', 'undo joint 0'])
})

test('error: a failed change is forgotten and can be tried again', async () => {
  const changes = new Map()
  const of = { name: 'a', node: base }
  const failing = makeChange(changes, of, () => Promise.reject(new Error('full')))
  await expect(failing).rejects.toThrow('full')
  expect(changes.size).toBe(0)
  await makeChange(changes, of, async () => async () => {})
  expect(changes.size).toBe(1)
})

test('behavior: what is to end after a while ends by itself, or earlier when it is told to', async () => {
  vi.useFakeTimers()
  try {
    const { holds, log } = holdsOf()
    const [later, sooner] = [
      endAfter(1_000, await holds.hold(base)),
      endAfter(1_000, await holds.hold(polygon)),
    ]
    await sooner()
    expect(log).toEqual(['begin base', 'begin polygon', 'end polygon'])
    await vi.advanceTimersByTimeAsync(999)
    expect(holds.isHeld(base)).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(holds.isHeld(base)).toBe(false)
    await Promise.all([later(), sooner()])
    expect(log).toEqual(['begin base', 'begin polygon', 'end polygon', 'end base'])
  } finally {
    vi.useRealTimers()
  }
})

test('behavior: without a while it ends only when it is told to', async () => {
  const { holds } = holdsOf()
  const end = endAfter(undefined, await holds.hold(base))
  expect(holds.isHeld(base)).toBe(true)
  await end()
  expect(holds.isHeld(base)).toBe(false)
})
