import { expect, test } from 'vitest'
import { inScope } from '../../service/context/requestContext.js'
import { folioEffects } from '../effects/folio.js'
import type { FaultTools } from '../rules/effect.js'
import { createFaults } from './engine.js'
import { addAgain } from './persistedFaults.js'
import { createFaultSeams } from './seams.js'

test('default: seams without an engine let every call through', async () => {
  const seams = createFaultSeams(1n)
  expect(seams.hasRules).toBe(false)
  expect(await seams.intercept('folio', { facts: {} }, async () => 'a folio')).toBe('a folio')
})

const folio = { method: 'GET', path: '/accounts/:account_id/folio', codes: [] }
const targets = {
  effects: folioEffects,
  kinds: [],
  routes: [folio],
  assets: () => [],
  hasAccount: async () => true,
}
const newFaults = () =>
  createFaults(createFaultSeams(1n), {
    tools: {} as FaultTools,
    loadTargets: async () => targets,
    repeats: () => true,
    onFired() {},
  })

test('behavior: a sequence that is added again goes on where it was, whatever calls have left their step', async () => {
  const rule = { id: 'r', on: 'folio', sequence: ['timeout', 'ok', 'timeout'], after: 1 }
  const view = { ...rule, match: {}, seen: 5, hits: 1, used: 2 }
  const { used: _, ...earlier } = { ...view, seen: 3 }
  for (const saved of [view, earlier]) {
    const faults = newFaults()
    await addAgain(faults, saved)
    expect(faults.list()).toEqual([{ ...saved, used: 2 }])
    const ask = () => faults.seams.intercept('folio', { facts: {} }, async () => 'a folio')
    await expect(ask()).rejects.toThrow('Folio computation timed out')
    expect(await ask()).toBe('a folio')
    expect(faults.list()).toMatchObject([{ hits: 2, used: 3 }])
  }
})

test('behavior: removing all rules also removes the rule of a request that is still running', async () => {
  const faults = newFaults()
  const fired: string[] = []
  const scope = {
    requestId: 'req_1',
    note() {},
    cut() {},
    faulted: (id: string) => void fired.push(id),
  }
  await inScope(scope, async () => {
    await faults.addForRequest('folio.timeout')
    const ask = () => faults.seams.intercept('folio', { facts: {} }, async () => 'a folio')
    await expect(ask()).rejects.toThrow('Folio computation timed out')
    expect(fired).toEqual(['header'])
    await faults.clear()
    expect(await ask()).toBe('a folio')
    expect(fired).toEqual(['header'])
    // A rule that another request arms later does not bring it back.
    await inScope({ ...scope }, () => faults.addForRequest('folio.timeout'))
    expect(await ask()).toBe('a folio')
    expect(fired).toEqual(['header'])
  })
})
