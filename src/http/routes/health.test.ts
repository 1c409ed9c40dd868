import { expect, test } from 'vitest'
import { readiness, startHttpWorld } from '../../../test/kit/httpWorld.js'

test('default', async () => {
  await using world = await startHttpWorld()
  const live = await world.client.get('/health/live', { apiKey: null })
  expect(live).toMatchObject({ status: 200, body: { status: 'live' } })
  const ready = await world.client.get('/health/ready', { apiKey: null })
  expect(ready).toMatchObject({
    status: 200,
    body: { status: 'ready', networks: { base: { chain_id: 8453, ready: true } } },
  })
})

test('error: not ready is 503 with the same body; live stays live', async () => {
  await using world = await startHttpWorld({ chains: { readiness: async () => readiness(false) } })
  expect(await world.client.get('/health/ready')).toMatchObject({
    status: 503,
    body: {
      status: 'not_ready',
      networks: { base: { chain_id: 8453, ready: false, error: 'the node does not answer' } },
    },
  })
  expect((await world.client.get('/health/live')).status).toBe(200)
})
