import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { fieldsNaming, namesIn } from '../../src/service/plans/model/fields.js'
import { asksQuotes, networksOf } from '../../src/service/plans/model/kind.js'
import { readsOf } from '../kit/chainReads.js'
import { bodies, openPositions } from '../kit/plans.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/**
 * What a plan kind says of itself, against what its requests and plans really are: faults, documents and the reading of the
 * chains go by it.
 */

const book = loadAddressBook()
const network: NetworkName = 'base'

/** Kinds that spend, but need not: what they are asked for then. */
const spendingNothing: Record<string, object> = {
  borrow: { collateral_amount: '0' },
  repay: { amount: '0', collateral_amount: '1000000000000000' },
  migrate: { migrate_only_supply_balances: true },
  'loop-long': { exposure_amount: '10000000000000000', max_provided_backing_amount: '0' },
}

let sim: SimulatorHandle
let user: User
let ready: string

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
  user = await openUser(sim)
  await openPositions(sim, user)
  await user.run('borrow', { ...bodies.borrow, collateral_amount: '500000000000000000' })
  ready = await sim.snapshot()
})
afterEach(() => sim.restore(ready))
afterAll(() => sim.close())

/** What the wallet has of every asset of the network; native and wrapped count as one, since either is taken for the other. */
async function holdings(): Promise<Map<string, bigint>> {
  const reads = readsOf(sim)
  const found = new Map<string, bigint>()
  for (const { symbol } of book.on(network).tokens) {
    const name = symbol === 'ETH' ? 'WETH' : symbol
    const amount = await reads.balance(network, symbol, user.wallet)
    found.set(name, (found.get(name) ?? 0n) + amount)
  }
  return found
}

/** Executes what the body asks for; the assets that the wallet has less of. */
async function takenBy(path: string, body: object): Promise<string[]> {
  const before = await holdings()
  const { activity } = await user.run(path, body)
  expect(activity.activity_status).toBe('confirmed')
  const after = await holdings()
  return [...before].filter(([symbol, amount]) => after.get(symbol)! < amount).map(([name]) => name)
}

/** Adds the rule, or says why not. */
const add = (rule: object): Promise<unknown> =>
  sim.faults.add(rule).then(
    () => 'added',
    (error: Error) => error.message,
  )
const hits = (): number[] => sim.faults.list().map((rule) => rule.hits)

describe.each(planKinds.map((kind) => [kind.path, kind] as const))('%s', (path, kind) => {
  const body = bodies[path]!
  const intent = kind.schema.parse(body)

  test('default: every field that is called an asset or a network is declared as one', () => {
    const fields = Object.keys((kind.schema as z.ZodObject).shape)
    const assets = fields.filter((name) => /(^|_)assets?$/.test(name))
    expect(fieldsNaming('asset', kind.schema)).toEqual(assets)
    expect(assets).not.toEqual([])
    expect(fieldsNaming('network', kind.schema)).toEqual(
      fields.filter((each) => each === 'network'),
    )
  })

  test('behavior: what it spends, buys and reads is named by the request, and it has quotes if it buys', () => {
    const named = namesIn('asset', kind.schema, body)
    for (const symbol of [...(kind.spends?.(intent) ?? []), ...(kind.buys?.(intent) ?? [])])
      expect(named).toContain(symbol)
    expect(networksOf(kind, intent, book)).toEqual(
      expect.arrayContaining(namesIn('network', kind.schema, body)),
    )
    expect(kind.buys !== undefined).toBe(asksQuotes(kind))
  })

  test('behavior: the wallet has less of what it spends, and of nothing else', async () => {
    expect(await takenBy(path, body)).toEqual(kind.spends?.(intent) ?? [])
  })

  test.each([
    ['balance', kind.spends],
    ['price', kind.buys],
  ])('behavior: stale by %s is accepted and comes about, or can never fire', async (by, what) => {
    const added = await add({ on: 'plan', effect: { stale: { by } }, match: { kind: path } })
    if (!what) return expect(added).toContain('the rule can never fire: no request at this seam')
    const planned = await user.plan(path, body)
    expect(planned.status).toBe(201)
    expect((await user.execute(planned.body as PlanBody)).status).toBe(409)
    expect(hits()).toEqual([1])
  })

  test('behavior: a rule meets each asset and the network of a request, when it is planned and when it is executed', async () => {
    const assets = namesIn('asset', kind.schema, body)
    expect(assets.length).toBeGreaterThan(0)
    for (const asset of assets) await expectMet(path, { asset })
    if (fieldsNaming('network', kind.schema).length > 0) return expectMet(path, { network })
    for (const on of ['request', 'plan'])
      expect(await add({ on, effect: answering[on], match: { kind: path, network } })).toMatch(
        /the rule can never fire: no request at this seam is of kind \w+ and names its network; its requests: /,
      )
  })

  test('behavior: an asset that a request does not name is not met', async () => {
    const match = { kind: path, asset: 'WBTC' }
    expect(await add({ on: 'plan', effect: 'fail', match })).toBe('added')
    expect(await add({ on: 'execute', effect: 'reject_signature', match })).toBe('added')
    await user.run(path, body)
    expect(hits()).toEqual([0, 0])
  })
})

/** Effects that answer instead of the service, by their seam. */
const answering: Record<string, string | object> = {
  request: { respond: { error: 'internal_error' } },
  plan: 'fail',
  execute: 'reject_signature',
}

async function expectMet(path: string, match: object): Promise<void> {
  await sim.faults.clear()
  const plan = () => user.plan(path, bodies[path])
  const { body } = await plan()
  for (const [on, effect] of Object.entries(answering)) {
    await sim.faults.set([{ on, effect, match: { ...match, kind: path } }])
    const answer = on === 'execute' ? await user.execute(body as PlanBody) : await plan()
    const met = [on, match, answer.status >= 400, hits()]
    expect(met).toEqual([on, match, true, [1]])
  }
}

test.each(Object.entries(spendingNothing))(
  'behavior: %s that spends nothing takes nothing, and stale by balance lets it pass',
  async (path, change) => {
    await sim.faults.add({
      on: 'plan',
      effect: { stale: { by: 'balance' } },
      match: { kind: path },
    })
    expect(await takenBy(path, { ...bodies[path], ...change })).toEqual([])
    expect(hits()).toEqual([0])
  },
)
