import { type Address, encodeAbiParameters, keccak256, parseAbi, parseAbiParameters } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, artifact, place } from '../../src/chain/genesis/contracts.js'
import { walletAddressOf } from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { twoOrigins } from '../kit/origins.js'
import { positionsOn } from '../kit/positions.js'
import { placeMakersPool, startUpstream, type Upstream } from '../kit/upstream.js'
import type { PlanBody, User } from '../kit/user.js'

/**
 * Forks on which contracts of the makers are not the offline world's: rewards distributors of other owners, which take their newest
 * root only (on mainnet nobody owns it), vaults that keep no account of rewards, and on base a spoke pool of before accounts had 32 bytes.
 */

const ether = 10n ** 18n
const book = loadAddressBook()
const owner: Address = '0x0000000000000000000000000000000000000eb1'
const nobody: Address = `0x${'00'.repeat(20)}`
const friend: Address = '0x00000000000000000000000000000000000f41e7'
/** Whose wallet has had 5 MORPHO on base before the fork. */
const oldKey = generatePrivateKey()
const steps: string[] = []
const { start, end, openUser } = twoOrigins()
let upstreams: Upstream[]
let sim: SimulatorHandle

beforeAll(async () => {
  upstreams = await Promise.all([startUpstream('base'), startUpstream('mainnet')])
  const [base, mainnet] = upstreams as [Upstream, Upstream]
  await place(base.node, base.book.spokePool, artifact('OldSpokePool'))
  await placeMakersPool(mainnet)
  await changeRewards(base, owner)
  await changeRewards(mainnet, nobody)
})
afterAll(() => Promise.all(upstreams.map((upstream) => upstream.stop())))

async function changeRewards(upstream: Upstream, of: Address): Promise<void> {
  const { node, book: there, rpc } = upstream
  const { distributor: address, token } = there.morphoRewards!
  await rpc.request('anvil_setCode', [address, '0x'])
  for (const slot of [0, 1, 2])
    await rpc.request('anvil_setStorageAt', [address, `0x${slot}`, `0x${'00'.repeat(32)}`])
  const contract = artifact('OwnedDistributor')
  const distributor = { address, abi: contract.abi }
  await place(node, address, contract, [actors.admin])
  const wallet = walletAddressOf(privateKeyToAddress(oldKey))
  const leaf = encodeAbiParameters(parseAbiParameters('address, address, uint256'), [
    ...([wallet, token, 5n * ether] as const),
  ])
  const root = keccak256(keccak256(leaf))
  await act(node, actors.admin, distributor, 'setRoot', [root, `0x${'00'.repeat(32)}`])
  await act(node, actors.admin, distributor, 'claim', [wallet, token, 5n * ether, []])
  // Its owner is the first variable.
  await rpc.request('anvil_setStorageAt', [address, '0x0', `0x${of.slice(2).padStart(64, '0')}`])
  const [first] = there.morpho.vaults
  await place(node, first!.address, artifact('PlainVault'), [first!.asset])
  await rpc.request('evm_mine')
}

const grant = (user: User, network: NetworkName, amount: bigint) =>
  user.api.post('/_sim/rewards', {
    ...{ account_id: user.id, asset: 'MORPHO', amount: amount.toString(), network },
  })
const claim = { asset: 'MORPHO' }
const rootOf = (network: NetworkName) =>
  readsOf(sim)
    .client(network)
    .readContract({
      address: book.on(network).morphoRewards!.distributor,
      abi: parseAbi(['function root() view returns (bytes32)']),
      functionName: 'root',
    })

