import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBundle, writeBundle } from '../../src/chain/fork/bundle/bundle.js'
import { devAccounts } from '../../src/chain/funds/faucet.js'
import { uniswapPools } from '../../src/chain/funds/uniswapPools.js'
import { sendAs } from '../../src/chain/transactions/send.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { iSpokePoolAbi } from '../../src/generated/abis.js'
import { createSimulator, leaseWorld, type SimulatorHandle } from '../../src/index.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { readsOf } from '../kit/chainReads.js'
import { killRuns, type Ready, runCli, startCli } from '../kit/cli.js'
import { createClient } from '../kit/client.js'
import { farEnds, watched } from '../kit/egress.js'
import { openPayer } from '../kit/payer.js'
import { otherKinds } from '../kit/plans.js'
import { positionsOn } from '../kit/positions.js'
import { markedBy, waitUntilGone } from '../kit/processes.js'
import { liveAsStranger, strangersFriend } from '../kit/strangers.js'
import { placeMakersPool, startUpstream, type Upstream, upstreamKey } from '../kit/upstream.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

const guide = await readFile(new URL('../../docs/guides/forks.md', import.meta.url), 'utf8')

/** Optimism recorded with one account; then everything from the recording, and nobody is asked. */

/** The account of the guide's commands. */
const { address: signer, privateKey: key } = devAccounts[1]!
const network = 'optimism'
const usdc = 10n ** 6n
const ether = 10n ** 18n
let upstream: Upstream
/** Where the guide's commands are given. */
let folder: string
let bundle: string
/** The recording: what it has said and printed, and its files. A first one was killed, and left this behind. */
let recorded: { said: string; printed: string; files: string[] }
let left: { isFolder: boolean; signal: NodeJS.Signals | null }
let sim: SimulatorHandle
/** The one who is recorded. */
let user: User

beforeAll(async () => {
  upstream = await startUpstream(network)
  await upstream.setPrice('ETH', 2900n * 10n ** 8n)
  // As on the networks themselves, each block with a swap is an observation of its own.
  for (const { address } of uniswapPools(upstream.book)) {
    const data: Hex = `0x32148f67${'14'.padStart(64, '0')}`
    await sendAs(upstream.node, { from: actors.admin, to: address, data })
  }
  await placeMakersPool(upstream)
  await upstream.rpc.request('evm_mine')
  folder = await mkdtemp(join(tmpdir(), 'bundles-'))
  bundle = join(folder, 'bundle')
  left = await killedRecording()
  const command = [...guideCommand('bundle create'), '--assume-empty', strangersFriend, '--json']
  const { code, stdout, stderr } = await runCli(command, { cwd: folder })
  expect([code, stderr.includes(upstreamKey)]).toEqual([0, false])
  recorded = { said: stderr, printed: stdout, files: await readdir(bundle) }
  // States of which the bundle knows nothing.
  await upstream.setPrice('ETH', 1000n * 10n ** 8n)
  await upstream.rpc.request('anvil_mine', ['0x3'])
  upstream.asked.length = 0
  sim = await createSimulator({ bundle, bridgeDelayMs: 20 })
  user = await openUser(sim, key)
}, 300_000)
afterAll(async () => {
  killRuns()
  await sim?.close()
  await upstream?.stop()
})

/** A recording like the guide's, ended in the middle of it; its nodes end with it. */
async function killedRecording() {
  const args = [...guideCommand('bundle create'), '--fork-cache', 'none']
  const killed = startCli(args, { cwd: folder })
  await killed.saying('stderr', /moving prices/)
  const nodes = markedBy(killed.mark, 'anvil')
  expect(nodes).toHaveLength(5)
  killed.kill('SIGKILL')
  const { signal } = await killed.ended
  await waitUntilGone(nodes)
  return { isFolder: existsSync(bundle), signal }
}

/** A command of the guide's section about bundles, with the endpoint of this test. */
function guideCommand(verb: string): string[] {
  const [, block = ''] = /## Bundles[\s\S]*?```sh\n([\s\S]*?)```/.exec(guide)!
  const line = block.split('\n').find((each) => each.startsWith(`npx svc-sim ${verb}`))
  return line!.replaceAll('https://HOST/KEY', upstream.url).split(' ').slice(2)
}

const folioOf = (user: User) => user.api.get(`${user.path}/folio`)

