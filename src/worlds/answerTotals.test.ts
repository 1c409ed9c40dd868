import { expect, test } from 'vitest'
import { createAnswerTotals } from './answerTotals.js'

test('default: worlds that run and worlds that have ended, each with its latest report', async () => {
  const totals = createAnswerTotals()
  totals.report('wld_1', [['200', 1]])
  totals.report('wld_2', [['200', 5]])
  totals.report('wld_1', [
    ['200', 3],
    ['409', 1],
  ])
  totals.awaitLast('wld_2')
  totals.report('wld_2', [['200', 6]])
  expect(await totals.sums()).toEqual(
    new Map([
      ['200', 9],
      ['409', 1],
    ]),
  )
})

test('behavior: a last report that is on the way is waited for; a lost world counts with what it had reported', async () => {
  const totals = createAnswerTotals()
  totals.awaitLast('wld_1')
  totals.report('wld_2', [['200', 2]])
  totals.awaitLast('wld_2')
  let isThere = false
  const sums = totals.sums().finally(() => {
    isThere = true
  })
  totals.over('wld_2')
  await new Promise(setImmediate)
  expect(isThere).toBe(false)
  totals.report('wld_1', [['200', 1]])
  expect(await sums).toEqual(new Map([['200', 2 + 1]]))
})
