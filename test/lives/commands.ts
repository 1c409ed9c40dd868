import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import type { FaultRuleInput } from '../../src/faults/rules/faultRuleInput.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { holds } from './holds.js'
import { type Effect, killed, type Life, type Place, places, remember, trouble } from './life.js'
import { bridgesCost, execute, executeEarlier, intents, nextNonce, planned } from './plans.js'
import { look } from './sight.js'
import { openOn } from './underWay.js'

/** Steps of random lives, for `fc.commands`. After each of them all that must hold is looked at. */

type Command = fc.AsyncCommand<object, Life>

/** A step that is always possible; `text` is how a failure names it. */
const step = (text: string, run: (life: Life) => Promise<void>): Command => ({
  check: () => true,
  async run(_model, life) {
    await run(life)
    await holds(life)
  },
  toString: () => text,
})

const whole = 1_000_000n

const carriedOut = (effect: Effect, isLater: boolean) => async (life: Life) => {
  const intended = await planned(life, effect)
  if (!intended) return
  if (!isLater) return execute(life, intended, { isFresh: true })
  remember(life, { plans: [...life.memory.plans, intended] })
}

const add = (rule: { on: string }) => async (life: Life) => {
  life.faults.add((await life.sim.faults.add(rule as FaultRuleInput)).id)
  trouble(life)
  if (rule.on === 'events') remember(life, { isRepeated: true })
}

async function lift({ sim, faults }: Life): Promise<void> {
  await sim.faults.clear()
  faults.clear()
  await sim.clock.advance(0)
}

/** Blocks are replaced by empty ones, or taken away. Money that was given in them is gone with them. */
const replaced = (network: Place, depth: number, isTaken: boolean) => async (life: Life) => {
  if (life.faults.size > 0) return
  const params = isTaken ? [depth] : [depth, []]
  const method = isTaken ? 'anvil_rollback' : 'anvil_reorg'
  trouble(life)
  await life.chain.request(network, method, params).catch((error: Error) => {
    // Further back than a reset or a snapshot, or than the node remembers: refused.
    const isForgotten = error.message.includes('data unavailable')
    if (isForgotten) life.isForgetful = true
    else if (!error.message.includes('would take back')) throw error
  })
  await life.sim.clock.advance(0)
}

const cancelAbi = parseAbi(['function cancel(bytes32 nonce)'])

/** The wallet itself uses up a nonce, past the service. */
async function cancel({ chain, user, sim }: Life, network: Place, nonce: Hex): Promise<void> {
  const data = encodeFunctionData({ abi: cancelAbi, args: [nonce] })
  await chain.sendAs(network, user.wallet, { to: svcAddresses.nonceManager, data })
  await sim.clock.advance(0)
}

/** A wallet that sends something before it is there can never be made. */
const canCancel = async ({ user, chain, faults }: Life, network: Place): Promise<boolean> =>
  faults.size === 0 && (await chain.isDeployed(network, user.wallet))

const cancelled = (network: Place) => async (life: Life) => {
  if (!(await canCancel(life, network))) return
  const nonce = (await nextNonce(life, network)) as Hex
  await cancel(life, network, nonce)
  expect(await nextNonce(life, network)).not.toBe(nonce)
}

/** What waits on a network can never run: its nonces are used up past the service. */
const overtaken = (effect: Effect) => async (life: Life) => {
  const { on } = effect
  if (!(await canCancel(life, on)))
    await carriedOut({ kind: 'transfer', on, amount: whole }, false)(life)
  await carriedOut(effect, false)(life)
  if (!(await canCancel(life, on))) return
  trouble(life)
  for (const { nonce } of openOn(life, await look(life), on)) await cancel(life, on, nonce)
}

/** A plan takes all there is to one network. What it does at once on another fails; its other parts come to their ends. */
const failing =
  (network: Place, by: string, kind: Effect['kind'], on: Place) => async (life: Life) => {
    const sight = await look(life)
    const all = places.reduce((sum, each) => sum + sight.on[each].usdc, 0n)
    // Less than this is lost on the bridges.
    if (all <= bridgesCost) return
    const rule = { on: 'execute', effect: { revert: { by } }, match: { network } }
    const { id } = await life.sim.faults.add(rule as FaultRuleInput)
    life.faults.add(id)
    trouble(life)
    await carriedOut({ kind, on, amount: all - bridgesCost }, false)(life)
    await life.sim.faults.remove(id)
    life.faults.delete(id)
    await life.sim.clock.advance(0)
  }

async function snapshot(life: Life): Promise<void> {
  const { memory, faults } = life
  life.snapshots.push({ id: await life.sim.snapshot(), memory, faults: new Set(faults) })
}

