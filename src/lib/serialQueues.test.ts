import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { serialQueues } from './serialQueues.js'

test('default: work of one key runs one at a time, in the order of the calls', async () => {
  const inTurn = serialQueues<object>()
  const key = {}
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([inTurn(key, work('a')), inTurn(key, work('b'))])).toEqual(['a', 'b'])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('behavior: another key does not wait', async () => {
  const inTurn = serialQueues<object>()
  let finish = (): void => {}
  const first = inTurn({}, () => new Promise<void>((resolve) => (finish = resolve)))
  expect(await inTurn({}, async () => 'done')).toBe('done')
  finish()
  await first
})

test('error: a rejection reaches its caller, and the next in the queue runs', async () => {
  const inTurn = serialQueues<object>()
  const key = {}
  const failing = inTurn(key, () => Promise.reject(new Error('no')))
  const next = inTurn(key, async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

/** Runs named work behind one that holds the queue; resolves to the names in the order of their turns. */
async function orderOf(work: readonly { name: string; canWait?: boolean }[]): Promise<string[]> {
  const inTurn = serialQueues<string>()
  const order: string[] = []
  let open = (): void => {}
  const holding = inTurn('key', () => new Promise<void>((resolve) => (open = resolve)))
  const all = work.map(({ name, canWait = false }) =>
    inTurn('key', async () => void order.push(name), { canWait }),
  )
  await Promise.resolve() // the first one holds it
  open()
  await Promise.all([holding, ...all])
  return order
}

test('behavior: what can wait lets others go first that came later', async () => {
  const order = await orderOf([
    { name: 'new 1', canWait: true },
    { name: 'new 2', canWait: true },
    { name: 'due 1' },
    { name: 'due 2' },
  ])
  expect(order).toEqual(['due 1', 'due 2', 'new 1', 'new 2'])
})

test('behavior: one in five turns is for what can wait, however much comes before it', async () => {
  const due = Array.from({ length: 9 }, (_, i) => ({ name: `due ${i}` }))
  const patient = ['new 1', 'new 2', 'new 3'].map((name) => ({ name, canWait: true }))
  const order = await orderOf([...due, ...patient])
  expect(order.map((name) => name.slice(0, 3)).join(' ')).toBe(
    'due due due due new due due due due new due new',
  )
})

test('error: what fails at its turn leaves the queue to the next', async () => {
  const inTurn = serialQueues<string>()
  const failing = inTurn('key', () => Promise.reject(new Error('no')), { canWait: true })
  const later = inTurn('key', async () => 'later', { canWait: true })
  const next = inTurn('key', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await Promise.all([later, next])).toEqual(['later', 'next'])
  expect(await inTurn('key', async () => 'again')).toBe('again')
})

test('behavior: work sees the request that it belongs to, not that of who went before', async () => {
  const inTurn = serialQueues<string>()
  const request = new AsyncLocalStorage<string>()
  const ask = (id: string) => request.run(id, () => inTurn('key', async () => request.getStore()))
  expect(await Promise.all([ask('a'), ask('b'), ask('c')])).toEqual(['a', 'b', 'c'])
})