/** What the feed says: it is another one now. */
async function etherPrice(of: SimulatorHandle): Promise<bigint> {
  const { feed } = upstream.book.tokens.find(({ symbol }) => symbol === 'WETH')!
  const read = { to: feed, data: '0x50d25bcd' }
  return BigInt(await readsOf(of).request<Hex>(network, 'eth_call', [read, 'latest']))
}

test('default: every kind of plan is confirmed from a bundle, also over a bridge, and nobody is asked', async () => {
  expect(sim.forks.get(network)).toMatchObject({ host: 'bundle', leftOut: [] })
  expect((await folioOf(user)).status).toBe(200)
  expect(await etherPrice(sim)).toBe(2900n * 10n ** 8n)
  const { morpho } = upstream.book
  const market = morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
  const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')?.address
  const done = new Set<string>()
  const run = async (path: string, intent: object) => {
    const { activity } = await user.run(path, { network, ...intent })
    expect([path, activity.activity_status]).toEqual([path, 'confirmed'])
    done.add(path)
  }
  const give = (asset: string, amount: bigint) => user.fund(network, asset, amount)
  const inUsdc = (amount: bigint, more: object = {}) => ({
    ...{ asset: 'USDC', amount: (amount * usdc).toString(), ...more },
  })
  await user.fund('base', 'USDC', 30n * usdc)
  await run('transfer', inUsdc(20n, { recipient: signer }))
  await give('USDC', 200_000n * usdc)
  await run('transfer', inUsdc(20n, { network: 'base', recipient: signer }))
  await give('WETH', 9n * ether)
  for (const where of [{ protocol: 'compound' }, { protocol: 'morpho', market }]) {
    const backed = { collateral_asset: 'WETH', ...where }
    await run('borrow', inUsdc(700n, { ...backed, collateral_amount: ether.toString() }))
    const all = { amount: 'max', collateral_amount: 'max' }
    await run('repay', inUsdc(0n, { ...backed, ...all }))
  }
  for (const where of [
    { protocol: 'compound' },
    { protocol: 'aave' },
    ...(vault ? [{ protocol: 'morpho_vault', market: vault }] : []),
  ]) {
    await run('earn', inUsdc(30_000n, where))
    await run('withdraw', inUsdc(100n, where))
  }
  await run(
    'migrate',
    inUsdc(70n, {
      ...{ from_protocol: 'compound', to_protocol: 'aave', migrate_only_supply_balances: true },
    }),
  )
  const sale = { sell_asset: 'USDC', sell_amount: '77000000', buy_asset: 'WETH' }
  await run('swap', sale)
  await run('swap-and-supply', { ...sale, protocol: 'aave' })
  const position = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market }
  // More swaps, and greater ones, than were recorded.
  for (const exposure of [ether, 3n * ether, ether, ether])
    await run('loop-long', {
      ...{ ...position, is_increase: true, pool_fee: 500, exposure_amount: `${exposure}` },
      ...{ max_swap_backing_amount: '9900000000', max_provided_backing_amount: '4500000000' },
    })
  const backing = { ...position, amount: '10000000', is_short: false }
  await run('add-backing', backing)
  await run('withdraw-backing', backing)
  await run('unloop-long', {
    ...{ ...position, pool_fee: 500, exposure_amount: 'max', backing_amount_to_exit: '0' },
    min_swap_backing_amount: '1',
  })
  await sim.clock.advance(86_400)
  const rewards = { asset: 'USDC', protocol: 'compound', reward_assets: ['COMP'] }
  await run('reinvest_rewards', rewards)
  await sim.clock.advance(86_400)
  await run('claim-rewards', { asset: 'COMP' })
  for (const [path, intent] of otherKinds([...done])) await run(path, intent)
  expect([...done].sort()).toEqual(planKinds.map(({ path }) => path).sort())
  expect(upstream.asked).toEqual([])
}, 120_000)

test('behavior: an exchange that a fault has emptied is filled again from the recording', async () => {
  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network, sell_amount: '1000000' }
  await user.fund(network, 'USDC', 9_000_000n)
  const inventory = () => readsOf(sim).balance(network, 'WETH', upstream.book.exchange)
  const before = await inventory()
  await sim.faults.set([{ on: 'quote', effect: 'drain' }])
  expect((await user.plan('swap', swap)).status).toBe(422)
  expect(await inventory()).toBe(0n)
  await sim.faults.clear()
  expect(await inventory()).toBe(before)
  expect((await user.plan('swap', swap)).status).toBe(201)
})

