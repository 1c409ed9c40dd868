import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { planKinds } from '../src/plans/index.js'
import { type FaultCell, faultCells } from './kit/faultCells.js'
import { openUser, type PlanBody } from './kit/user.js'

/** Every documented error of every endpoint is met on purpose, from the data that docs/faults.md shows. */

let sim: SimulatorHandle
let user: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  sim = await createSimulator()
  user = await openUser(sim)
  await user.fund('base', 'USDC', 100_000_000n)
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
  const account = by === 'an account that does not exist' ? '/accounts/acc_nobody000000' : user.path
  const at = path.replace(/^\./, account)
  return method === 'GET' ? user.api.get(at) : user.api.post(at, body)
}

test.each(faultCells)('error: $method $path $status $code', async (cell) => {
  if (cell.rule) await sim.faults.add({ ...cell.rule, id: 'provokes' })
  const met = await meet(cell)
  expect(met).toMatchObject({ status: cell.status, body: { error: cell.code } })
  if (cell.rule) expect(sim.faults.list()).toMatchObject([{ hits: 1 }])
})

test('default: every code that a plan kind of the interface documents has its cell', () => {
  const unshown = ['repay', 'withdraw-backing', 'withdraw', 'transfer']
  for (const { path, errors } of planKinds) {
    if (unshown.includes(path)) continue
    const cells = faultCells.filter((cell) => cell.path === `./plan/${path}`)
    const codes = new Set(['invalid_params', ...errors])
    expect(new Set(cells.map(({ code }) => code)), path).toEqual(codes)
  }
})
