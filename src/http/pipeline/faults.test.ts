import { expect, test } from 'vitest'
import { createAccount, keys, noFaults, startHttpWorld } from '../../../test/kit/httpWorld.js'
import type { FaultFacts } from '../../faults/rules/effect.js'
import type { AppDeps } from '../core/types.js'

test('default: faults match the path of the route, however a client spells it', async () => {
  const told: unknown[] = []
  const intercept = ((seam, call, proceed) => {
    const { facts } = call as { facts?: FaultFacts }
    if (seam === 'request') told.push(facts?.path)
    return proceed()
  }) as AppDeps['faults']['seams']['intercept']
  await using world = await startHttpWorld({
    faults: { ...noFaults, seams: { hasRules: true, intercept } },
  })
  const { id } = await createAccount(world)
  told.length = 0
  const headers = { authorization: `Bearer ${keys.first.key}` }
  const spellings = ['folio', 'folio/', 'folio?cached=true', 'folio/?cached=true']
  const paths = [
    ...spellings.map((rest) => `/accounts/${id}/${rest}`),
    `/accounts/${id.replace('_', '%5F')}/folio`,
  ]
  for (const path of paths) {
    const { status } = await fetch(`${world.client.url}${path}`, { headers })
    expect([path, status]).toEqual([path, 200])
  }
  expect(told).toEqual(paths.map(() => `/accounts/${id}/folio`))
})
