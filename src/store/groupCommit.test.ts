import { expect, test } from 'vitest'
import { createGroupCommit } from './groupCommit.js'

/** A write that the test ends by hand; `state` is what changes, `written` what each write took of it. */
function controlledWrite() {
  const written: string[][] = []
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const state: string[] = []
  const commit = createGroupCommit(() => {
    written.push([...state])
    return new Promise((resolve, reject) => ends.push({ resolve, reject }))
  })
  return { state, written, ends, commit }
}

/** All that is ready to run has run when this resolves. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('default', async () => {
  const { state, written, ends, commit } = controlledWrite()
  state.push('a')
  const first = commit()
  state.push('b')
  const second = commit()
  await turn()
  expect(written).toEqual([['a', 'b']])

  ends[0]!.resolve()
  await Promise.all([first, second])
  expect(written).toHaveLength(1)
})

test('behavior: changes made during a write share the next one and wait for its end', async () => {
  const { state, written, ends, commit } = controlledWrite()
  const resolved: string[] = []
  const change = (name: string) => {
    state.push(name)
    return commit().then(() => resolved.push(name))
  }
  const first = change('a')
  await turn()
  const later = Promise.all([change('b'), change('c')])

  ends[0]!.resolve()
  await first
  await turn()
  expect(resolved).toEqual(['a'])
  expect(written).toEqual([['a'], ['a', 'b', 'c']])

  ends[1]!.resolve()
  await later
  expect(resolved).toEqual(['a', 'b', 'c'])
  expect(written).toHaveLength(2)
})

test('error: a failed write rejects those it would have held, and the next one works', async () => {
  const { state, written, ends, commit } = controlledWrite()
  state.push('a')
  const first = expect(commit()).rejects.toThrow('disk full')
  await turn()
  state.push('b')
  const second = commit()

  ends[0]!.reject(new Error('disk full'))
  await first
  await turn()
  ends[1]!.resolve()
  await second
  expect(written).toEqual([['a'], ['a', 'b']])
})
