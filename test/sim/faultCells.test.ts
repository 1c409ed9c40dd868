import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { textOfWhy } from '../../src/observe/journal/whyText.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { planCodes } from '../../src/service/plans/model/kind.js'
import {
  byPenniless,
  byWealthy,
  type FaultCell,
  faultCells,
  syntheticBy,
} from '../kit/faultCells.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** Every documented error of every endpoint is met on purpose, from the data that docs/faults.md shows. */

let sim: SimulatorHandle
let user: Awaited<ReturnType<typeof openUser>>
let penniless: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  sim = await createSimulator()
  user = await openUser(sim)
  penniless = await openUser(sim)
  await user.fund('base', 'USDC', 1_100_000_000n)
  const supply = { asset: 'USDC', amount: '1000000000', network: 'base', protocol: 'compound' }
  await user.run('earn', supply)
  // For the rewards of a day.
  await sim.clock.advance(86_400)
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const transfer = {
  asset: 'USDC',
  amount: '1000000',
  network: 'base',
  recipient: '0x00000000000000000000000000000000000f41e7',
}

/** Does what the cell says. */
async function meet({ by, method, path, body }: FaultCell) {
  if (by === 'a plan and its signature')
    return user.execute((await user.plan('transfer', transfer)).body as PlanBody)
  if (by === 'the signer of an account')
    return user.api.post(path, { signer_type: 'eoa', signer_address: user.signer })
  const asking = by === byPenniless ? penniless.path : user.path
  const account = by === 'an account that does not exist' ? '/accounts/acc_nobody000000' : asking
  const at = path.replace(/^\./, account)
  return method === 'GET' ? user.api.get(at) : user.api.post(at, body)
}

test.each(faultCells)('error: $method $path $status $code', async (cell) => {
  if (cell.rule) await sim.faults.add({ ...cell.rule, id: 'provokes' })
  const met = await meet(cell)
  expect(met).toMatchObject({ status: cell.status, body: { error: cell.code } })
  expect(met.body.message).toContain(cell.says ?? '')
  if (cell.rule) expect(sim.faults.list()).toMatchObject([{ hits: 1 }])
  // What to do next is an instruction: the hint, which explains the refusal, is not repeated as one.
  const { body: why } = await user.api.get(`/_sim/why/${met.headers.get('x-svc-sim-request-id')}`)
  const [, next = ''] = /\nnext: (.*)\n$/.exec(textOfWhy(why)) ?? []
  const removal =
    /^remove the rule provokes(, which undoes it)? \(DELETE \/_sim\/faults\/provokes\), then /
  expect(removal.test(next)).toBe(cell.rule !== undefined)
  expect(next.replace(removal, '')).toMatch(/^(send|change|make|correct|use|wait|create|fund) /)
  const hint = met.headers.get('x-svc-sim-hint')
  if (hint !== null) expect(next).not.toContain(hint)
})

test.each(faultCells.filter(({ by }) => by === byWealthy))(
  'behavior: $path is answered again when the cause is gone',
  async (cell) => {
    await sim.faults.add({ ...cell.rule, id: 'provokes' })
    expect((await meet(cell)).status).toBe(cell.status)
    await sim.faults.remove('provokes')
    expect((await meet(cell)).status).toBe(201)
  },
)

test('behavior: plan_failed and swap_quote_failed are caused, not synthetic', () => {
  const caused = faultCells.filter(({ code }) =>
    ['plan_failed', 'swap_quote_failed'].includes(code),
  )
  expect(caused.length).toBeGreaterThan(planKinds.length)
  expect(caused.filter(syntheticBy)).toEqual([])
})

test('default: every code that a plan kind documents has its cell', () => {
  for (const kind of planKinds) {
    const { path } = kind
    const cells = faultCells.filter((cell) => cell.path === `./plan/${path}`)
    const codes = new Set(planCodes(kind))
    expect(new Set(cells.map(({ code }) => code)), path).toEqual(codes)
  }
})
