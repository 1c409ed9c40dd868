import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NetworkName, networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { startSimulator } from '../../src/simulator/sim.js'
import { readAnyManifest } from '../../src/wal/manifest.js'
import { readsOf } from '../kit/chainReads.js'
import { type CliRun, killRuns, runCli } from '../kit/cli.js'
import { imageOf } from '../kit/dataFolders.js'
import { startEndpoint } from '../kit/endpoint.js'
import { rpc } from '../kit/http.js'
import { markedBy, waitUntilGone } from '../kit/processes.js'
import { all, expectOnChain, startOn } from '../kit/told.js'
import { startUpstream, type Upstream, upstreamKey } from '../kit/upstream.js'
import { type ActivityBody, openUser, type User, userAt } from '../kit/user.js'

/** A data folder in which base is forked: it goes on as it was left, with its endpoint and without. */

const network = 'base'
const usdc = 10n ** 6n
const earn = { asset: 'USDC', amount: `${20n * usdc}`, network, protocol: 'compound' }
const transfer = {
  ...{ asset: 'USDC', amount: `${1_100n * usdc}`, network },
  recipient: '0x00000000000000000000000000000000000f41e7',
}
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: `${30n * usdc}`, network }
let upstream: Upstream
let root: string
/** The folder that one test leaves to the next. */
let dir: string
let forkedAt: number
let user: User
let seen: Seen

const said: string[] = []
const say = (step: string): void => void said.push(step)

beforeAll(async () => {
  upstream = await startUpstream(network)
  await upstream.setPrice('ETH', 2900n * 10n ** 8n)
  await upstream.rpc.request('evm_mine')
  root = await mkdtemp(join(tmpdir(), 'svc-sim-fork-data-'))
  dir = join(root, 'team')
})
afterAll(() => {
  killRuns()
  return upstream.stop()
})

const fork = () => ({ [network]: { url: upstream.url } })
const forkOption = () => ['--fork', `${network}=${upstream.url}`]

interface Block {
  number: Hex
  hash: Hex
}

/** What somebody sees of an account and of the chain. */
interface Seen {
  blocks: Block[]
  balances: Record<string, string>
  receipts: unknown[]
  activities: unknown
  events: unknown
}

type Place = Pick<SimulatorHandle, 'rpc'>

