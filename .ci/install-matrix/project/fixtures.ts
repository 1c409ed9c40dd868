// The types of the fixtures: those of the vitest that the project has.
import { expect, test } from 'svc-sim/vitest'

test('types', async ({ account, sim }) => {
  const id: string = account.id
  // @ts-expect-error There is no such fixture.
  expect(sim.nothing).toBe(id)
})
