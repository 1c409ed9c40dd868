import { createSimulator } from 'svc-sim'

test('a simulator in Jest', async () => {
  const sim = await createSimulator()
  const { status } = await fetch(`${sim.url}/health/ready`)
  await sim.close()
  expect(status).toBe(200)
}, 60_000)
