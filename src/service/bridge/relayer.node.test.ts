import { type Address, type Hex, pad, zeroAddress } from 'viem'
import { parseAbiItem, parseEventLogs } from 'viem/utils'
import { afterEach, expect, test } from 'vitest'
import { stranger, useWorld } from '../../../test/kit/world.js'
import { createFaucet } from '../../chain/funds/faucet.js'
import type { Nodes, Receipt } from '../../chain/rpc/node.js'
import { sendAs } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { iSpokePoolAbi } from '../../generated/abis.js'
import type { Wait } from '../../time/clock.js'
import { type Deposit, depositsIn } from './deposit.js'
import { fill } from './fill.js'
import { refundWhenDue } from './refund.js'
import { type BridgeWorker, createBridgeRelayer } from './relayer.js'

const networks = ['base', 'optimism'] as const
const world = useWorld(networks)
const book = loadAddressBook()
const usdc = { base: book.token('base', 'USDC')!, optimism: book.token('optimism', 'USDC')! }
const amount = 5_000_000n
const output = 4_990_000n
/** No asset of any network: nobody can fill a deposit that asks for it. */
const worthless = stranger('no token')

let relayer: BridgeWorker | undefined
afterEach(async () => {
  await relayer?.pause()
  relayer = undefined
})

/** Waiting moves the chains, so that hours go by at once. */
const byMovingTheChains: Wait = async (ms, signal) => {
  if (signal.aborted) return false
  if (ms > 0) for (const network of networks) await world.on(network).warp(Math.ceil(ms / 1000))
  return true
}

/** Never due; ends when it is told to stop. */
const forEver: Wait = (_, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })

const nodes: Nodes = {
  get: (network) => world.on(network).node,
  all: () => networks.map((network) => world.on(network).node),
  stop: async () => {},
}

async function start(
  options: { wait?: Wait; delayMs?: number; forked?: Set<NetworkName> } = {},
): Promise<BridgeWorker> {
  relayer = createBridgeRelayer({
    nodes,
    book,
    faucet: createFaucet(nodes, book),
    clock: { now: () => Date.now() },
    wait: options.wait ?? byMovingTheChains,
    delayMs: options.delayMs ?? 0,
    forked: options.forked ?? new Set(),
    track: (work) => work(),
  })
  await relayer.resume()
  return relayer
}

/** Deposits USDC on base for optimism, fillable for ten minutes. */
async function deposit(
  who: Address,
  outputToken: Address = usdc.optimism.address,
  { exclusiveTo = zeroAddress as Address, exclusiveFor = 0 } = {},
) {
  const base = world.on('base')
  const pool = base.book.spokePool
  await base.give(who, 'USDC', amount, pool)
  const { timestamp } = await base.client.getBlock()
  const now = Number(timestamp)
  const receipt = await base.send(who, pool, iSpokePoolAbi, 'depositV3', [
    ...[who, who, usdc.base.address, outputToken, amount, output],
    ...[BigInt(networkOf('optimism').chainId), exclusiveTo, now - 30, now + 600],
    ...[exclusiveFor && now + exclusiveFor, '0x'],
  ])
  const [made] = depositsIn(receipt.logs, 'base', book)
  return made as Deposit
}

function refundsIn(receipt: Receipt | undefined) {
  const logs = (receipt?.logs ?? []) as unknown as Parameters<typeof parseEventLogs>[0]['logs']
  return parseEventLogs({ abi: iSpokePoolAbi, logs, eventName: 'DepositRefunded' })
}

const held = (network: (typeof networks)[number], who: Address): Promise<bigint> =>
  world.on(network).balance(usdc[network].address, who)

test('default: a deposit is filled on the other network', async () => {
  const who = stranger('filled')
  const bridge = await start()
  const outcome = await bridge.outcome(await deposit(who))
  expect(outcome.status).toBe('filled')
  expect(await held('optimism', who)).toBe(output)
  expect(await held('base', who)).toBe(0n)
})

