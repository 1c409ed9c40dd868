import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { type Actor, actorOf } from '../../clients/scenarios/cast.js'
import { type Play, type RunClock, Unexpected } from '../../clients/scenarios/play.js'
import { type Named, placesOf, type Result } from '../../clients/scenarios/run.js'
import type { Step } from '../../clients/scenarios/schema.js'
import { runStep } from '../../clients/scenarios/steps.js'
import {
  createWire,
  describe,
  type ScenarioReply,
  type ScenarioTarget,
} from '../../clients/scenarios/target.js'
import { type Funder, FundingFailed } from './funding.js'
import type { Given, Probe, ProbePlay } from './probe.js'
import { ResponseValue } from './responseValue.js'
import { NotExercised } from './types.js'
import type { VerifyWire } from './wire.js'
import { createVerifyWire } from './wire.js'

export const realRunClock: RunClock = { now: Date.now, wait: (ms) => sleep(ms) }

/** Plays probes. The first probe that needs an account, funds or a setup makes it. */
export type ProbePlayer = ReturnType<typeof createPlayer>

interface Parts {
  wire: VerifyWire
  clock: RunClock
  serverNow(): Promise<number>
  apiKey: string
  run: string
  funder: Funder | undefined
}

type Once = <T>(key: string, make: () => Promise<T>) => Promise<T>

/** Keys follow from the API key and the run, so that funds can be found again. */
function createAccounts({ wire, apiKey, run, funder }: Parts, once: Once) {
  let failedFunding: string | undefined

  const keyOf = (name: string): Hex => keccak256(toHex(`svc-sim verify ${apiKey} ${run} ${name}`))

  async function open(name: string): Promise<Actor> {
    const key = keyOf(name)
    const body = { signer_type: 'eoa', signer_address: privateKeyToAddress(key) }
    const answer = await wire.send({ method: 'POST', path: '/accounts', body })
    const actor = answer.status === 201 && !answer.cut ? actorOf(answer.body, key) : undefined
    if (actor) return actor
    throw new NotExercised(
      `needs an account: POST /accounts: expected 201, seen ${describe(answer)}`,
    )
  }

  async function pay(to: Actor, grant: { network: string; asset: string; amount: bigint }) {
    if (failedFunding !== undefined) throw new NotExercised(`the funding failed: ${failedFunding}`)
    try {
      await funder!({ address: to.wallet, accountId: to.id, ...grant })
    } catch (error) {
      if (!(error instanceof FundingFailed)) throw error
      failedFunding = error.message
      throw new NotExercised(`the funding failed: ${error.message}`)
    }
  }

  return {
    signer: (name: string) => privateKeyToAddress(keyOf(name)),
    /** Why the funder failed, if it did. */
    failedFunding: (): string | undefined => failedFunding,
    async castOf({ accounts }: Given): Promise<Map<string, Actor>> {
      const cast = new Map<string, Actor>()
      for (const [name, { funds = {} }] of Object.entries(accounts)) {
        const grants = Object.entries(funds).flatMap(([network, assets]) =>
          Object.entries(assets).map(([asset, amount]) => {
            return { network, asset, amount: BigInt(amount) }
          }),
        )
        if (grants.length > 0 && !funder)
          throw new NotExercised('needs money: give --fund-url or --fund-cmd')
        const actor = await once(`account ${name}`, () => open(name))
        for (const grant of grants)
          await once(`${grant.asset} on ${grant.network} for ${name}`, () => pay(actor, grant))
        cast.set(name, actor)
      }
      return cast
    },
  }
}

export function createPlayer(parts: Parts) {
  const { wire, clock, serverNow } = parts
  const made = new Map<string, Promise<unknown>>()

  function once<T>(key: string, make: () => Promise<T>): Promise<T> {
    if (!made.has(key)) made.set(key, make())
    return made.get(key) as Promise<T>
  }

  const { castOf, signer, failedFunding } = createAccounts(parts, once)

  const playOf = (cast: Play['cast'], shared?: Pick<Play, 'results' | 'waiting'>): Play => ({
    ...{ wire, cast, foreign: clock, isFrozen: false, snapshots: new Map() },
    ...{ results: new Map(shared?.results), waiting: new Map(shared?.waiting) },
  })

  async function setUp(cast: Play['cast'], { name, steps }: NonNullable<Given['setup']>) {
    const play = playOf(cast)
    await forSetup(name, playAll(play, steps))
    return play
  }

  const probePlayOf = (play: Play): ProbePlay => ({
    play: (...steps) => playAll(play, steps),
    once: (name, accounts, make) =>
      once(name, async () => {
        const own = playOf(await castOf({ accounts }))
        return forSetup(name, make(probePlayOf(own)))
      }),
    body(step) {
      const { request, body } = play.results.get(step) as { request: string; body: unknown }
      return new ResponseValue(request, body)
    },
    answer: (step) => play.results.get(step) as ScenarioReply,
    actor: (name) => play.cast.get(name)!,
    ...{ signer, wire, clock, serverNow },
  })

  return {
    /** Throws `Unexpected` for a difference, `NotExercised` when the probe cannot run. */
    async play(
      { given, when, compute }: Pick<Probe, 'given' | 'when' | 'compute'>,
      onStep?: () => void,
    ): Promise<void> {
      const cast = await castOf(given)
      const { setup } = given
      const shared = setup && (await once(JSON.stringify(setup), () => setUp(cast, setup)))
      const play = playOf(cast, shared)
      await playAll(play, when, onStep)
      await compute?.(probePlayOf(play))
    },
    failedFunding,
  }
}

async function playAll(play: Play, steps: readonly Step[], onStep?: () => void): Promise<void> {
  for (const step of steps) {
    onStep?.()
    await runStep(play, step)
  }
}

/** A failed setup is no finding of the probe that needs it. */
async function forSetup<T>(name: string, making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    throw new NotExercised(`needs ${name}: ${error.message}`)
  }
}

/** Whether something other than a simulator answers at this address: only simulators name their requests. */
export async function isForeign(target: ScenarioTarget): Promise<boolean> {
  const { cut, headers } = await createWire(target).send({ method: 'GET', path: '/networks' })
  return !cut && !('x-svc-sim-request-id' in headers)
}

/** Plays a scenario with the service API alone, with new accounts. */
export async function playForeign(
  target: ScenarioTarget,
  { file, scenario }: Named,
  funder: Funder | undefined,
): Promise<Result> {
  const clock = realRunClock
  const wire = createVerifyWire(target, clock)
  const run = randomBytes(6).toString('hex')
  const serverNow = async () => clock.now()
  const player = createPlayer({ wire, clock, serverNow, apiKey: target.apiKey, run, funder })
  const { name, given, faults, when, then } = scenario
  const begun = clock.now()
  const places = placesOf(scenario).values()
  let where = places.next().value!
  let failure: Result['failure']
  try {
    if (faults.length > 0 || given.positions.length > 0 || given.prices)
      throw new Error('only a simulator can play faults, positions and prices')
    const steps = [...when, ...then.map((check) => ({ check }))]
    await player.play({ given, when: steps }, () => {
      where = places.next().value!
    })
  } catch (error) {
    failure = { where, message: (error as Error).message }
  }
  const durationMs = clock.now() - begun
  const { exchanges } = wire
  return { name, file, seed: 'of the server', durationMs, isPrepared: false, failure, exchanges }
}
