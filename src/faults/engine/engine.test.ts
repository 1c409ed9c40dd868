import { expect, test } from 'vitest'
import { inScope } from '../../service/context/requestContext.js'
import { folioTimeout } from '../effects/folio/timeout.js'
import { createFaults, type FaultEquipment } from './engine.js'

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

test('behavior: removing all rules also removes the rule of a request that is still running', async () => {
  const faults = createFaults(1n, () => true)
  const folio = { method: 'GET', path: '/accounts/:account_id/folio', codes: [] }
  const targets = { effects: [folioTimeout], kinds: [], routes: [folio], assets: () => [] }
  faults.equip({
    tools: {},
    loadTargets: async () => targets,
    onFired() {},
  } as unknown as FaultEquipment)
  const fired: string[] = []
  const scope = {
    requestId: 'req_1',
    note() {},
    cut() {},
    faulted: (id: string) => void fired.push(id),
  }
  await inScope(scope, async () => {
    await faults.arm('folio.timeout')
    const ask = () => faults.around('folio', { facts: {} }, async () => 'a folio')
    await expect(ask()).rejects.toThrow('Folio computation timed out')
    expect(fired).toEqual(['header'])
    await faults.clear()
    expect(await ask()).toBe('a folio')
    expect(fired).toEqual(['header'])
    // A rule that another request arms later does not bring it back.
    await inScope({ ...scope }, () => faults.arm('folio.timeout'))
    expect(await ask()).toBe('a folio')
    expect(fired).toEqual(['header'])
  })
})