test('behavior: a deposit that is exclusive to another relayer is filled when that ends, in our own name', async () => {
  const who = stranger('exclusive to another')
  const bridge = await start()
  const exclusive = { exclusiveTo: stranger('another relayer'), exclusiveFor: 120 }
  const made = await deposit(who, usdc.optimism.address, exclusive)
  const outcome = await bridge.outcome(made)
  expect(outcome.status).toBe('filled')
  const { receipt } = outcome as { receipt: Receipt }
  const block = await world
    .on('optimism')
    .client.getBlock({ blockNumber: BigInt(receipt.blockNumber) })
  expect(Number(block.timestamp)).toBeGreaterThan(made.relayData.exclusivityDeadline)
  expect(await held('optimism', who)).toBe(output)
  const logs = receipt.logs as unknown as Parameters<typeof parseEventLogs>[0]['logs']
  const [filled] = parseEventLogs({ abi: iSpokePoolAbi, logs, eventName: 'FilledRelay' })
  expect(filled!.args.relayer).toBe(pad(actors.relayer))
})

test('behavior: one that is exclusive to us is not waited with', async () => {
  const who = stranger('exclusive to us')
  const bridge = await start()
  const exclusive = { exclusiveTo: actors.relayer, exclusiveFor: 120 }
  const made = await deposit(who, usdc.optimism.address, exclusive)
  const outcome = await bridge.outcome(made)
  const { receipt } = outcome as { receipt: Receipt }
  const block = await world
    .on('optimism')
    .client.getBlock({ blockNumber: BigInt(receipt.blockNumber) })
  expect(Number(block.timestamp)).toBeLessThan(made.relayData.exclusivityDeadline)
})

test('error: one that stays exclusive until its deadline goes back', async () => {
  const who = stranger('exclusive for too long')
  const bridge = await start()
  const exclusive = { exclusiveTo: stranger('another relayer'), exclusiveFor: 3_600 }
  const outcome = await bridge.outcome(await deposit(who, usdc.optimism.address, exclusive))
  expect(outcome.status).toBe('failed')
  expect((outcome as { reason: string }).reason).toContain('NotExclusiveRelayer()')
  expect(await held('base', who)).toBe(amount)
})

test('behavior: a fill that is due goes before what has just begun on its network', async () => {
  const who = stranger('filled in time')
  const bridge = await start()
  const made = await deposit(who)
  const { node } = world.on('optimism')
  const fresh = Array.from({ length: 60 }, () =>
    sendAs(node, { from: actors.relayer, to: stranger('anybody'), canWait: true }),
  )
  const outcome = await bridge.outcome(made)
  const filled = outcome.status === 'filled' ? Number(outcome.receipt.blockNumber) : 0
  const later = (await Promise.all(fresh)).filter((each) => Number(each.blockNumber) > filled)
  expect(outcome.status).toBe('filled')
  expect(later.length).toBeGreaterThan(0)
})

test('behavior: fills that are due at once share what the relayer is given, and leave it nothing', async () => {
  const bridge = await start({ wait: forEver })
  const made: Deposit[] = []
  const all = [1, 2, 3, 4, 5].map((i) => stranger(`one of five, ${i}`))
  for (const who of all) made.push(await deposit(who))
  const first = await world.on('optimism').client.getBlockNumber()
  await bridge.pause()
  const again = await start()
  const outcomes = await Promise.all(made.map((each) => again.outcome(each)))
  expect(outcomes.map(({ status }) => status)).toEqual(all.map(() => 'filled'))
  for (const who of all) expect(await held('optimism', who)).toBe(output)
  const gifts = await world.on('optimism').client.getLogs({
    address: usdc.optimism.address,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    args: { from: zeroAddress, to: actors.relayer },
    fromBlock: first + 1n,
  })
  expect(gifts.length).toBeLessThan(all.length)
  expect(gifts.reduce((sum, { args }) => sum + args.value!, 0n)).toBe(output * 5n)
})

test('behavior: a deposit that was filled long ago is not filled once more when the clock is moved', async () => {
  const bridge = await start()
  const asked: string[] = []
  const { rpc } = world.on('base').node
  const request = rpc.request
  for (let i = 0; i < 3; i++) await bridge.outcome(await deposit(stranger(`filled early ${i}`)))
  rpc.request = (method, params) => {
    if (method === 'eth_getLogs') asked.push((params as [{ fromBlock: Hex }])[0].fromBlock)
    return request(method, params)
  }
  try {
    const latest = Number(await rpc.request<Hex>('eth_blockNumber'))
    await bridge.catchUp()
    // What was heard is not looked up, or a relayer that has forgotten it would begin again.
    expect(asked.map(Number)).toEqual([latest])
  } finally {
    rpc.request = request
  }
})