test('error: what was never recorded is an error that names network, account and slot; the rest goes on', async () => {
  // Of a wallet that was derived here the network had nothing; of other addresses nobody knows.
  const stranger = await openUser(sim)
  expect((await folioOf(stranger)).status).toBe(200)
  await stranger.fund(network, 'USDC', 2n * usdc)
  const unknown =
    /optimism runs from a bundle, in which (slot 0x[0-9a-f]{64} of|account) 0x[0-9a-f]{40} was never recorded. Record it: "svc-sim bundle create" with --account .* --assume-empty, or start with --bundle and --fork optimism=URL/
  const asked = { asset: 'USDC', amount: '1000', network }
  const recipient = `0x${'ab'.repeat(20)}`
  const plan = await stranger.plan('transfer', { ...asked, recipient })
  expect(plan).toMatchObject({ status: 408, body: { error: 'timeout' } })
  expect(plan.body.message).toMatch(unknown)
  // Its signer is taken for a new key.
  const earned = await stranger.run('earn', { ...asked, protocol: 'compound' })
  expect(earned.activity.activity_status).toBe('confirmed')
  const read = [{ to: upstream.book.tokens[1]!.address, data: '0x18160ddd' }, '0x1']
  const answer = await fetch(sim.rpc(network), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: read }),
  })
  expect(JSON.stringify(await answer.json())).toContain('was never recorded')
  // Another network is not recorded, but offline.
  await stranger.fund('base', 'USDC', usdc)
  const transfer = { asset: 'USDC', amount: '1000', network: 'base', recipient: signer }
  expect((await stranger.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('error: a deposit whose fill reads what was never recorded is sent back at once; fills behind it go on', async () => {
  const payer = await openPayer(sim, ['base'])
  const { client, balance } = positionsOn(sim, 'base')
  const from = loadAddressBook().on('base')
  const [input, output] = [from, upstream.book].map(
    ({ tokens }) => tokens.find(({ symbol }) => symbol === 'USDC')!.address,
  )
  await payer.sendToken('base', 'USDC', payer.address, 3n * usdc)
  const call = (to: Address, data: Hex) => payer.send('base', { to, data })
  const allowance = {
    abi: erc20Abi,
    functionName: 'approve',
    args: [from.spokePool, 3n * usdc],
  } as const
  await call(input!, encodeFunctionData(allowance))
  const now = Number((await client.getBlock()).timestamp)
  const deposit = encodeFunctionData({
    ...{ abi: iSpokePoolAbi, functionName: 'depositV3' },
    args: [
      ...[payer.address, payer.address, input!, output!, 3n * usdc, 2n * usdc],
      ...[BigInt(upstream.book.chainId), zeroAddress, now - 30, now + 600, 0, '0x'],
    ] as never,
  })
  await call(from.spokePool, deposit)
  await expect.poll(() => balance('USDC', payer.address)).toBe(3n * usdc)
  await user.fund('base', 'USDC', 300_000n * usdc)
  const transfer = { asset: 'USDC', amount: `${250_000n * usdc}`, network, recipient: signer }
  const { activity } = await user.run('transfer', transfer)
  expect(activity.activity_metadata.map(({ action_type }) => action_type)).toContain('BRIDGE')
  expect(activity.activity_status).toBe('confirmed')
})

test('default: the guide’s commands inspect it and start from it, and fill what is missing', async () => {
  const { code, stdout } = await runCli(guideCommand('bundle inspect'), { cwd: folder })
  expect([code, stdout.split('\n')[0]]).toEqual([
    ...[0, expect.stringMatching(/^bundle: intact; made by svc-sim /)],
  ])
  const { block } = sim.forks.get(network)!
  const before = await readFile(join(bundle, 'networks.bundle'))
  for (const verb of [
    `start --bundle bundle`,
    `start --bundle bundle --fork optimism=https://HOST/KEY --save-bundle`,
  ]) {
    const run = startCli(guideCommand(verb), { cwd: folder, env: { SVC_SIM_PORT: '0' } })
    await run.saying('stdout', new RegExp(`optimism from \\S+ at block ${block}`))
    run.kill('SIGTERM')
    expect((await run.ended).code).toBe(0)
  }
  // Nothing was missing.
  expect((await readFile(join(bundle, 'networks.bundle'))).equals(before)).toBe(true)
  expect(upstream.asked).toEqual([])
}, 120_000)

test('behavior: prices move from a bundle as from a fork; a snapshot brings them back, and they move again', async () => {
  const control = createClient(sim)
  const move = async (usd: string) => {
    const { status, body } = await control.send(
      'PUT',
      '/_sim/prices/ETH',
      JSON.stringify({ usd }),
      {
        headers: { 'content-type': 'application/json' },
      },
    )
    expect([status, body]).toEqual([200, expect.objectContaining({ moved: ['ETH', 'WETH'] })])
    expect(await etherPrice(sim)).toBe(BigInt(usd) * 10n ** 8n)
    const sale = { sell_asset: 'WETH', sell_amount: `${ether}`, buy_asset: 'USDC', network }
    const { body: plan } = await user.plan('swap', sale)
    const { action } = (plan as PlanBody).details.svc_operation_actions[0]!
    const bought = Number(action.action_context.output_amount) / 1e6
    expect(bought / Number(usd)).toBeGreaterThan(0.99)
    expect(bought / Number(usd)).toBeLessThan(1)
  }
  await user.fund(network, 'WETH', ether)
  const id = await sim.snapshot()
  for (const usd of ['3100', '2700']) await move(usd)
  await sim.restore(id)
  expect(await etherPrice(sim)).toBe(2900n * 10n ** 8n)
  await move('3000')
  await sim.restore(id)
  expect(upstream.asked).toEqual([])
})

test('behavior: with an endpoint what is missing is asked there, at the block of the bundle, and saved', async () => {
  const own = `${bundle}-own`
  await cp(bundle, own, { recursive: true })
  const before = await readBundle(own)
  const strangers: Hex[] = [`0x${'18'.repeat(32)}`, `0x${'19'.repeat(32)}`]
  const fork = { [network]: { url: upstream.url } }
  upstream.asked.length = 0
  // Side by side: what the one has added stays when the other ends.
  const both = await Promise.all(
    strangers.map(() =>
      createSimulator({ bundle: own, saveBundle: true, fork, forkCache: 'none' }),
    ),
  )
  expect(upstream.asked).toEqual([])
  for (const [i, filled] of both.entries()) {
    expect((await folioOf(await openUser(filled, strangers[i]!))).status).toBe(200)
    expect(await etherPrice(filled)).toBe(2900n * 10n ** 8n)
    expect(upstream.asked.length).toBeGreaterThan(0)
  }
  for (const filled of both) await filled.close()
  const after = await readBundle(own)
  const { answers, ...others } = after.networks.get(network)!
  expect(others).toEqual({ block: before.networks.get(network)!.block, hash: expect.any(String) })
  expect(answers.size).toBeGreaterThan(before.networks.get(network)!.answers.size)
  upstream.asked.length = 0
  await using again = await createSimulator({ bundle: own })
  for (const stranger of strangers)
    expect((await folioOf(await openUser(again, stranger))).status).toBe(200)
  expect(upstream.asked).toEqual([])
})

test('error: a bundle of other blocks that has come to stand there is left alone, and the end says so', async () => {
  const own = join(folder, 'replaced')
  const path = join(own, 'networks.bundle')
  await cp(bundle, own, { recursive: true })
  const there = await readBundle(own)
  const fork = { [network]: { url: upstream.url } }
  const filled = await createSimulator({ bundle: own, saveBundle: true, fork, forkCache: 'none' })
  expect((await folioOf(await openUser(filled, `0x${'1a'.repeat(32)}`))).status).toBe(200)
  const command = [
    'start',
    '--bundle',
    own,
    '--fork',
    `${network}=${upstream.url}`,
    '--save-bundle',
  ]
  const run = startCli(command, { cwd: folder, env: { SVC_SIM_PORT: '0' } })
  await run.saying('stdout', /optimism from /)
  const { block } = there.networks.get(network)!
  const later = [...there.networks].map(
    ([name, one]) =>
      [name, { ...one, block: one.block + 1, hash: `0x${'cd'.repeat(32)}` }] as const,
  )
  await writeBundle(own, { ...there, networks: new Map(later) })
  const before = await readFile(path)
  const why = `nothing is added to ${path}: another bundle is there now, with ${network} at block ${block + 1}`
  await expect(filled.close()).rejects.toThrow(why)
  expect(await filled.closed).toEqual({ reason: expect.stringContaining(why), exitCode: 1 })
  run.kill('SIGTERM')
  const { code } = await run.ended
  expect([code, run.stderr]).toEqual([1, expect.stringContaining(why)])
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('error: an endpoint of another chain, or another block, is not believed and not asked for it', async () => {
  await using other = await startUpstream('base')
  const fork = { [network]: { url: other.url } }
  await using mixed = await createSimulator({ bundle, fork, forkCache: 'none' })
  const { status, body } = await folioOf(await openUser(mixed))
  expect(status).toBe(408)
  expect(body.message).toMatch(/which has (no|another) block/)
  const elsewhere = { [network]: { url: upstream.url, block: 1 } }
  await expect(createSimulator({ bundle, fork: elsewhere })).rejects.toThrow(
    /optimism cannot be forked: the bundle has it at block \d+, and not at 1. Leave @1 out/,
  )
})

test('behavior: the same bundle, seed and frozen clock give the same bytes, in worlds and beside them', async () => {
  const own = { bundle, seed: 7n, clock: 'frozen' }
  await using beside = await createSimulator(own)
  await using first = await leaseWorld({ url: sim.url, ...own })
  const lives = [await lifeOf(beside)]
  {
    await using second = await leaseWorld({ url: sim.url, ...own })
    lives.push(...(await Promise.all([first, second].map(lifeOf))))
  }
  expect(lives[1]).toEqual(lives[0])
  expect(lives[2]).toEqual(lives[0])
}, 200_000)

/** What an account meets, and the blocks that come of it. */
async function lifeOf(place: Parameters<typeof openUser>[0] & Pick<SimulatorHandle, 'rpc'>) {
  const user = await openUser(place, key)
  await user.fund(network, 'USDC', 5_000n * usdc)
  const earn = { asset: 'USDC', amount: '1000000', network, protocol: 'compound' }
  const { plan, activity } = await user.run('earn', earn)
  const { body } = await folioOf(user)
  const block = await positionsOn(place, network).client.getBlock()
  return { id: user.id, plan, activity, body, block }
}

test('error: a world of a bundle that is not there, or is damaged, is refused with the reason', async () => {
  const none = leaseWorld({ url: sim.url, bundle: `${bundle}-none` })
  await expect(none).rejects.toThrow('bundle: ')
  await expect(none).rejects.toThrow('is no bundle')
  const damaged = `${bundle}-damaged`
  await cp(bundle, damaged, { recursive: true })
  const path = join(damaged, 'networks.bundle')
  await writeFile(path, (await readFile(path)).subarray(0, -10))
  await expect(leaseWorld({ url: sim.url, bundle: damaged })).rejects.toThrow('is damaged')
  await expect(createSimulator({ bundle: damaged })).rejects.toThrow('is damaged')
})

test('behavior: a recording that is killed leaves no half bundle and no node; the next one writes a whole', async () => {
  expect(left).toEqual({ isFolder: false, signal: 'SIGKILL' })
  expect(JSON.parse(recorded.printed)).toMatchObject({ folder: 'bundle', networks: [{ network }] })
  expect(recorded.files).toEqual(['networks.bundle'])
  const again = await runCli(guideCommand('bundle create'), { cwd: folder })
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain(
    'bundle is there and not empty. Name another folder, or give --overwrite.',
  )
})

test('default: with a bundle nothing leaves this machine, while it starts, answers and lacks something', async () => {
  const { env, lines } = watched(join(folder, 'started'))
  const run = startCli(['start', '--json', '--port', '0', '--bundle', bundle], { env })
  const ends: string[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) ends.push(...(await farEnds(markedBy(run.mark))))
  })()
  try {
    const [line] = await run.saying('stdout', /^.*\n/)
    const api = createClient(JSON.parse(line) as Ready)
    const body = { signer_type: 'eoa', signer_address: `0x${'a1'.repeat(20)}` }
    const created = await api.post('/accounts', body)
    const path = `/accounts/${created.body.account_id}`
    expect((await api.get(`${path}/folio`)).status).toBe(200)
    const asset = { asset: 'USDC', amount: '1000', network: 'optimism' }
    await api.post('/_sim/fund', { ...asset, account_id: created.body.account_id })
    // Nobody knows what the network has of this recipient.
    const recipient = `0x${'ab'.repeat(20)}`
    const plan = await api.post(`${path}/plan/transfer`, { ...asset, recipient })
    expect(plan.body.message).toContain('was never recorded')
  } finally {
    isOver = true
    await watching
  }
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  expect(ends).toEqual([])
  // It does see connections; all of them stay here.
  const seen = await lines()
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((each) => !each.includes(' here '))).toEqual([])
})

test('error: inspect and start say of a folder that it is no bundle', async () => {
  const none = await runCli(['bundle', 'inspect', folder])
  expect([none.code, none.stdout]).toEqual([1, ''])
  expect(none.stderr).toContain(`${folder} is no bundle`)
  const start = await runCli(['start', '--port', '0', '--bundle', folder])
  expect([start.code, start.stdout]).toEqual([1, ''])
  expect(start.stderr).toContain(`${folder} is no bundle`)
})

test('behavior: a bundle has neither URL nor key, and is of one moment', async () => {
  const whole = await readFile(join(bundle, 'networks.bundle'))
  const end = whole.indexOf('\n') + 1
  const text = whole.subarray(0, end).toString() + gunzipSync(whole.subarray(end)).toString()
  for (const secret of [upstreamKey, new URL(upstream.url).host, '127.0.0.1', 'localhost'])
    expect([secret, text.includes(secret)]).toEqual([secret, false])
  const { accounts, moment, networks } = await readBundle(bundle)
  expect(accounts).toEqual([signer.toLowerCase()])
  const { block } = networks.get(network)!
  const { timestamp } = await upstream.rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [
    `0x${block.toString(16)}`,
    false,
  ])
  expect(moment).toBe(Number(timestamp))
  expect(
    recorded.said.split('\n').filter((line) => /: no \S+ \(|: no move of /.test(line)),
  ).toEqual([])
})

/** Whatever the service says of them from the bundle, it says from the network too. More of them: tier `soak`. */
describe('signers that nobody knew', () => {
  let both: SimulatorHandle[]
  beforeAll(async () => {
    const same = { clock: 'frozen', seed: 11n } as const
    const { block } = sim.forks.get(network)!
    both = [
      await createSimulator({ ...same, bundle, assumeEmpty: ['signers'] }),
      await createSimulator({ ...same, fork: { [network]: { url: upstream.url, block } } }),
    ]
  })
  afterAll(() => Promise.all(both.map((each) => each.close())))

  /** What is told of one of them, from the bundle and from the network. */
  function toldOf(life: (sim: SimulatorHandle, stranger: User) => Promise<unknown>) {
    const stranger = generatePrivateKey()
    return Promise.all(both.map(async (one) => life(one, await openUser(one, stranger))))
  }

  test('default: they make every kind of plan, and are told the same as from the network', async () => {
    const [one, other] = await toldOf((each, user) => liveAsStranger(each, user, upstream.book))
    expect(one).toEqual(other)
  }, 120_000)

  test('behavior: five more are told the same of what they have, which is nothing', async () => {
    for (let i = 0; i < 5; i++) {
      const [one, other] = await toldOf(async (_, user) => (await folioOf(user)).body)
      expect(one).toEqual(other)
    }
  })

  test('error: what is neither recorded nor on such a path is named with its network, account and slot', async () => {
    const [fromBundle] = both as [SimulatorHandle, SimulatorHandle]
    const { address } = upstream.book.tokens.find(({ symbol }) => symbol === 'USDC')!
    const odd = `0x${'5'.repeat(64)}`
    await expect(
      readsOf(fromBundle).request(network, 'eth_getStorageAt', [address, odd, 'latest']),
    ).rejects.toThrow(
      `${network} runs from a bundle, in which slot ${odd} of ${address} was never recorded`,
    )
    // An address that is no wallet of ours is not taken for empty.
    const stranger = await openUser(fromBundle)
    await stranger.fund(network, 'USDC', 5n * usdc)
    const somebody = `0x${'ab'.repeat(20)}`
    const transfer = { network, asset: 'USDC', amount: '1000000', recipient: somebody }
    const refused = await stranger.plan('transfer', transfer)
    expect(refused).toMatchObject({ status: 408, body: { error: 'timeout' } })
    expect(refused.body.message).toContain('--assume-empty')
  })

  test('default: inspect counts the paths, and says what is taken for empty', async () => {
    const { code, stdout } = await runCli(['bundle', 'inspect', bundle, '--json'])
    expect(code).toBe(0)
    const [one] = JSON.parse(stdout).networks
    expect(one).toMatchObject({ network, assumed_empty: [strangersFriend] })
    expect(one.paths).toBeGreaterThan(100)
    const text = await runCli(['bundle', 'inspect', bundle])
    expect(text.stdout).toContain(`${one.paths} paths`)
    expect(text.stdout).toMatch(new RegExp(`empty +${strangersFriend}`))
    const wrong = await runCli(['start', '--assume-empty', '0x12'])
    expect([wrong.code, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('it must be an address (0x and 40 hex digits), or signers'),
    ])
  })
})
