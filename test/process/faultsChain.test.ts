import type { Address, Hex } from 'viem'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { rpc } from '../kit/http.js'
import { anvilOf, childrenOf, isAlive } from '../kit/processes.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

/** Networks that stop answering, crawl, stand still, or take back what they had said. */

const book = loadAddressBook()
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
const all = 5_000_000n
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ readTimeoutMs: 2_000, bridgeDelayMs: 20 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(on: SimulatorHandle = sim): Promise<User> {
  const user = await openUser(on)
  await user.fund('base', 'USDC', all)
  return user
}

async function planOf(user: User): Promise<PlanBody> {
  const { body } = await user.plan('transfer', transfer)
  expect(body).toMatchObject({ plan_id: expect.any(String) })
  return body as PlanBody
}

function usdcOf(account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc('base')) })
  const { address } = book.token('base', 'USDC')!
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

async function why(id: string): Promise<{ now: string; verdict: { next: string | null } }> {
  const response = await fetch(`${sim.url}/_sim/why/${id}`)
  return (await response.json()) as Awaited<ReturnType<typeof why>>
}

async function activityOf(user: User, id: string): Promise<ActivityBody> {
  return (await user.api.get(`/activities/${id}`)).body as ActivityBody
}

/**
 * Reads events by long polls until the status of the activity has changed so often; resolves to what it was in turn. An activity can be
 * pending in two events in a row: one that waits in the pool has its hash the second time.
 */
async function statuses(user: User, count: number): Promise<string[]> {
  const seen: string[] = []
  for (let cursor = 0; seen.length < count; ) {
    const { body } = await user.api.get(`${user.path}/events?since=${cursor}&poll=true`)
    cursor = body.cursor
    for (const { data } of body.events)
      if (data.activity_status !== seen.at(-1)) seen.push(data.activity_status)
  }
  return seen
}

test('behavior: down: nothing answers on that network, execution is internal_error; afterwards all goes on', async () => {
  const user = await funded()
  const plan = await planOf(user)
  await sim.faults.add({ id: 'dead', on: 'chain', effect: 'down', match: { network: 'base' } })
  const failed = await user.execute(plan)
  expect(failed).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  const read = await user.api.get(`${user.path}/folio`)
  expect(read).toMatchObject({ status: 408 })
  const planned = await user.plan('transfer', transfer)
  expect(planned).toMatchObject({ status: 408 })
  const refusals = [failed, read, planned].map(({ headers }) => {
    expect(headers.get('x-svc-sim-fault')).toBe('dead')
    return headers.get('x-svc-sim-request-id')!
  })
  const remove = 'remove the rule dead (DELETE /_sim/faults/dead), then '
  for (const id of [...refusals, user.id]) {
    const { now, verdict } = await why(id)
    expect(now).toMatch(/, because dead \(chain\.down\) stopped the base node$/)
    expect(verdict).toMatchObject({
      fault: { rule: 'dead' },
      next: `${remove}send the request again`,
    })
  }
  const ofPlan = await why(plan.plan_id)
  expect(ofPlan.now).toMatch(
    /; its last execution failed, because dead \(chain\.down\) stopped the base node; nothing was sent, so it does not run by itself$/,
  )
  expect(ofPlan.verdict.next).toMatch(
    /^remove the rule dead \(DELETE \/_sim\/faults\/dead\), then sign the digest of the plan/,
  )
  for (const id of refusals) expect((await why('dead')).now).toContain(id)
  const patience = AbortSignal.timeout(100)
  await expect(rpc(sim.rpc('base'), 'eth_chainId', [], patience)).rejects.toThrow()
  const { body } = await user.api.get('/health/ready')
  expect(body.networks).toMatchObject({ base: { ready: false }, optimism: { ready: true } })
  await sim.faults.clear()
  // It was not sent late either.
  expect((await user.api.get(`${user.path}/activities`)).body.activities).toEqual([])
  expect((await why(refusals[0]!)).verdict.next).toBe('send the request again')
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  expect((await user.follow(executed.body.activity_id)).activity_status).toBe('confirmed')
})

test('behavior: down twice on one node: it answers when both rules are gone', async () => {
  const user = await funded()
  const rule = { on: 'chain', effect: 'down', match: { network: 'base' } } as const
  const [first, second] = [await sim.faults.add(rule), await sim.faults.add(rule)]
  await sim.faults.remove(first.id)
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(408)
  await sim.faults.remove(second.id)
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
})

test('behavior: a simulator with all nodes down closes, and leaves no process behind', async () => {
  await using other = await createSimulator()
  const before = childrenOf(process.pid, 'anvil')
  await other.faults.add({ on: 'chain', effect: 'down' })
  await other.close()
  expect(before.filter(isAlive)).toHaveLength(5)
  expect(isAlive(anvilOf(networkOf('base').chainId))).toBe(true)
})

