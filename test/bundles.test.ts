import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordBundle } from '../src/bundles/record.js'
import { readBundle } from '../src/chain/fork/bundle.js'
import { planKinds } from '../src/plans/kinds/index.js'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { startUpstream, type Upstream, upstreamKey } from './kit/upstream.js'
import { openUser, type User } from './kit/user.js'

/** Optimism recorded with one account; then everything from the recording, and nobody is asked. */

const key: Hex = `0x${'17'.repeat(32)}`
const signer = privateKeyToAddress(key)
const network = 'optimism'
const usdc = 10n ** 6n
const ether = 10n ** 18n
const said: string[] = []
let upstream: Upstream
let bundle: string
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream(network)
  await upstream.setPrice('ETH', 2900n * 10n ** 8n)
  await upstream.rpc.request('evm_mine')
  bundle = join(await mkdtemp(join(tmpdir(), 'bundles-')), network)
  await recordBundle({
    fork: { [network]: { url: upstream.url } },
    ...{ out: bundle, accounts: [signer], at: undefined, mayReplace: false, forkCache: 'none' },
    say: (line) => said.push(line),
  })
  // Blocks and states of which the bundle knows nothing.
  await upstream.setPrice('ETH', 1000n * 10n ** 8n)
  await upstream.rpc.request('anvil_mine', ['0x3'])
  upstream.asked.length = 0
  sim = await createSimulator({ bundle, bridgeDelayMs: 20 })
})
afterAll(async () => {
  await sim?.close()
  await upstream?.stop()
})

async function pricesOf(user: User): Promise<Record<string, string>> {
  const { status, body } = await user.api.get(`${user.path}/folio`)
  expect([status, body.message]).toEqual([200, undefined])
  return body.folio.prices
}

test('default: every kind of plan is confirmed from a bundle, bridges too, and nobody is asked', async () => {
  const user = await openUser(sim, key)
  expect(sim.forks.get(network)).toMatchObject({ host: 'bundle', leftOut: [] })
  expect(await pricesOf(user)).toMatchObject({ 'token/ETH': '2900' })
  const { morpho } = upstream.book
  const { id } = morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
  const done = new Set<string>()
  const run = async (path: string, body: object) => {
    const { activity } = await user.run(path, { network, ...body })
    expect([path, activity.activity_status]).toEqual([path, 'confirmed'])
    done.add(path)
  }
  const asset = 'USDC'
  await user.fund('base', asset, 30n * usdc)
  await run('transfer', { asset, amount: `${20n * usdc}`, recipient: signer })
  await user.fund(network, asset, 900_000n * usdc)
  await user.fund(network, 'WETH', 9n * ether)
  await run('transfer', { asset, amount: `${850_000n * usdc}`, network: 'base', recipient: signer })
})
