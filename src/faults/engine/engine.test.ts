import { expect, test } from 'vitest'
import { createFaults } from './engine.js'

test('default: before it is equipped every call goes through', async () => {
  const faults = createFaults(1n, () => true)
  expect(faults.armed).toBe(false)
  expect(await faults.around('folio', { facts: {} }, async () => 'a folio')).toBe('a folio')
})

test('error: before it is equipped there can be no rules', async () => {
  const faults = createFaults(1n, () => true)
  const rule = { on: 'folio', effect: 'timeout' }
  await expect(faults.add(rule)).rejects.toThrow('not equipped')
  await expect(faults.arm('folio.timeout')).rejects.toThrow('not equipped')
  expect(faults.list()).toEqual([])
})