/** @param blocks Those that are looked at; all since the fork when absent. */
async function look(sim: Place, { api, path, wallet }: User, blocks?: Block[]): Promise<Seen> {
  const head = Number(await rpc<Hex>(sim.rpc(network), 'eth_blockNumber'))
  const numbers = blocks
    ? blocks.map(({ number }) => Number(number))
    : Array.from({ length: head - forkedAt + 1 }, (_, i) => forkedAt + i)
  const activities = (await api.get(`${path}/activities`)).body.activities
  const hashes = (activities as ActivityBody[]).flatMap(({ activity_metadata }) =>
    activity_metadata
      .filter(({ chain_id }) => chain_id === networkOf(network).chainId)
      .map(({ transaction_hash }) => transaction_hash),
  )
  const blockOf = async (number: number): Promise<Block> => {
    const block = await rpc<Block>(sim.rpc(network), 'eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])
    return { number: block.number, hash: block.hash }
  }
  const reads = readsOf(sim)
  const balances = await Promise.all(
    ['USDC', 'WETH', 'ETH'].map(async (symbol) => [
      symbol,
      String(await reads.balance(network, symbol, wallet)),
    ]),
  )
  return {
    blocks: await Promise.all(numbers.map(blockOf)),
    balances: Object.fromEntries(balances),
    receipts: await Promise.all(
      hashes.map((hash) => rpc(sim.rpc(network), 'eth_getTransactionReceipt', [hash])),
    ),
    activities,
    events: (await api.get(`${path}/events`)).body.events,
  }
}

/** The program, as a library's handle: as far as these tests use it. */
async function started(...options: string[]) {
  const { run, ready } = await startOn(dir, ...options)
  const sim = {
    ...ready,
    rpc: (name: NetworkName) => ready.rpc[name],
    async fund(body: object) {
      const answer = await fetch(`${ready.url}/_sim/fund`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { message } = (await answer.json()) as { message?: string }
      if (!answer.ok) throw new Error(message)
    },
  } as unknown as SimulatorHandle
  return { run, sim }
}

async function expectSeen(sim: Place, expected: Seen): Promise<void> {
  expect(await look(sim, userAt(sim as SimulatorHandle, user), expected.blocks)).toEqual(expected)
}

async function killed(run: CliRun): Promise<void> {
  const nodes = markedBy(run.mark, 'anvil')
  run.kill('SIGKILL')
  await run.ended
  await waitUntilGone(nodes)
}

async function stopped(run: CliRun): Promise<void> {
  run.kill('SIGTERM')
  expect(await run.ended).toMatchObject({ code: 0 })
}

test('default: killed and started again, a fork goes on at its block with the same money, blocks and activities', async () => {
  const first = await started(...forkOption())
  const { forks } = (await readAnyManifest(dir))!
  forkedAt = forks![network]!.block
  expect(forkedAt).toBe(Number(await upstream.rpc.request('eth_blockNumber')))
  user = await openUser(first.sim)
  await user.fund(network, 'USDC', 1_000n * usdc)
  await user.run('earn', earn)
  await user.run('swap', swap)
  // A bridge into the fork: nobody can have recorded what its fill reads.
  await user.fund('arbitrum', 'USDC', 500n * usdc)
  const { activity: bridged } = await user.run('transfer', transfer)
  expect(bridged.activity_metadata.map(({ action_type }) => action_type)).toContain('BRIDGE')
  seen = await look(first.sim, user)
  expect(seen.receipts).not.toContain(null)
  expect(BigInt(seen.balances.USDC!)).toBeLessThan(usdc)
  await killed(first.run)
  // Its log alone leads there.
  const copy = join(root, 'copy')
  await cp(dir, copy, { recursive: true })
  {
    await using alone = await createSimulator({ dataDir: copy, onProgress: say })
    expect(said.join('\n')).not.toContain('other blocks came out')
    await expectSeen(alone, seen)
  }

  // The network goes on, and nobody here sees anything of it.
  await upstream.setPrice('ETH', 1_000n * 10n ** 8n)
  await upstream.rpc.request('anvil_setBalance', [user.wallet, '0x7'])
  for (let i = 0; i < 40; i++) await upstream.rpc.request('evm_mine')
  upstream.asked.length = 0
  const second = await started(...forkOption())
  expect(second.run.stderr).toMatch(/the last run ended suddenly; nothing is lost/)
  expect(second.run.stderr).not.toContain('other blocks came out')
  await expectSeen(second.sim, seen)
  expect(Object.keys((await readAnyManifest(dir))!.forks!)).toEqual([network])
  const again = userAt(second.sim, user)
  await again.fund(network, 'USDC', 500n * usdc)
  const { activity } = await again.run('earn', { ...earn, protocol: 'aave' })
  await expectOnChain(second.sim.rpc, activity)
  const text = (
    await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')))
  ).join()
  for (const secret of [upstreamKey, new URL(upstream.url).host]) expect(text).not.toContain(secret)
  const atStart = seen
  seen = await look(second.sim, again)

  // Its node alone: the process that comes after has the same blocks.
  const { pid } = await nodeOf(second.run)
  process.kill(pid, 'SIGKILL')
  await second.run.saying('stderr', /the base node ended \(SIGKILL\), and was started again/)
  await expectSeen(second.sim, seen)
  // With the process went the mark of the start; the node is started over.
  const reset = await fetch(`${second.sim.controlUrl}/reset`, { method: 'POST' })
  expect(reset.status, await reset.text()).toBe(200)
  await expectSeen(second.sim, atStart)
  await again.fund(network, 'USDC', 500n * usdc)
  await again.run('earn', earn)
  seen = await look(second.sim, again)
  await stopped(second.run)
}, 240_000)

/** The process of the forked node. */
async function nodeOf(run: CliRun): Promise<{ pid: number }> {
  for (const pid of markedBy(run.mark, 'anvil')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    if (line.includes('--fork-url')) return { pid }
  }
  throw new Error('no node is forked')
}

test('behavior: with its endpoint dead it goes on from what is recorded, and says so; what was never read is an error', async () => {
  upstream.mood = 'broken'
  await using sim = await createSimulator({ dataDir: dir, fork: fork(), onProgress: say })
  expect(said.join('\n')).toMatch(
    /base: continues from what its data folder has recorded: base is forked from/,
  )
  await expectSeen(sim, seen)
  const again = userAt(sim, user)
  const { activity } = await again.run('earn', earn)
  expect(activity.activity_status).toBe('confirmed')
  const stranger = await openUser(sim)
  const { status, body } = await stranger.api.get(`${stranger.path}/folio`)
  expect([status, body.error]).toEqual([408, 'timeout'])
  upstream.mood = 'well'
  expect((await stranger.api.get(`${stranger.path}/folio`)).status).toBe(200)
  seen = await look(sim, again)
})

test('behavior: without --fork it runs from the folder alone, twice; what was never read names network and slot', async () => {
  upstream.asked.length = 0
  for (let round = 0; round < 2; round++) {
    await using sim = await createSimulator({ dataDir: dir })
    expect(sim.forks.get(network)).toMatchObject({ host: 'data folder', block: forkedAt })
    await expectSeen(sim, seen)
    const again = userAt(sim, user)
    expect((await again.api.get(`${again.path}/folio`)).status).toBe(200)
    const { activity } = await again.run('earn', { ...earn, amount: '1000000' })
    expect(activity.activity_status).toBe('confirmed')
    const stranger = await openUser(sim)
    const { status, body } = await stranger.api.get(`${stranger.path}/folio`)
    expect(status).toBe(408)
    expect(body.message).toMatch(
      /base runs from what its data folder has recorded, in which (slot 0x[0-9a-f]{64} of|account) 0x[0-9a-f]{40} was never recorded. Start with --data-dir and --fork base=URL/,
    )
    seen = await look(sim, again)
  }
  expect(upstream.asked).toEqual([])
})

test('behavior: a reset goes back to the start of the run and is there after a sudden end; the next start too', async () => {
  const own = join(root, 'own')
  await cp(dir, own, { recursive: true })
  let image: string
  {
    await using sim = await createSimulator({ dataDir: own, fork: fork() })
    const again = userAt(sim, user)
    const id = await sim.snapshot()
    await again.run('swap', swap)
    await sim.restore(id)
    await expectSeen(sim, seen)
    await again.run('swap', swap)
    await sim.reset()
    await expectSeen(sim, seen)
    await again.fund(network, 'USDC', usdc)
    image = await imageOf(own)
  }
  await using sim = await createSimulator({ dataDir: image })
  const after = await look(sim, userAt(sim, user), seen.blocks)
  expect(after).toEqual({
    ...seen,
    balances: { ...seen.balances, USDC: `${BigInt(seen.balances.USDC!) + usdc}` },
  })
  expect((await all(userAt(sim, user))).length).toBe((seen.activities as unknown[]).length)
})

test('behavior: an exchange that a fault had emptied at a sudden end has its inventory again, with the endpoint and without', async () => {
  const own = join(root, 'drained')
  await cp(dir, own, { recursive: true })
  const inventory = (sim: SimulatorHandle) =>
    readsOf(sim).balance(network, 'WETH', upstream.book.exchange)
  let before: bigint
  let image: string
  {
    await using sim = await createSimulator({ dataDir: own, fork: fork() })
    const again = userAt(sim, user)
    before = await inventory(sim)
    expect(before).toBeGreaterThan(0n)
    await sim.faults.set([{ on: 'quote', effect: 'drain' }])
    expect((await again.plan('swap', swap)).status).toBe(422)
    expect(await inventory(sim)).toBe(0n)
    image = await imageOf(own)
  }
  for (const options of [{ fork: fork() }, {}]) {
    const copy = join(root, `drained-${Object.keys(options).length}`)
    await cp(image, copy, { recursive: true })
    await using sim = await createSimulator({ dataDir: copy, ...options })
    expect(await inventory(sim)).toBe(before)
    await sim.faults.clear()
    const { activity } = await userAt(sim, user).run('swap', swap)
    expect(activity.activity_status).toBe('confirmed')
  }
})

test('behavior: an export has what was recorded; checked, compacted and handed on it is the same', async () => {
  const own = join(root, 'to-hand-on')
  await cp(dir, own, { recursive: true })
  const file = join(root, 'team.svc')
  const check = await runCli(['data', 'check', '--data-dir', own])
  expect(check.stdout).toMatch(new RegExp(`forked +base at block ${forkedAt} \\(0x[0-9a-f]{64}\\)`))
  for (const words of [['compact'], ['export', file]]) {
    const { code, stderr } = await runCli(['data', ...words, '--data-dir', own])
    expect([code, stderr.includes('cannot')], stderr).toEqual([0, false])
  }
  const json = await runCli(['data', 'check', '--json', '--data-dir', own])
  expect(JSON.parse(json.stdout).forks).toMatchObject({ [network]: { block: forkedAt } })
  // With the endpoint for what it lacks.
  const ran = await runCli(['exec', '--snapshot', file, ...forkOption(), '--', 'true'])
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr).toMatch(
    new RegExp(`base: forked from 127\\.0\\.0\\.1:\\d+ at block ${forkedAt}`),
  )
  const imported = join(root, 'imported')
  expect((await runCli(['data', 'import', file, '--data-dir', imported])).code).toBe(0)
  await using sim = await createSimulator({ dataDir: imported })
  await expectSeen(sim, seen)
})

test('behavior: a new folder takes over what a bundle has, and needs it no more', async () => {
  const bundle = join(root, 'bundle')
  const first = await startSimulator({ dataDir: dir })
  await first.saveBundle(bundle, { madeBy: 'test', moment: 1_700_000_000, accounts: [] })
  await first.close()
  const own = join(root, 'of-bundle')
  const key = user.key
  let folio: unknown
  let time: unknown
  {
    await using sim = await createSimulator({ dataDir: own, bundle, clock: 'frozen' })
    time = sim.clock.time()
    const again = await openUser(sim, key)
    await again.fund(network, 'USDC', 100n * usdc)
    await again.run('earn', earn)
    folio = Object.keys((await again.api.get(`${again.path}/folio`)).body.folio.balances)
  }
  for (const options of [{}, { bundle }, { fork: fork() }]) {
    await using sim = await createSimulator({ dataDir: own, ...options })
    expect(sim.clock.time()).toEqual(time)
    const { accounts } = (await userAt(sim, user).api.get('/accounts')).body
    const path = `/accounts/${accounts[0].account_id}`
    const { body, status } = await userAt(sim, user).api.get(`${path}/folio`)
    expect([status, Object.keys(body.folio.balances)]).toEqual([200, folio])
  }
})

test('behavior: a first start that does not come to its end is begun anew, at the block of then', async () => {
  const own = join(root, 'unfinished')
  upstream.mood = { wellFor: 100 }
  await expect(createSimulator({ dataDir: own, fork: fork() })).rejects.toThrow('base')
  expect((await readAnyManifest(own))?.forks).toBeDefined()
  upstream.mood = 'well'
  await upstream.rpc.request('evm_mine')
  await using sim = await createSimulator({ dataDir: own, fork: fork() })
  expect(sim.forks.get(network)?.block).toBe(Number(await upstream.rpc.request('eth_blockNumber')))
  await openUser(sim)
})

test('behavior: what could not be read of the network is not done behind one’s back at the next start', async () => {
  const own = join(root, 'failed')
  await cp(dir, own, { recursive: true })
  let image: string
  const stranger = `0x${'5e'.repeat(20)}`
  {
    await using sim = await createSimulator({ dataDir: own })
    const given = sim.fund({ address: stranger, asset: 'ETH', amount: '5', network })
    await expect(given).rejects.toThrow(`account ${stranger} was never recorded`)
    await expect(rpc(sim.rpc(network), 'anvil_setBalance', [stranger, '0x5'])).rejects.toThrow(
      'never recorded',
    )
    image = await imageOf(own)
  }
  await using sim = await createSimulator({ dataDir: image, fork: fork() })
  expect(await rpc(sim.rpc(network), 'eth_getBalance', [stranger, 'latest'])).toBe('0x0')
})

test('error: another block, chain or set of forks is refused with the reason, and the folder stays as it is', async () => {
  const start = (options: object) => createSimulator({ dataDir: dir, ...options })
  const elsewhere = { [network]: { url: upstream.url, block: forkedAt + 1 } }
  await expect(start({ fork: elsewhere })).rejects.toThrow(
    `base cannot be forked: the data folder has it at block ${forkedAt}, and not at ${forkedAt + 1}. Leave @${forkedAt + 1} out, or name another --data-dir`,
  )
  await expect(start({ fork: { ...fork(), polygon: { url: upstream.url } } })).rejects.toThrow(
    /polygon is offline in it, and cannot be forked afterwards.*Leave the fork of polygon out/,
  )
  let chainId = 1
  let hash: string | undefined = `0x${'9'.repeat(64)}`
  await using other = await startEndpoint(({ method }) => {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    const number = `0x${forkedAt.toString(16)}`
    return hash ? { number, hash, timestamp: '0x1', gasLimit: '0x1', transactions: [] } : null
  })
  const there = { [network]: { url: other.url } }
  await expect(start({ fork: there })).rejects.toThrow(
    /base cannot be forked: 127\.0\.0\.1:\d+ is chain 1, but base is 8453/,
  )
  chainId = 8453
  await expect(start({ fork: there })).rejects.toThrow(
    /has another block \d+ than the one that the data folder was forked from .*Give the endpoint that it was forked from, leave all --fork out/,
  )
  hash = undefined
  await expect(start({ fork: there })).rejects.toThrow(
    /has no block \d+, from which the data folder/,
  )
  const offline = join(root, 'offline')
  await (await createSimulator({ dataDir: offline })).close()
  await expect(createSimulator({ dataDir: offline, fork: fork() })).rejects.toThrow(
    'base is offline in it',
  )
  await (await createSimulator({ dataDir: offline })).close()
  await using sim = await createSimulator({
    dataDir: dir,
    fork: { [network]: { url: upstream.url, block: forkedAt } },
  })
  await expectSeen(sim, seen)
})
