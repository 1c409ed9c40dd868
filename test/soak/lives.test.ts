import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { leaseWorld } from '../../src/clients/remote/leaseWorld.js'
import type { Sim } from '../../src/clients/remote/sim.js'
import { worldAt } from '../../src/clients/remote/worldClient.js'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { killRuns } from '../kit/cli.js'
import { createSimulator } from '../kit/simulator.js'
import { startOn } from '../kit/told.js'
import { placeMakersPool, startUpstream } from '../kit/upstream.js'
import { lives, moreSteps } from '../lives/commands.js'
import { end } from '../lives/holds.js'
import { begin, friend, type Home, type Life, type Manner } from '../lives/life.js'

/**
 * Long random lives with faults, reorganisations and restores, under each clock, with nodes that do not answer, on a fork and from a bundle,
 * with kills, and in two leased worlds at once. Here a few; `LIVES=100` asks for more, with kills and in worlds for a sixth of them;
 * `LIVES_SEED` for others, `LIVES_STEPS` for shorter ones. A failure is printed with its seed and its shortest steps (`LIVES_SHRINK=no`: with the
 * steps that it had); `LIVES_PATH` begins with that one.
 */
const { LIVES, LIVES_PATH, LIVES_SEED, LIVES_SHRINK, LIVES_STEPS } = process.env
const steps = Number(LIVES_STEPS ?? 40)
const asked = {
  numRuns: Number(LIVES ?? 5),
  endOnFailure: LIVES_SHRINK === 'no',
  ...(LIVES_SEED === undefined ? {} : { seed: Number(LIVES_SEED) }),
  ...(LIVES_PATH === undefined ? {} : { path: LIVES_PATH }),
}
const hours = 36_000_000

const endings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const ending of endings.reverse()) await ending()
  killRuns()
})

type Steps = Iterable<fc.AsyncCommand<object, Life>>
type Key = `0x${string}`

async function live(sim: Home, commands: Steps, manner?: Manner, key?: Key): Promise<Life> {
  const life = await begin(sim, manner, key)
  await fc.asyncModelRun(() => ({ model: {}, real: life }), commands)
  await end(life)
  return life
}

test.each(['frozen', 'auto', 'real'] as const)(
  'default: with a clock that is %s no money is there twice or lost, and what is told is what is on the chains',
  async (clock) => {
    const sim = await createSimulator({
      ...{ clock, seed: 5n, rpcUnsafe: true, readTimeoutMs: 2_000 },
    })
    endings.push(() => sim.close())
    const manner = { isMoving: clock !== 'frozen' }
    const property = fc.asyncProperty(
      lives(steps, moreSteps.cancel, moreSteps.down),
      async (commands) => void (await live(sim, commands, manner)),
    )
    await fc.assert(
      property.afterEach(() => sim.faults.clear()),
      asked,
    )
  },
  hours,
)

test.each(['fork', 'bundle'] as const)(
  'behavior: on a network from a %s that has never heard of the account',
  async (origin) => {
    const network = 'optimism'
    const upstream = await startUpstream(network)
    endings.push(() => upstream.stop())
    await placeMakersPool(upstream)
    const fork = { [network]: { url: upstream.url } }
    const dir = await mkdtemp(join(tmpdir(), 'svc-sim-lives-'))
    endings.push(() => rm(dir, { recursive: true, force: true }))
    const bundle = join(dir, 'bundle')
    if (origin === 'bundle')
      await recordBundle({
        ...{ fork, out: bundle, accounts: [], at: undefined, assumeEmpty: ['signers'] },
        ...{ mayReplace: false, forkCache: 'none', say() {} },
      })
    const sim = await createSimulator({
      ...{ clock: 'frozen', seed: 5n, rpcUnsafe: true },
      ...(origin === 'fork' ? { fork } : { bundle, assumeEmpty: [friend] }),
    })
    endings.push(() => sim.close())
    const property = fc.asyncProperty(
      lives(steps, moreSteps.cancel),
      async (commands) => void (await live(sim, commands)),
    )
    await fc.assert(property, asked)
  },
  hours,
)

/** Where a life takes ten times as long. */
const fewer = { ...asked, numRuns: Math.ceil(asked.numRuns / 6) }

/** The program on a data folder, as a simulator that can be killed. */
async function startHome(dir: string): Promise<{ sim: Sim; kill(): Promise<unknown> }> {
  const { run, ready } = await startOn(dir, '--clock', 'frozen', '--seed', '5', '--rpc-unsafe')
  const kill = (): Promise<unknown> => {
    process.kill(run.pid, 'SIGKILL')
    return run.ended
  }
  const { url, apiKey, rpc } = ready
  const place = {
    url,
    apiKey,
    controlUrl: `${url}/_sim`,
    rpc: (name: keyof typeof rpc) => rpc[name],
  }
  return { sim: worldAt(place, async () => {}), kill }
}

test(
  'behavior: a life goes on after each kill of the process',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-sim-lives-'))
    endings.push(() => rm(dir, { recursive: true, force: true }))
    let home = await startHome(dir)
    endings.push(() => home.kill())
    const revive = async (): Promise<Home> => {
      await home.kill()
      home = await startHome(dir)
      return home.sim
    }
    const property = fc.asyncProperty(
      lives(steps, moreSteps.kill, moreSteps.cancel),
      async (commands) => void (await live(home.sim, commands, { revive })),
    )
    await fc.assert(property, fewer)
  },
  hours,
)

test(
  'behavior: of two worlds at once each is as if it were alone',
  async () => {
    const front = await createSimulator({ seed: 5n, rpcUnsafe: true })
    endings.push(() => front.close())
    const told = async (commands: Steps) => {
      await using world = await leaseWorld({
        url: front.url,
        clock: 'frozen@2026-01-01T00:00:00Z',
        seed: 5,
      })
      const { user, isForgetful } = await live(world, commands, {}, `0x${'1'.repeat(64)}`)
      const paths = ['activities', 'events', 'folio']
      const rest = await Promise.all(
        paths.map(async (path) => (await user.api.get(`${user.path}/${path}`)).body),
      )
      return { rest, isForgetful }
    }
    const both = fc.asyncProperty(lives(steps), lives(steps), async (first, second) => {
      const alone = await told(first)
      const [beside] = await Promise.all([told(first), told(second)])
      if (!alone.isForgetful && !beside.isForgetful) expect(beside).toEqual(alone)
    })
    await fc.assert(both, fewer)
  },
  hours,
)