test('behavior: slow: within the read timeout it only takes longer, beyond it is 408', async () => {
  const user = await funded()
  const { id } = await sim.faults.add({ on: 'chain', effect: { slow: { ms: 1 } } })
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
  expect(await rpc(sim.rpc('base'), 'eth_chainId')).toBe('0x2105')
  expect(sim.faults.list()[0]!.hits).toBeGreaterThanOrEqual(6)
  await sim.faults.remove(id)
  const match = { network: 'base', method: 'eth_call' } as const
  await sim.faults.add({ on: 'chain', effect: { slow: { ms: 60_000 } }, match })
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(408)
  expect(await rpc(sim.rpc('base'), 'eth_chainId')).toBe('0x2105')
  await sim.faults.clear()
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
})

test('behavior: halt: the transaction waits in the pool, reads go on; afterwards it is mined', async () => {
  const user = await funded()
  const plan = await planOf(user)
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const executed = await user.execute(plan)
  expect(executed.status).toBe(200)
  for (;;) {
    const { pending } = await rpc<{ pending: Hex }>(sim.rpc('base'), 'txpool_status')
    if (Number(pending) === 1) break
  }
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(200)
  expect(await usdcOf(user.wallet)).toBe(all)
  await sim.faults.remove(id)
  expect((await user.follow(executed.body.activity_id)).activity_status).toBe('confirmed')
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
})

test('behavior: moving the clock mines nothing on a halted chain and does not wait for it', async () => {
  const user = await funded()
  const plan = await planOf(user)
  const { id } = await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
  const before = await rpc(sim.rpc('base'), 'eth_blockNumber')
  const executed = await user.execute(plan)
  await sim.clock.advance(60)
  expect((await activityOf(user, executed.body.activity_id)).activity_status).toBe('pending')
  expect(await rpc(sim.rpc('base'), 'eth_blockNumber')).toBe(before)
  await sim.faults.remove(id)
  expect((await user.follow(executed.body.activity_id)).activity_status).toBe('confirmed')
  const { timestamp } = await rpc<{ timestamp: Hex }>(sim.rpc('base'), 'eth_getBlockByNumber', [
    'latest',
    false,
  ])
  expect(Math.abs(Number(timestamp) - sim.clock.time().ms / 1000)).toBeLessThan(60)
})

test('error: snapshots and the clock refuse while a node is down, and keep nobody out', async () => {
  const user = await funded()
  const { id } = await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'base' } })
  await expect(sim.snapshot()).rejects.toThrow(/Nothing was changed: base: /)
  await expect(sim.clock.advance(1)).rejects.toThrow(/The clock was not moved: base: /)
  expect((await user.api.get(`${user.path}/folio?cached=true`)).status).toBe(408)
  expect((await user.api.get(`${user.path}/events`)).status).toBe(200)
  await sim.faults.remove(id)
  await sim.snapshot()
})

test('behavior: a simulator whose chain is halted closes while a transaction waits', async () => {
  await using other = await createSimulator()
  const user = await funded(other)
  const plan = await planOf(user)
  await other.faults.add({ on: 'chain', effect: 'halt' })
  expect((await user.execute(plan)).status).toBe(200)
  await other.close()
})

test('behavior: a chain that a client has halted itself does not hold up the end either', async () => {
  await using other = await createSimulator({ rpcUnsafe: true })
  const user = await funded(other)
  const plan = await planOf(user)
  await fetch(other.rpc('base'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [false] }),
  })
  expect((await user.execute(plan)).status).toBe(200)
  await other.close()
})

