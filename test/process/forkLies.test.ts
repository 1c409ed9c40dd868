import { type Address, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sendAs } from '../../src/chain/transactions/send.js'
import { walletAddressOf } from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { positionsOn } from '../kit/positions.js'
import {
  type RpcCall,
  type RpcReply,
  startUpstream,
  type Upstream,
  upstreamKey,
} from '../kit/upstream.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/**
 * A fork of base whose endpoint answers, but badly, against the whole simulator. Each test has a wallet of its own that owns USDC there, of
 * which nobody has read anything: what is told of it is the truth, or an error with the reason.
 */

const usdc = 10n ** 6n
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const keyOf = (i: number): Hex => toHex(0x1e5_0000 + i, { size: 32 })
/** What the wallet of the i-th key owns, in whole USDC. */
const ownedBy = (i: number) => BigInt(5 + i)
const wallets = 40
let next = 0
let upstream: Upstream
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream('base')
  const { address } = upstream.book.tokens.find(({ symbol }) => symbol === 'USDC')!
  for (let i = 0; i < wallets; i++) {
    const data = encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 amount)']),
      args: [walletAddressOf(privateKeyToAddress(keyOf(i))), ownedBy(i) * usdc],
    })
    await sendAs(upstream.node, { from: actors.admin, to: address, data })
  }
  await upstream.rpc.request('evm_mine')
  sim = await createSimulator({ fork: { base: { url: upstream.url } }, forkCache: 'none' })
})
afterEach(() => {
  upstream.mood = 'well'
  upstream.lie = undefined
})
afterAll(async () => {
  await sim?.close()
  await upstream?.stop()
})

interface Owner {
  user: User
  /** In the smallest unit. */
  owns: bigint
}

async function nextOwner(): Promise<Owner> {
  const i = next++
  expect(i).toBeLessThan(wallets)
  return { user: await openUser(sim, keyOf(i)), owns: ownedBy(i) * usdc }
}

const transferOf = (amount: bigint) => ({
  ...{ asset: 'USDC', amount: amount.toString(), network: 'base', recipient: friend },
})

/** The folio is right, or says why there is none. Resolves to which. */
async function folioIsHonest({ user, owns }: Owner): Promise<'right' | 'refused'> {
  const { status, body } = await user.api.get(`${user.path}/folio`)
  if (status === 200) {
    const balances = body.folio.balances as Record<string, string>
    expect(balances[`token/base/USDC/${user.wallet}`]).toBe(`${owns / usdc}e6`)
    return 'right'
  }
  expectReason({ status, body }, [408])
  return 'refused'
}

function expectReason(
  { status, body }: { status: number; body: { message: string } },
  allowed: number[],
): void {
  expect(allowed).toContain(status)
  expect(body.message).toMatch(
    /^base is forked from 127\.0\.0\.1:\d+, (which|whose) .*--fork base=URL/,
  )
  expect(body.message).not.toContain(upstreamKey)
}

/** With the endpoint well again everything is as if nothing had been. */
async function expectAllWell({ user, owns }: Owner): Promise<void> {
  upstream.mood = 'well'
  upstream.lie = undefined
  expect(await folioIsHonest({ user, owns })).toBe('right')
  const chain = positionsOn(sim, 'base')
  const before = await chain.balance('USDC', friend)
  expect((await user.run('transfer', transferOf(owns))).activity.activity_status).toBe('confirmed')
  expect(await chain.balance('USDC', friend)).toBe(before + owns)
  expect(await chain.balance('USDC', user.wallet)).toBe(0n)
}

type Lie = (answer: RpcReply, call: RpcCall) => unknown

const isState = ({ method }: RpcCall) =>
  /^eth_(get(StorageAt|Balance|Code|TransactionCount|AccountInfo)|call)$/.test(method)
/** Lies about state alone. */
const about =
  (lie: Lie): Lie =>
  (answer, call) =>
    isState(call) ? lie(answer, call) : answer