test('behavior: a deposit that cannot be filled is back with its depositor after the deadline', async () => {
  const who = stranger('refunded')
  const bridge = await start()
  const made = await deposit(who, worthless)
  const outcome = await bridge.outcome(made)
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: `the fill failed: ${worthless} is no asset of optimism; 5 USDC refunded on base after the fill deadline`,
  })
  expect(await held('base', who)).toBe(amount)
  const { refund } = outcome as { refund?: Receipt }
  expect(refundsIn(refund)[0]!.args).toMatchObject({ depositId: made.relayData.depositId, amount })
  const { timestamp } = await world.on('base').client.getBlock()
  expect(Number(timestamp)).toBeGreaterThan(made.relayData.fillDeadline)
})

test('behavior: a deposit that is filled during the wait for its deadline is not refunded', async () => {
  const who = stranger('filled meanwhile')
  const made = await deposit(who)
  const { signal } = new AbortController()
  const faucet = createFaucet(nodes, book)
  const fund = async (gift: { asset: string; amount: bigint; network: NetworkName }) =>
    void (await faucet.fund({ address: actors.relayer, ...gift }))
  const parts = { nodes, book, fund, clock: { now: () => Date.now() } }
  const whileFilled: Wait = async (ms, stop) => {
    await fill(parts, made, output, signal)
    return byMovingTheChains(ms, stop)
  }
  const ended = await refundWhenDue({ ...parts, wait: whileFilled }, made, 'why', { signal })
  expect(ended.status).toBe('filled')
  expect(await held('optimism', who)).toBe(output)
  expect(await held('base', who)).toBe(0n)
})

test('behavior: on a forked network, whose pool has no refund to call, the pool itself pays', async () => {
  const who = stranger('refunded on a fork')
  const bridge = await start({ forked: new Set(['base']) })
  const { client, book: networkBook } = world.on('base')
  const before = await client.getBalance({ address: networkBook.spokePool })
  const made = await deposit(who, worthless)
  const outcome = await bridge.outcome(made)
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('refunded on base after the fill deadline'),
  })
  expect(await held('base', who)).toBe(amount)
  expect(await held('base', networkBook.spokePool)).toBe(0n)
  expect(await client.getBalance({ address: networkBook.spokePool })).toBe(before)
})

test('behavior: a relayer that is later than the deadline refunds instead', async () => {
  const who = stranger('late')
  const bridge = await start({ delayMs: 700_000 })
  const outcome = await bridge.outcome(await deposit(who))
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('refunded on base'),
  })
  expect(await held('base', who)).toBe(amount)
  expect(await held('optimism', who)).toBe(0n)
})

test('behavior: what another relayer has filled is filled, and never refunded', async () => {
  const who = stranger('other')
  const other = stranger('other relayer')
  const { send, give, book: networkBook } = world.on('optimism')
  const fillFor = async (made: Deposit): Promise<void> => {
    await give(other, 'USDC', output, networkBook.spokePool)
    const data = [made.relayData, 10n, made.relayData.depositor]
    await send(other, networkBook.spokePool, iSpokePoolAbi, 'fillRelay', data)
  }
  let made: Deposit | undefined
  const bridge = await start({
    delayMs: 1,
    async wait(ms, signal) {
      if (!made) return forEver(ms, signal)
      await fillFor(made)
      return byMovingTheChains(ms, signal)
    },
  })
  const opened = await deposit(who)
  await bridge.pause()
  made = opened
  await bridge.resume()
  expect((await bridge.outcome(opened)).status).toBe('filled')
  expect(await held('optimism', who)).toBe(output)
  expect(await held('base', who)).toBe(0n)
})

test('behavior: a pause ends the wait for a deadline; later it is refunded once', async () => {
  const who = stranger('paused')
  let wait = forEver
  const bridge = await start({
    wait: (ms, signal) => (ms > 0 ? wait(ms, signal) : Promise.resolve(true)),
  })
  const made = await deposit(who, worthless)
  const first = bridge.outcome(made)
  await bridge.pause()
  expect(await first).toEqual({ status: 'interrupted' })
  expect(await held('base', who)).toBe(0n)
  wait = byMovingTheChains
  await bridge.resume()
  const [once, twice] = await Promise.all([bridge.outcome(made), bridge.outcome(made)])
  expect(once).toEqual(twice)
  expect(await held('base', who)).toBe(amount)
})
