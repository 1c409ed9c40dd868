import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../src/chain/addressBook.js'
import { type NetworkName, networkNames } from '../src/chain/networks.js'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { type ChainReads, readsOf } from './kit/chainReads.js'
import { openUser } from './kit/user.js'

const book = loadAddressBook()
const vaultAbi = parseAbi([
  'function deposit(uint256, address) returns (uint256)',
  'function shareTimeOf(address) view returns (uint256)',
])
const distributorAbi = parseAbi([
  'function root() view returns (bytes32)',
  'function claimed(address, address) view returns (uint256)',
  'function claim(address, address, uint256, bytes32[]) returns (uint256)',
])
const day = 86_400
let sim: SimulatorHandle
let reads: ChainReads

beforeAll(async () => {
  sim = await createSimulator()
  reads = readsOf(sim)
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>
interface FolioBody {
  balances: Record<string, string>
  rewards: Record<string, { proof: { proof_type: string; proof: Hex[]; proof_amount: string } }>
}

/** Somebody else deposits a million USDC into the network's first USDC vault for the wallet. */
async function deposit(network: NetworkName, wallet: Address): Promise<Address> {
  const vault = book.on(network).morpho.vaults.find((each) => each.assetSymbol === 'USDC')!
  const payer = '0x00000000000000000000000000000000000ba1e5'
  const amount = 1_000_000n * 10n ** 6n
  await sim.fund({ address: payer, asset: 'USDC', amount: amount.toString(), network })
  const call = (to: Address, data: Hex) => reads.sendAs(network, payer, { to, data })
  const args = [vault.address, amount] as const
  await call(vault.asset, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
  const into = [amount, wallet] as const
  await call(
    vault.address,
    encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: into }),
  )
  return vault.address
}

async function warp(network: NetworkName, seconds: number): Promise<void> {
  await reads.request(network, 'evm_increaseTime', [seconds])
  await reads.request(network, 'evm_mine')
}

async function folioOf(user: User): Promise<FolioBody> {
  const { body } = await user.api.get(`${user.path}/folio`)
  return (body as { folio: FolioBody }).folio
}

/** What the wallet has earned by the vault's own books, at 200 tokens a day for all holders. */
async function earned(network: NetworkName, vault: Address, wallet: Address): Promise<bigint> {
  const time = await reads.client(network).readContract({
    address: vault,
    abi: vaultAbi,
    functionName: 'shareTimeOf',
    args: [wallet],
  })
  return (time * ((200n * 10n ** 18n) / 86_400n)) / 10n ** 18n
}

function unitsOf(amount: string): bigint {
  const [whole, fraction = ''] = amount.replace(/e18$/, '').split('.')
  return BigInt(whole! + fraction.padEnd(18, '0'))
}

function keyOf(network: NetworkName, wallet: Address): string {
  const net = network === 'mainnet' ? 'ethereum' : network
  return `morpho_reward/${net}/MORPHO/${book.on(network).morphoRewards!.distributor}/${wallet}`
}

test('default: what a vault’s holder earned stands in the folio with a proof that the distributor takes', async () => {
  const user = await openUser(sim)
  const vault = await deposit('base', user.wallet)
  const started = await earned('base', vault, user.wallet)
  await warp('base', day)
  const folio = await folioOf(user)
  const key = keyOf('base', user.wallet)
  const amount = unitsOf(folio.balances[`reward/${key}`]!)
  // A million of the eleven or so that the vault has then, for a day: within a second of the vault's own books.
  expect(amount).toBeGreaterThan(started)
  expect(amount).toBeLessThanOrEqual(await earned('base', vault, user.wallet))
  expect(amount).toBeGreaterThan((200n * 10n ** 18n) / 12n)
  expect(folio.rewards[key]!.proof).toMatchObject({ proof_type: 'morpho_reward' })
  expect(unitsOf(folio.rewards[key]!.proof.proof_amount)).toBe(amount)

  const { distributor, token } = book.on('base').morphoRewards!
  const claim = (claimable: bigint) =>
    reads.client('base').simulateContract({
      address: distributor,
      abi: distributorAbi,
      functionName: 'claim',
      args: [user.wallet, token, claimable, folio.rewards[key]!.proof.proof],
    })
  expect((await claim(amount)).result).toBe(amount)
  await expect(claim(amount + 1n)).rejects.toThrow(/reverted/)
})

test('behavior: what is earned within an hour of a root is locked, and can be claimed after it', async () => {
  const user = await openUser(sim)
  await deposit('base', user.wallet)
  await warp('base', 600)
  const key = keyOf('base', user.wallet)
  const first = await folioOf(user)
  await warp('base', 600)
  const second = await folioOf(user)
  expect(second.balances[`reward/${key}`]).toBe(first.balances[`reward/${key}`])
  expect(second.rewards).toEqual(first.rewards)
  // Ten minutes each.
  expect(unitsOf(second.balances[`locked_reward/${key}`]!)).toBeGreaterThan(
    (unitsOf(first.balances[`reward/${key}`]!) * 9n) / 10n,
  )
  await warp('base', 3600)
  const third = await folioOf(user)
  expect(unitsOf(third.balances[`reward/${key}`]!)).toBeGreaterThan(
    5n * unitsOf(first.balances[`reward/${key}`]!),
  )
  expect(third.balances).not.toHaveProperty(`locked_reward/${key}`)
})

test('default: MORPHO of two networks is claimed with one signature, exactly what the plan says', async () => {
  const user = await openUser(sim)
  for (const network of ['base', 'arbitrum'] as const) {
    await deposit(network, user.wallet)
    await warp(network, day)
  }
  const { plan, activity } = await user.run('claim-rewards', { asset: 'morpho' })
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata.map((item) => [item.action_type, item.chain_id])).toEqual([
    ['CLAIM_REWARDS', 8453],
    ['CLAIM_REWARDS', 42161],
  ])
  for (const [i, network] of (['base', 'arbitrum'] as const).entries()) {
    const { amount } = plan.details.svc_operation_actions[i]!.action.action_context
    expect(BigInt(amount as string)).toBeGreaterThan(0n)
    expect(await reads.balance(network, 'MORPHO', user.wallet)).toBe(BigInt(amount as string))
    expect(activity.activity_metadata[i]!.semantic_events).toMatchObject([
      {
        event_type: 'morpho_claim_reward',
        event_metadata: {
          amount,
          token: book.token(network, 'MORPHO')!.address,
          rewards_contract: book.on(network).morphoRewards!.distributor,
          // $2 a piece, in USD x 1e8.
          dollar_value: ((BigInt(amount as string) * 2n) / 10n ** 10n).toString(),
        },
      },
    ])
  }
  expect((await user.plan('claim-rewards', { asset: 'MORPHO' })).body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('no claimable rewards'),
  })
  await warp('base', 3600)
  const { activity: second } = await user.run('claim-rewards', { asset: 'MORPHO' })
  expect(second.activity_metadata.map((item) => item.chain_id)).toEqual([8453])
})

