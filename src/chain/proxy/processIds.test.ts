import { expect, test } from 'vitest'
import { createProcessIds } from './processIds.js'

test('default: a filter of an earlier process is refused, one of this process is not', () => {
  const ids = createProcessIds()
  ids.of('base', 0).note('eth_newFilter', { result: '0xA' })
  expect(ids.of('base', 0).refusalOf('eth_getFilterChanges', ['0xa'])).toBeUndefined()
  expect(ids.of('polygon', 1).refusalOf('eth_getFilterChanges', ['0xa'])).toBeUndefined()
  expect(ids.of('base', 1).refusalOf('eth_getFilterChanges', ['0xa'])?.message).toContain(
    'filter not found: the base node was started again',
  )
})

test('behavior: the result of any other answer is not read, so that large ones stay text', () => {
  const large = {
    json: '[]',
    get result(): unknown {
      throw new Error('it was read')
    },
  }
  expect(() => createProcessIds().of('base', 0).note('eth_getLogs', large)).not.toThrow()
})