test.each<[string, 'right' | 'refused', Lie]>([
  [
    'zeros for slots that are read together',
    'right',
    (answer, { method, params }) =>
      method === 'eth_call' && params[2] && typeof answer.result === 'string'
        ? { ...answer, result: answer.result.replace(/[^x]/g, '0') }
        : answer,
  ],
  [
    'accounts without their code',
    'right',
    (answer, { method }) =>
      method === 'eth_getAccountInfo'
        ? { ...answer, result: { ...Object(answer.result), code: undefined } }
        : answer,
  ],
  ['half of each answer', 'refused', about((answer) => JSON.stringify(answer).slice(0, 40))],
  ['a page for people', 'refused', about(() => '<html>We are glad to see you</html>')],
  ['answers without a result', 'refused', about(({ id }) => ({ jsonrpc: '2.0', id }))],
  ['null', 'refused', about((answer) => ({ ...answer, result: null }))],
  ['empty words', 'refused', about((answer) => ({ ...answer, result: '0x' }))],
  ['numbers that are none', 'refused', about((answer) => ({ ...answer, result: '0xzz' }))],
  ['a number for a text', 'refused', about((answer) => ({ ...answer, result: 0 }))],
  ['answers to other questions', 'refused', about((answer) => ({ ...answer, id: answer.id + 1 }))],
  [
    'blocks that it has not yet',
    'refused',
    about(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32000, message: 'header not found' },
    })),
  ],
])(
  'error: an endpoint that gives %s: no figure is wrong, and it is well afterwards',
  async (_what, end, lie) => {
    const owner = await nextOwner()
    upstream.lie = lie
    expect(await folioIsHonest(owner)).toBe(end)
    const plan = await owner.user.plan('transfer', transferOf(owner.owns))
    if (end === 'refused') expectReason(plan, [408])
    else expect(plan.status).toBe(201)
    await expectAllWell(owner)
  },
)

test.each<[string, Upstream['mood']]>([
  ['limits the rate of requests', { busyFor: 6 }],
  ['breaks connections off', { cutFor: 1 }],
])('behavior: an endpoint that %s is asked again, and all is right', async (_what, mood) => {
  const owner = await nextOwner()
  upstream.mood = mood
  expect(await folioIsHonest(owner)).toBe('right')
  await expectAllWell(owner)
})

test('behavior: answers that come late, and in another order, are those that were asked for', async () => {
  const owners = [await nextOwner(), await nextOwner(), await nextOwner()]
  let turn = 0
  upstream.lie = (answer) =>
    new Promise((resolve) => setTimeout(() => resolve(answer), (turn++ % 4) * 20))
  expect(await Promise.all(owners.map(folioIsHonest))).toEqual(['right', 'right', 'right'])
  for (const owner of owners) await expectAllWell(owner)
})

test('error: whenever it dies for good in the life of a plan, each answer has the reason and nothing is half-done', async () => {
  const chain = positionsOn(sim, 'base')
  const ends = new Set<string>()
  for (const answers of [0, 2, 8, 32, 128, 512]) {
    const owner = await nextOwner()
    const { user, owns } = owner
    const part = transferOf(usdc)
    upstream.mood = { wellFor: answers }
    const end = await lifeOf(user, part)
    ends.add(end)
    upstream.mood = 'well'
    const paid = end === 'confirmed' ? usdc : 0n
    expect([answers, await chain.balance('USDC', user.wallet)]).toEqual([answers, owns - paid])
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    expect(activities).toHaveLength(end === 'confirmed' || end === 'failed' ? 1 : 0)
    await expectAllWell({ user, owns: owns - paid })
  }
  // At the ends it dies before anything, and after everything.
  expect(ends).toContain('not planned')
  expect(ends).toContain('confirmed')
}, 200_000)

/** Plans, executes and follows as far as it goes. */
async function lifeOf(user: User, intent: object) {
  const planned = await user.plan('transfer', intent)
  if (planned.status !== 201) {
    expectReason(planned, [408])
    return 'not planned'
  }
  const executed = await user.execute(planned.body as PlanBody)
  if (executed.status !== 200) {
    expect(executed.status).toBe(500)
    expect(executed.body.message).toMatch(/^Execution failed: base is forked from /)
    expect(executed.headers.get('x-svc-sim-hint')).toContain('nothing was sent')
    return 'not executed'
  }
  return (await user.follow(executed.body.activity_id)).activity_status
}