test('behavior: the root that another account’s rewards bring leaves plans as they are', async () => {
  const [user, other] = [await openUser(sim), await openUser(sim)]
  await deposit('base', user.wallet)
  await warp('base', day)
  const planned = await user.plan('claim-rewards', { asset: 'MORPHO' })
  const root = () =>
    reads.client('base').readContract({
      address: book.on('base').morphoRewards!.distributor,
      abi: distributorAbi,
      functionName: 'root',
    })
  const before = await root()
  await deposit('base', other.wallet)
  // A wallet without a leaf is no reason to wait.
  await warp('base', 60)
  await folioOf(other)
  expect(await root()).not.toBe(before)
  const executed = await user.execute(planned.body as Parameters<User['execute']>[0])
  expect(executed.body).toMatchObject({ status: 'executing' })
  const { activity_id } = executed.body as { activity_id: string }
  expect((await user.follow(activity_id)).activity_status).toBe('confirmed')
})

test('error: a claim that somebody else made meanwhile is plan_stale', async () => {
  const user = await openUser(sim)
  await deposit('base', user.wallet)
  await warp('base', day)
  const planned = await user.plan('claim-rewards', { asset: 'MORPHO' })
  const { distributor, token } = book.on('base').morphoRewards!
  const folio = await folioOf(user)
  const { proof, proof_amount } = folio.rewards[keyOf('base', user.wallet)]!.proof
  const args = [user.wallet, token, unitsOf(proof_amount), proof] as const
  await reads.sendAs('base', '0x00000000000000000000000000000000000ba1e5', {
    to: distributor,
    data: encodeFunctionData({ abi: distributorAbi, functionName: 'claim', args }),
  })
  const executed = await user.execute(planned.body as Parameters<User['execute']>[0])
  expect(executed.body).toMatchObject({ error: 'plan_stale' })
  expect(executed.headers.get('x-svc-sim-hint')).toContain('ClaimableTooLow')
})

test('behavior: networks without the reward token have no such rewards', () => {
  const paying = networkNames.filter((network) => book.on(network).morphoRewards)
  expect(paying).toEqual(networkNames.filter((network) => book.token(network, 'MORPHO')))
  expect(paying).toEqual(['mainnet', 'base', 'arbitrum'])
})
