import { networkNames } from '../../deployments/networks.js'
import { type Actor, setScene } from './cast.js'
import { hitsOfRules, type RuleHits, runCheck } from './checks.js'
import { known, type Play, Unexpected } from './play.js'
import { resolve } from './references.js'
import type { Scenario, Step } from './schema.js'
import { runStep } from './steps.js'
import { createWire, type ScenarioTarget, type SentRequest, type Wire } from './target.js'

export interface Result {
  name: string
  file: string
  seed: string
  /** Real time, for reports. */
  durationMs: number
  /** It only prepared a world for the user's client. */
  isPrepared: boolean
  /** Where it failed and why; undefined when it passed. */
  failure: { where: string; message: string } | undefined
  exchanges: readonly SentRequest[]
  /** By network; only with `--transcript`. */
  blockHashes?: Record<string, string>
}

export interface Named {
  file: string
  scenario: Scenario
}

function onlyPrepares({ when, then }: Scenario): boolean {
  return when.length === 0 && then.length === 0
}

/** Prepares the world of a scenario: prices, accounts, funds, positions, setup, then its faults. Its own steps are not run. */
export async function prepareScene(wire: Wire, scenario: Scenario): Promise<Play> {
  const cast = await setScene(wire, scenario)
  const positions = newPlay(wire, cast, scenario)
  for (const [i, { account, plan, body }] of scenario.given.positions.entries()) {
    const as = `position ${i}`
    await runStep(positions, { plan: { account, kind: plan, body, as } })
    await runStep(positions, { execute: { plan: as, as } })
    await runStep(positions, { wait: { account, activity: as, status: 'confirmed' } })
  }
  const play = newPlay(wire, cast, scenario)
  for (const step of scenario.given.setup?.steps ?? []) await runStep(play, step)
  const rules = scenario.faults.map((rule) => resolve(rule, known(play)))
  if (rules.length > 0) await wire.control('PUT', '/_sim/faults', rules)
  return play
}

/** The parts of a run in their order, as results and progress name them. */
export function placesOf({ when, then }: Scenario): string[] {
  const places = (part: string, all: readonly (Step | Scenario['then'][number])[]): string[] =>
    all.map((each, i) => `${part}.${i} (${stepName(each)})`)
  return ['given', ...places('when', when), ...places('then', then), 'faults']
}

/**
 * Plays a whole scenario: given, faults, when, then. Never rejects because of what the simulator does. Calls `onPart` when a part begins.
 */
export async function play(
  target: ScenarioTarget,
  { file, scenario }: Named,
  seed: string,
  onPart: (where: string) => void = () => {},
): Promise<Result> {
  const wire = createWire(target)
  const begun = Date.now()
  const isPrepared = onlyPrepares(scenario)
  const places = placesOf(scenario).values()
  let where = ''
  const begin = (): void => {
    where = places.next().value!
    onPart(where)
  }
  let failure: Result['failure']
  try {
    begin()
    const playing = await prepareScene(wire, scenario)
    for (const step of scenario.when) {
      begin()
      await runStep(playing, step)
    }
    where = 'when'
    if (playing.waiting.size > 0)
      throw new Unexpected(`never joined: ${[...playing.waiting.keys()].join(', ')}`)
    // An auto clock shows an execution under way first; what is checked is the outcome.
    if (scenario.given.clock?.startsWith('auto')) await wire.control('POST', '/_sim/clock/auto', {})
    for (const check of scenario.then) {
      begin()
      await runCheck(playing, check)
    }
    begin()
    const exempt = scenario.then.flatMap(({ hits }) => Object.keys(hits ?? {}))
    // A run that only prepares a world leaves the faults to the user's own client.
    const areHit = (rules: readonly RuleHits[]) => idsOfUnhit(rules).length === 0
    const unhit = isPrepared ? [] : idsOfUnhit(await hitsOfRules(wire, areHit))
    const missed = unhit.filter((id) => !exempt.includes(id))
    if (missed.length > 0) throw new Unexpected(`armed, but never hit: ${missed.join(', ')}`)
  } catch (error) {
    failure = { where, message: (error as Error).message }
  }
  const { name } = scenario
  const durationMs = Date.now() - begun
  return { name, file, seed, durationMs, isPrepared, failure, exchanges: wire.exchanges }
}

/** Two runs with the same hash agree in every earlier transaction. */
export async function blockHashes(target: ScenarioTarget): Promise<Record<string, string>> {
  const wire = createWire(target)
  const hashes = networkNames.map(async (network) => {
    const block = await wire.rpc(network, 'eth_getBlockByNumber', ['latest', false])
    return [network, (block as { hash: string }).hash]
  })
  return Object.fromEntries(await Promise.all(hashes))
}

export async function neverHit(wire: Wire): Promise<string[]> {
  const { faults } = await wire.control<{ faults: RuleHits[] }>('GET', '/_sim/faults')
  return idsOfUnhit(faults)
}

const idsOfUnhit = (rules: readonly RuleHits[]): string[] =>
  rules.filter(({ hits }) => hits === 0).map(({ id }) => id)

export function newPlay(wire: Wire, cast: ReadonlyMap<string, Actor>, { given }: Scenario): Play {
  return {
    wire,
    cast,
    results: new Map(),
    waiting: new Map(),
    snapshots: new Map(),
    isFrozen: given.clock?.startsWith('frozen') ?? false,
  }
}

/** `plan`, `advance`...: what a step or check is. */
export function stepName(step: Step | Scenario['then'][number]): string {
  return Object.entries(step).find(([, value]) => value !== undefined)?.[0] ?? 'nothing'
}

/**
 * Plays a scenario in a running simulator, and restores its world afterwards. Rejects before anything is done when its clock begins before
 * that of the simulator.
 */
export async function playAsGuest(
  target: ScenarioTarget,
  named: Named,
  onPart?: (where: string) => void,
): Promise<Result> {
  const { clock } = named.scenario.given
  const wire = createWire(target)
  await refuseEarlier(wire, clock)
  const { id } = await wire.control<{ id: string }>('POST', '/_sim/snapshots', {})
  try {
    // Rules that are armed already are not the scenario's; the restore brings them back.
    await wire.control('DELETE', '/_sim/faults')
    if (clock?.startsWith('frozen')) {
      const at = clock.split('@')[1]
      await wire.control('POST', '/_sim/clock/freeze', at === undefined ? {} : { at })
    } else if (clock?.startsWith('auto')) await wire.control('POST', '/_sim/clock/auto', {})
    return await play(target, named, 'of the running simulator', onPart)
  } finally {
    await wire.control('POST', `/_sim/snapshots/${id}/restore`)
    await wire.control('DELETE', `/_sim/snapshots/${id}`)
  }
}

async function refuseEarlier(wire: Wire, clock: string | undefined): Promise<void> {
  const at = clock?.startsWith('frozen@') ? clock.split('@')[1]! : undefined
  if (at === undefined) return
  const { now, unix_ms } = await wire.control<{ now: string; unix_ms: number }>(
    'GET',
    '/_sim/clock',
  )
  if (!(Date.parse(at) < unix_ms)) return
  throw new Error(
    `its clock begins at ${at}, this simulator is at ${now}, and chains cannot go back. Lease a world with POST /_sim/worlds and {"clock":"${clock}"}, and play it there with POST /_sim/worlds/ID/scenarios; or run it with "svc-sim scenario run FILE", without --base-url`,
  )
}
