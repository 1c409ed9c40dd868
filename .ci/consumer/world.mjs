import { test as base } from '@playwright/test'
import { leaseWorld } from 'svc-sim'

export const test = base.extend({
  world: [
    async ({}, use) => {
      const world = await leaseWorld()
      await use(world)
      await world.close()
    },
    { scope: 'worker' },
  ],
})