const restored = (which: number) => async (life: Life) => {
  const at = which % Math.max(1, life.snapshots.length)
  const back = life.snapshots[at]
  if (!back) return
  const isThere = await life.sim.restore(back.id).then(
    () => true,
    (error: { code?: string }) => {
      // Its block was taken back; nothing was changed.
      expect(error.code).toBe('conflict')
      return false
    },
  )
  life.snapshots = life.snapshots.slice(0, isThere ? at + 1 : at)
  if (!isThere) return
  // Later ones are gone.
  expect((await life.sim.snapshots.list()).at(-1)?.id).toBe(back.id)
  life.memory = back.memory
  life.faults = new Set(back.faults)
  await life.sim.clock.advance(0)
}

const place = fc.constantFrom(...places)
const rules = fc
  .oneof(
    place.map((network) => ({ on: 'execute', effect: 'stuck', match: { network } })),
    fc.constant({ on: 'execute', effect: 'dropped', times: 1 }),
    fc.constant({ on: 'execute', effect: 'duplicate', times: 1 }),
    fc.constant({ on: 'bridge', effect: 'stuck' }),
    fc.constant({ on: 'bridge', effect: 'refund' }),
    place.map((network) => ({ on: 'chain', effect: 'halt', match: { network } })),
    place.map((network) => ({ on: 'chain', effect: { slow: { ms: 20 } }, match: { network } })),
    fc.constant({ on: 'events', effect: 'duplicate' }),
  )
  .map((rule) => rule as { on: string })

/** A node answers nothing while a plan that needs it is asked for, and then goes on. */
const silenced = (network: Place) => async (life: Life) => {
  const { id } = await life.sim.faults.add({ on: 'chain', effect: 'down', match: { network } })
  trouble(life)
  const body = { network, asset: 'USDC', amount: `${whole}`, ...intents.transfer }
  const reply = await life.user.plan('transfer', body)
  expect([reply.status, reply.body.error]).toEqual([408, 'timeout'])
  await life.sim.faults.remove(id)
  await life.sim.clock.advance(0)
}

const effect = fc.record<Effect>({
  kind: fc.constantFrom(...(Object.keys(intents) as Effect['kind'][])),
  on: place,
  amount: fc.integer({ min: 1, max: 260 }).map((units) => BigInt(units) * whole),
})

const textOf = ({ kind, on, amount }: Effect): string => `${kind} of ${amount / whole} on ${on}`

/** Steps that not every place can take, or that take longer than others. */
export const moreSteps = {
  cancel: fc.oneof(
    place.map((network) => step(`cancel a nonce on ${network}`, cancelled(network))),
    effect.map((each) => step(`run ${textOf(each)} and cancel what waits`, overtaken(each))),
  ),
  down: place.map((network) => step(`no answer from ${network}`, silenced(network))),
  kill: fc.constant(step('kill the process', killed)),
}

/** Lives of up to so many steps, with these steps besides. */
export const lives = (maxCommands: number, ...more: fc.Arbitrary<Command>[]) =>
  fc.commands(
    [
      ...more,
      fc
        .tuple(effect, fc.constantFrom(false, false, true))
        .map(([each, isLater]) =>
          step(`${isLater ? 'plan' : 'run'} ${textOf(each)}`, carriedOut(each, isLater)),
        ),
      fc
        .tuple(place, fc.constantFrom('gas', 'nonce'), effect)
        .map(([network, by, { kind, on }]) =>
          step(
            `run ${kind} of all on ${on}, failing on ${network} by ${by}`,
            failing(network, by, kind, on),
          ),
        ),
      fc
        .constantFrom(1, 1, 2)
        .map((count) => step(`execute ${count} earlier`, (life) => executeEarlier(life, count))),
      fc
        .constantFrom(0.5, 2, 30, 120, 130, 700)
        .map((seconds) =>
          step(`advance ${seconds} s`, async ({ sim }) => void (await sim.clock.advance(seconds))),
        ),
      rules.map((rule) => step(`fault ${JSON.stringify(rule)}`, add(rule))),
      fc.constant(step('lift all faults', lift)),
      fc
        .tuple(place, fc.integer({ min: 1, max: 3 }), fc.boolean())
        .map(([network, depth, isTaken]) =>
          step(
            `${isTaken ? 'roll back' : 'replace'} ${depth} on ${network}`,
            replaced(network, depth, isTaken),
          ),
        ),
      fc.constant(step('snapshot', snapshot)),
      fc.nat(3).map((which) => step(`restore ${which}`, restored(which))),
    ],
    { maxCommands, size: 'max' },
  )