test('behavior: reorg: a confirmed activity is pending again and confirmed again; money moves once', async () => {
  const [user, other] = [await funded(), await funded()]
  const before = await usdcOf(friend)
  const plan = await planOf(user)
  const { id } = await sim.faults.add({
    on: 'chain',
    effect: 'reorg',
    match: { account_id: user.id },
  })
  const executed = await user.execute(plan)
  expect(await statuses(user, 4)).toEqual(['pending', 'confirmed', 'pending', 'confirmed'])
  const activity = await activityOf(user, executed.body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  expect(sim.faults.list()).toMatchObject([{ id, hits: 1 }])
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
  expect((await usdcOf(friend)) - before).toBe(1_000_000n)
  const [item] = activity.activity_metadata
  const receipt = await rpc<{ status: Hex }>(sim.rpc('base'), 'eth_getTransactionReceipt', [
    item!.transaction_hash,
  ])
  expect(receipt.status).toBe('0x1')
  expect((await other.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: reorg of some depth: the hashes are gone, what others had done is still there', async () => {
  const [user, other] = [await funded(), await funded()]
  const theirs = (await other.run('transfer', transfer)).activity.activity_metadata[0]!
  const hashOf = async (number: unknown): Promise<Hex> =>
    (
      await rpc<{ hash: Hex }>(sim.rpc('base'), 'eth_getBlockByNumber', [
        `0x${Number(number).toString(16)}`,
        false,
      ])
    ).hash
  const block = await hashOf(theirs.executed_at_block_number)
  const plan = await planOf(user)
  await sim.faults.add({
    on: 'chain',
    effect: { reorg: { depth: 3 } },
    match: { account_id: user.id },
  })
  await user.execute(plan)
  await statuses(user, 4)
  expect(await rpc(sim.rpc('base'), 'eth_getBlockByHash', [block, false])).toBe(null)
  const receipt = await rpc<{ status: Hex }>(sim.rpc('base'), 'eth_getTransactionReceipt', [
    theirs.transaction_hash,
  ])
  expect(receipt).toMatchObject({ status: '0x1' })
  expect(await usdcOf(other.wallet)).toBe(all - 1_000_000n)
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
  // Nothing is left behind in the pool or in the nonces.
  expect(await rpc(sim.rpc('base'), 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  expect((await other.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

/** Asks for a block of base until it is one of another branch: those have a miner, the usual ones have none. */
async function replacedBlock(number: Hex): Promise<{ hash: Hex }> {
  for (;;) {
    const block = await rpc<{ hash: Hex; miner: Hex } | null>(
      sim.rpc('base'),
      'eth_getBlockByNumber',
      [number, false],
    )
    if (block && BigInt(block.miner) !== 0n) return block
  }
}

test('behavior: reorg that keeps the transaction: same hash, another block, the activity stays confirmed', async () => {
  const user = await funded()
  await sim.faults.add({
    on: 'chain',
    effect: { reorg: { keep: true } },
    match: { account_id: user.id },
  })
  const { activity } = await user.run('transfer', transfer)
  const [item] = activity.activity_metadata
  const number: Hex = `0x${Number(item!.executed_at_block_number).toString(16)}`
  const { hash } = await replacedBlock(number)
  await sim.faults.clear()
  const receipt = await rpc(sim.rpc('base'), 'eth_getTransactionReceipt', [item!.transaction_hash])
  expect(receipt).toMatchObject({ status: '0x1', blockHash: hash, blockNumber: number })
  expect(await usdcOf(user.wallet)).toBe(all - 1_000_000n)
  expect(await statuses(user, 2)).toEqual(['pending', 'confirmed'])
})

test('behavior: reorg of any depth loses no native funds, although no transaction gave them', async () => {
  const user = await openUser(sim)
  for (let i = 0; i < 3; i++) await rpc(sim.rpc('base'), 'evm_mine')
  await user.fund('base', 'ETH', 10n ** 18n)
  await sim.faults.add({ on: 'chain', effect: { reorg: { depth: 20 } } })
  const plan = (await user.plan('transfer', { ...transfer, asset: 'ETH' })).body as PlanBody
  await user.execute(plan)
  expect((await statuses(user, 4)).at(-1)).toBe('confirmed')
  expect(BigInt(await rpc<Hex>(sim.rpc('base'), 'eth_getBalance', [user.wallet, 'latest']))).toBe(
    10n ** 18n - 1_000_000n,
  )
})

test('behavior: reorg under a bridge deposit: it is made again, and nothing arrives twice', async () => {
  const user = await funded()
  await user.fund('optimism', 'USDC', all)
  const before = await usdcOf(friend)
  await sim.faults.add({ on: 'chain', effect: 'reorg', match: { network: 'optimism' }, times: 1 })
  const plan = (await user.plan('transfer', { ...transfer, amount: '7000000' })).body as PlanBody
  const { body } = await user.execute(plan)
  // Deposited and filled; then deposited again, and the fill stands.
  expect(await statuses(user, 4)).toEqual(['pending', 'confirmed', 'pending', 'confirmed'])
  const activity = await activityOf(user, body.activity_id)
  expect(activity.activity_metadata.map(({ success }) => success)).toEqual([true, true, true])
  const { input_amount } = activity.activity_metadata[0]!.action_context as Record<string, string>
  const optimism = createPublicClient({ transport: http(sim.rpc('optimism')) })
  const { address } = book.token('optimism', 'USDC')!
  const args = [user.wallet] as const
  expect(
    await optimism.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args }),
  ).toBe(all - BigInt(input_amount!))
  expect((await usdcOf(friend)) - before).toBe(7_000_000n)
  expect(await usdcOf(user.wallet)).toBe(0n)
})

test('behavior: reorg does not take back a block that a snapshot stands on', async () => {
  const user = await funded()
  const plan = await planOf(user)
  const id = await sim.snapshot()
  await sim.faults.add({ on: 'chain', effect: { reorg: { depth: 30 } } })
  await user.execute(plan)
  await statuses(user, 4)
  await sim.faults.clear()
  await sim.restore(id)
  expect(await usdcOf(user.wallet)).toBe(all)
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('error: what stands cannot be counted', async () => {
  for (const effect of ['down', 'halt'] as const)
    await expect(sim.faults.add({ on: 'chain', effect, times: 2 })).rejects.toThrow('do not apply')
})
