import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

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
  sim = await createSimulator({ rpcUnsafe: true })
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

test('behavior: a newer root of the same wallet leaves its plan as it is; the rest can be claimed after it', async () => {
  const user = await openUser(sim)
  const grant = (amount: string) =>
    user.api.post('/_sim/rewards', {
      account_id: user.id,
      asset: 'MORPHO',
      amount,
      network: 'arbitrum',
    })
  const balance = () => reads.balance('arbitrum', 'MORPHO', user.wallet)
  await grant('100')
  const planned = await user.plan('claim-rewards', { asset: 'MORPHO' })
  await grant('11')
  expect((await folioOf(user)).balances[`reward/${keyOf('arbitrum', user.wallet)}`]).toBe(
    '0.000000000000000111e18',
  )
  const executed = await user.execute(planned.body as Parameters<User['execute']>[0])
  await user.follow((executed.body as { activity_id: string }).activity_id)
  expect(await balance()).toBe(100n)
  await user.run('claim-rewards', { asset: 'MORPHO' })
  expect(await balance()).toBe(111n)
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
  expect(executed.headers.get('x-svc-sim-hint')).toContain('claimable too low')
})

test('behavior: networks without the reward token have no such rewards', () => {
  const paying = networkNames.filter((network) => book.on(network).morphoRewards)
  expect(paying).toEqual(networkNames.filter((network) => book.token(network, 'MORPHO')))
  expect(paying).toEqual(['mainnet', 'base', 'arbitrum'])
})

test('default: rewards that are granted can be claimed at once, to the unit', async () => {
  const user = await openUser(sim)
  const grant = (fields: object) =>
    user.api.post('/_sim/rewards', {
      account_id: user.id,
      asset: 'morpho',
      amount: '5000000000000000001',
      network: 'mainnet',
      ...fields,
    })
  const granted = await grant({})
  expect(granted).toMatchObject({
    status: 200,
    body: {
      address: user.wallet,
      asset: 'MORPHO',
      network: 'mainnet',
      owed: '5000000000000000001',
    },
  })
  const key = keyOf('mainnet', user.wallet)
  const folio = await folioOf(user)
  expect(folio.balances[`reward/${key}`]).toBe('5.000000000000000001e18')
  expect(folio.balances).not.toHaveProperty(`locked_reward/${key}`)
  // On top, and not locked although a root has just been posted.
  expect((await grant({ amount: '1' })).body.owed).toBe('5000000000000000002')
  const { plan } = await user.run('claim-rewards', { asset: 'MORPHO' })
  expect(plan.details.svc_operation_actions).toHaveLength(1)
  expect(await reads.balance('mainnet', 'MORPHO', user.wallet)).toBe(5_000_000_000_000_000_002n)
  expect((await grant({ amount: '7' })).body.owed).toBe('7')
  await user.run('claim-rewards', { asset: 'MORPHO' })
  expect(await reads.balance('mainnet', 'MORPHO', user.wallet)).toBe(5_000_000_000_000_000_009n)
})

test('error: a grant of what no distributor pays, or to nobody', async () => {
  const { api, id } = await openUser(sim)
  const body = { account_id: id, asset: 'MORPHO', amount: '1', network: 'base' }
  const refused: [object, number, string][] = [
    [{ asset: 'COMP' }, 400, 'pays MORPHO only'],
    [{ network: 'polygon' }, 400, 'does not exist'],
    [{ amount: '0' }, 400, 'amount'],
    [{ amount: (2n ** 129n).toString() }, 400, 'too large'],
    [{ account_id: 'acc_000000000000' }, 404, 'There is no account'],
    [{ account_id: undefined }, 400, 'exactly one of account_id and address'],
  ]
  for (const [fields, status, message] of refused)
    expect([fields, await api.post('/_sim/rewards', { ...body, ...fields })]).toMatchObject([
      fields,
      { status, body: { message: expect.stringContaining(message) } },
    ])
})

test('behavior: a reset takes rewards and roots back, and the same steps work again', async () => {
  const address = '0x00000000000000000000000000000000000ba1e6'
  const root = () =>
    reads.client('base').readContract({
      address: book.on('base').morphoRewards!.distributor,
      abi: distributorAbi,
      functionName: 'root',
    })
  const steps = async () => {
    const user = await openUser(sim, `0x${'51'.repeat(32)}`)
    for (const target of [{ account_id: user.id }, { address }])
      await user.api.post('/_sim/rewards', {
        ...target,
        asset: 'MORPHO',
        amount: '1000',
        network: 'base',
      })
    return { user, folio: await folioOf(user) }
  }
  await sim.reset()
  const first = await steps()
  await first.user.run('claim-rewards', { asset: 'MORPHO' })
  const proof = first.folio.rewards[keyOf('base', first.user.wallet)]
  await sim.reset()
  expect(await root()).toBe(`0x${'00'.repeat(32)}`)
  const second = await steps()
  expect(second.folio.balances[`reward/${keyOf('base', second.user.wallet)}`]).toBe(
    '0.000000000000001e18',
  )
  // The lender’s own rewards grow by the second, and with them the root; nobody else’s do.
  expect(second.folio.rewards[keyOf('base', second.user.wallet)]!.proof.proof_amount).toBe(
    proof!.proof.proof_amount,
  )
  const { activity } = await second.user.run('claim-rewards', { asset: 'MORPHO' })
  expect(activity.activity_status).toBe('confirmed')
})
