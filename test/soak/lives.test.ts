import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { lives } from '../lives/commands.js'
import { begin, end, type Life } from '../lives/life.js'

/**
 * Long random lives with faults, reorganisations and restores: with a frozen clock, with one that skips what everybody waits for, and two at
 * once in two simulators. Here a few; `LIVES=1000` asks for more, `LIVES_SEED` for others. A failure is printed with its seed and its
 * shortest steps.
 */
const runs = Number(process.env.LIVES ?? 5)
const seed = process.env.LIVES_SEED === undefined ? {} : { seed: Number(process.env.LIVES_SEED) }
const steps = 40

const sims: SimulatorHandle[] = []
afterAll(() => Promise.all(sims.map((sim) => sim.close())))

async function open(clock: 'frozen' | 'auto'): Promise<SimulatorHandle> {
  const sim = await createSimulator({ clock, seed: 5n, rpcUnsafe: true })
  sims.push(sim)
  return sim
}

type Steps = Iterable<fc.AsyncCommand<object, Life>>

async function live(sim: SimulatorHandle, commands: Steps): Promise<void> {
  const life = await begin(sim)
  await fc.asyncModelRun(() => ({ model: {}, real: life }), commands)
  await end(life)
}

describe.each(['frozen', 'auto'] as const)('with a clock that is %s', (clock) => {
  test('default: no money is there twice or lost, and what is told is what is on the chains', async () => {
    const sim = await open(clock)
    const property = fc.asyncProperty(lives(steps), (commands) => live(sim, commands))
    await fc.assert(property, { numRuns: runs, ...seed })
  }, 36_000_000)
})

test('behavior: two worlds at once know nothing of each other', async () => {
  const [one, other] = [await open('frozen'), await open('frozen')]
  const both = fc.asyncProperty(lives(steps), lives(steps), async (first, second) => {
    await Promise.all([live(one, first), live(other, second)])
    const accounts = async ({ url, apiKey }: SimulatorHandle) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      const reply = await fetch(`${url}/accounts`, { headers })
      return ((await reply.json()) as { accounts: { account_id: string }[] }).accounts
    }
    for (const sim of [one, other]) expect(await accounts(sim)).toHaveLength(1)
  })
  await fc.assert(both, { numRuns: runs, ...seed })
}, 36_000_000)
