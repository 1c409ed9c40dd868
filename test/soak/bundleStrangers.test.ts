import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { killRuns, runCli } from '../kit/cli.js'
import { liveAsStranger, strangersFriend } from '../kit/strangers.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'
import { openUser } from '../kit/user.js'

/**
 * A bundle that was made for nobody, used by signers that are drawn: whatever the service says of them from it, it says from the network too.
 * `STRANGERS_NETWORK=base STRANGERS=100` tries another network, and more of them. In the small: test/process/bundles.test.ts.
 */

const network = networkNames.find((name) => name === process.env.STRANGERS_NETWORK) ?? 'optimism'
const strangers = Number(process.env.STRANGERS ?? 10)
let upstream: Upstream
let bundle: string
let fromBundle: SimulatorHandle
let fromNetwork: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream(network)
  bundle = join(await mkdtemp(join(tmpdir(), 'strangers-')), 'bundle')
  await recordBundle({
    ...{ fork: { [network]: { url: upstream.url } }, out: bundle, accounts: [], at: undefined },
    ...{ assumeEmpty: ['signers'], mayReplace: false, forkCache: 'none', say() {} },
  })
  const same = { clock: 'frozen', seed: 11n } as const
  const block = Number(await upstream.rpc.request<string>('eth_blockNumber'))
  fromNetwork = await createSimulator({
    ...same,
    fork: { [network]: { url: upstream.url, block } },
  })
  upstream.asked.length = 0
  fromBundle = await createSimulator({ ...same, bundle, assumeEmpty: [strangersFriend] })
}, 600_000)
afterAll(async () => {
  killRuns()
  await Promise.all([fromBundle?.close(), fromNetwork?.close()])
  await upstream?.stop()
})

test('default: signers that nobody knew make every kind of plan, and are told the same as from the network', async () => {
  for (let i = 0; i < strangers; i++) {
    // Each life takes two months, and there may be a hundred of them.
    await Promise.all([fromBundle.reset(), fromNetwork.reset()])
    const key = generatePrivateKey()
    const [one, other] = await Promise.all(
      [fromBundle, fromNetwork].map(async (sim) =>
        liveAsStranger(sim, await openUser(sim, key), upstream.book),
      ),
    )
    expect(one).toEqual(other)
  }
}, 3_600_000)

test('behavior: twenty more are told the same of what they have, which is nothing', async () => {
  for (let i = 0; i < 20; i++) {
    const key = generatePrivateKey()
    const [one, other] = await Promise.all(
      [fromBundle, fromNetwork].map(async (sim) => {
        const user = await openUser(sim, key)
        return (await user.api.get(`${user.path}/folio`)).body
      }),
    )
    expect(one).toEqual(other)
  }
}, 120_000)

test('default: inspect counts the paths, and says what is taken for empty', async () => {
  const { code, stdout } = await runCli(['bundle', 'inspect', bundle, '--json'])
  expect(code).toBe(0)
  const [one] = JSON.parse(stdout).networks
  expect(one).toMatchObject({ network, assumed_empty: ['signers'] })
  expect(one.paths).toBeGreaterThan(100)
  const text = await runCli(['bundle', 'inspect', bundle])
  expect(text.stdout).toContain(`${one.paths} paths`)
  expect(text.stdout).toMatch(/empty +signers/)
  const wrong = await runCli(['start', '--assume-empty', '0x12'])
  expect([wrong.code, wrong.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('it must be an address (0x and 40 hex digits), or signers'),
  ])
})