// Once: what such a bundle has is the same reads, and bundles are replayed in fork.test.ts, forkMissing, forkNetworks and forkPlans.
describe('from its upstream', () => {
  beforeAll(async () => {
    const [base, mainnet] = upstreams as [Upstream, Upstream]
    steps.length = 0
    sim = await start('upstream', upstreams, {
      bridgeDelayMs: 20,
      onProgress: (step) => steps.push(step),
      fork: { base: { url: base.url }, mainnet: { url: mainnet.url } },
    })
  })
  afterAll(() => end('upstream', upstreams, sim))

  test('default: rewards that are granted on forks can be claimed there, to the unit', async () => {
    const user = await openUser(sim)
    expect(steps.join('\n')).not.toContain('rewards of Morpho vaults is left out')
    const before = await Promise.all([rootOf('base'), rootOf('mainnet')])
    expect((await grant(user, 'base', 7n)).body).toMatchObject({ owed: '7' })
    expect((await grant(user, 'mainnet', 9n)).body).toMatchObject({ owed: '9' })
    await user.run('claim-rewards', claim)
    expect(await positionsOn(sim, 'base').balance('MORPHO', user.wallet)).toBe(7n)
    expect(await positionsOn(sim, 'mainnet').balance('MORPHO', user.wallet)).toBe(9n)
    // By the owner on base, written over where there is none.
    const after = await Promise.all([rootOf('base'), rootOf('mainnet')])
    for (const [i, root] of after.entries()) expect(root).not.toBe(before[i])
    // Nothing twice, and once more.
    expect((await user.plan('claim-rewards', claim)).body).toMatchObject({ error: 'plan_failed' })
    expect((await grant(user, 'base', 3n)).body).toMatchObject({ owed: '3' })
    await user.run('claim-rewards', claim)
    expect(await positionsOn(sim, 'base').balance('MORPHO', user.wallet)).toBe(10n)
  })

  test('behavior: a wallet that had rewards before the fork is granted what it is granted', async () => {
    const user = await openUser(sim, oldKey)
    const had = await positionsOn(sim, 'base').balance('MORPHO', user.wallet)
    expect(had).toBe(5n * ether)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    expect(folio.rewards).toEqual({})
    expect((await grant(user, 'base', 2n)).body).toMatchObject({ owed: '2' })
    await user.run('claim-rewards', claim)
    expect(await positionsOn(sim, 'base').balance('MORPHO', user.wallet)).toBe(had + 2n)
  })

  test('behavior: rewards on a fork are reinvested, and a snapshot brings them back', async () => {
    const user = await openUser(sim)
    await grant(user, 'base', 50n * ether)
    const id = await sim.snapshot()
    const reinvest = {
      ...{ asset: 'USDC', protocol: 'aave', reward_assets: ['MORPHO'], network: 'base' },
    }
    await user.run('reinvest_rewards', reinvest)
    await sim.restore(id)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    expect(Object.keys(folio.rewards)).toHaveLength(1)
    await user.run('reinvest_rewards', reinvest)
    expect((await user.plan('claim-rewards', claim)).body).toMatchObject({ error: 'plan_failed' })
  })

  test('behavior: the root of another account’s grant makes a claim stale: the fork takes the newest only', async () => {
    const [one, other] = [await openUser(sim), await openUser(sim)]
    await grant(one, 'base', 4n)
    const planned = (await one.plan('claim-rewards', claim)).body as PlanBody
    await grant(other, 'base', 6n)
    await other.run('claim-rewards', claim)
    expect((await one.execute(planned)).body).toMatchObject({ error: 'plan_stale' })
    await one.run('claim-rewards', claim)
    expect(await positionsOn(sim, 'base').balance('MORPHO', one.wallet)).toBe(4n)
  })

  test('behavior: deposits of an older spoke pool are seen and filled, and it is filled in its own words', async () => {
    const user = await openUser(sim)
    const ways: [NetworkName, NetworkName][] = [
      ['optimism', 'base'],
      ['base', 'optimism'],
      ['mainnet', 'base'],
      ['base', 'mainnet'],
    ]
    for (const [from, to] of ways) {
      await user.fund(from, 'USDC', 20_000_000n)
      const before = await positionsOn(sim, to).balance('USDC', friend)
      const { activity } = await user.run('transfer', {
        ...{ asset: 'USDC', amount: '15000000', network: to, recipient: friend },
      })
      expect([from, to, activity.activity_status]).toEqual([from, to, 'confirmed'])
      expect(await positionsOn(sim, to).balance('USDC', friend)).toBe(before + 15_000_000n)
      const left = await positionsOn(sim, from).balance('USDC', user.wallet)
      if (left > 0n)
        await user.run('transfer', {
          ...{ asset: 'USDC', amount: 'max', network: from, recipient: friend },
        })
    }
  })

  test('behavior: a deposit of an older pool that nobody fills is paid back by it', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 20_000_000n)
    await sim.faults.add({ on: 'bridge', effect: 'refund', match: { account_id: user.id } })
    const { activity } = await user.run('transfer', {
      ...{ asset: 'USDC', amount: '15000000', network: 'polygon', recipient: friend },
    })
    await sim.faults.clear()
    expect(activity.activity_status).toBe('failed')
    expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(20_000_000n)
  })
})
