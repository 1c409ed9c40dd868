import { afterAll, describe, expect, test } from 'vitest'
import { leaseWorld } from '../../src/index.js'
import { killRuns } from '../kit/cli.js'
import { askJson, startFleet } from '../kit/fleet.js'
import { redisProgram } from '../kit/redis.js'
import { openUser } from '../kit/user.js'

// One lease in a fleet of one worker. Needs `npm run build` before.

afterAll(killRuns)

describe.skipIf(redisProgram === undefined)('with a Redis', () => {
  test('default: a world leased at a front lives on the worker, and goes back', async () => {
    const fleet = await startFleet()
    try {
      await fleet.worker('--max-worlds', '1')
      const { url } = await fleet.front()
      const world = await leaseWorld({ url })
      const user = await openUser(world)
      await user.fund('base', 'USDC', 5_000_000n)
      const plan = {
        asset: 'USDC',
        amount: '5',
        network: 'base',
        recipient: `0x${'55'.repeat(20)}`,
      }
      expect((await user.run('transfer', plan)).activity.activity_status).toBe('confirmed')
      await world.close()
      expect((await askJson(`${url}/_sim/worlds`)).body).toMatchObject({ leased: 0 })
    } finally {
      await fleet.end()
    }
  }, 120_000)
})
