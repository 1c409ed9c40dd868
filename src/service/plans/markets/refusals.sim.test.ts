import { type Abi, type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainReads, readsOf } from '../../../../test/kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { actors } from '../../../deployments/actors.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'

/** What markets refuse, and what a plan says then. Each test has markets of its own, since what it does to them stays. */

const book = loadAddressBook()
const configuratorAbi = parseAbi([
  'function setSupplyCap(address, uint256)',
  'function setReserveFreeze(address, bool)',
  'function setReservePause(address, bool)',
])
const poolAbi = parseAbi([
  'function supply(address, uint256, address, uint16)',
  'function borrow(address, uint256, uint256, uint16, address)',
])
const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }',
  'function market(bytes32) view returns (Market)',
  'function accrueInterest(MarketParams)',
  'function supplyCollateral(MarketParams, uint256, address, bytes)',
  'function borrow(MarketParams, uint256, uint256, address, address)',
])
const vaultAbi = parseAbi([
  'function maxDeposit(address) view returns (uint256)',
  'function withdrawQueueLength() view returns (uint256)',
  'function withdrawQueue(uint256) view returns (bytes32)',
])
let sim: SimulatorHandle
let chain: ChainReads

beforeAll(async () => {
  sim = await createSimulator()
  chain = readsOf(sim)
})
afterAll(() => sim.close())

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

/** A transaction of any account, on base. */
function send(from: Address, to: Address, abi: Abi, functionName: string, args: unknown[]) {
  return chain.sendAs('base', from, { to, data: encodeFunctionData({ abi, functionName, args }) })
}

/** Sets something of an Aave reserve, as its governors would. */
function govern(symbol: string, functionName: string, value: unknown): Promise<void> {
  const { poolConfigurator, reserves } = book.on('base').aave
  const { asset } = reserves.find((reserve) => reserve.symbol === symbol)!
  return send(actors.admin, poolConfigurator, configuratorAbi, functionName, [asset, value])
}

async function saver(asset: string, amount: bigint) {
  const user = await openUser(sim)
  await user.fund('base', asset, amount)
  const body = (value: string, rest: object = { protocol: 'aave' }) => ({
    asset,
    amount: value,
    network: 'base',
    ...rest,
  })
  return { user, body }
}

test('error: a frozen reserve lets out but not in, a paused one neither', async () => {
  const { user, body } = await saver('cbBTC', 10_000n)
  await user.run('earn', body('5000'))
  await govern('cbBTC', 'setReserveFreeze', true)
  expect(await user.plan('earn', body('1'))).toMatchObject(
    failure('reserve frozen: Aave V3 cbBTC takes no supplies now'),
  )
  const { activity } = await user.run('withdraw', body('1000'))
  expect(activity.activity_status).toBe('confirmed')
  await govern('cbBTC', 'setReservePause', true)
  expect(await user.plan('earn', body('1'))).toMatchObject(failure('reserve paused'))
  expect(await user.plan('withdraw', body('max'))).toMatchObject(
    failure('reserve paused: Aave V3 cbBTC takes no withdrawals now'),
  )
})

test('error: a plan is stale when its reserve is frozen meanwhile', async () => {
  const { user, body } = await saver('cbETH', 10n ** 18n)
  const planned = await user.plan('earn', body('max'))
  await govern('cbETH', 'setReserveFreeze', true)
  expect(await user.execute(planned.body as PlanBody)).toMatchObject({
    status: 409,
    body: { error: 'plan_stale' },
  })
  expect(await chain.balance('base', 'cbETH', user.wallet)).toBe(10n ** 18n)
})

test('error: more than a reserve’s cap leaves room for', async () => {
  const { user, body } = await saver('USDbC', 200_000_000_000_000n)
  // Fifty million are there.
  await govern('USDbC', 'setSupplyCap', 60_000_000n)
  expect(await user.plan('earn', body('max'))).toMatchObject(
    failure('supply cap exceeded: Aave V3 USDbC holds '),
  )
  const { activity } = await user.run('earn', body('1000000000000'))
  expect(activity.activity_status).toBe('confirmed')
})

test('error: a withdrawal that would let a loan down, with the pool’s own reason', async () => {
  const { user, body } = await saver('WETH', 10n ** 18n)
  await user.run('earn', body('max'))
  const { pool } = book.on('base').aave
  const usdc = book.token('base', 'USDC')!.address
  // The service has no loans on Aave: the wallet gets one behind its back.
  await send(user.wallet, pool, poolAbi, 'borrow', [usdc, 1_500_000_000n, 2n, 0, user.wallet])
  const reason = 'the plan would revert: 35 (HEALTH_FACTOR_LOWER_THAN_LIQUIDATION_THRESHOLD)'
  expect(await user.plan('withdraw', body('max'))).toMatchObject(failure(reason))
  const away = { from_protocol: 'aave', to_protocol: 'compound', asset: 'WETH', network: 'base' }
  expect(await user.plan('migrate', { ...away, amount: 'max' })).toMatchObject(failure(reason))
  const { activity } = await user.run('withdraw', body((10n ** 17n).toString()))
  expect(activity.activity_status).toBe('confirmed')
  const folio = (await user.api.get(`${user.path}/folio`)).body.folio.balances
  expect(folio).toMatchObject({
    // Aave rounds to the nearest unit, either way.
    [`borrow_market/aave/base/${pool}/USDC/${user.wallet}`]:
      expect.stringMatching(/^(1500|1499\.999999).*e6$/),
    [`borrow_market_collateral/aave/base/${pool}/USDC/WETH/${user.wallet}`]:
      expect.stringMatching(/^0\.(9|89).*e18$/),
  })
})

test('error: what a vault’s markets have lent out cannot be withdrawn', async () => {
  const { morpho } = book.on('base')
  const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'WETH')!
  const rest = { protocol: 'morpho_vault', market: vault.address }
  const { user, body } = await saver('WETH', 3n * 10n ** 18n)
  await user.run('earn', body('max', rest))
  await emptyMarketsOf(vault.address)
  for (const amount of ['max', (10n ** 18n).toString()])
    expect(await user.plan('withdraw', body(amount, rest))).toMatchObject(
      failure(`insufficient liquidity: ${vault.name} on base can pay out 0 of WETH now`),
    )
  const migrate = {
    ...{ asset: 'WETH', amount: 'max', network: 'base' },
    ...{ from_protocol: 'morpho_vault', from_market: vault.address, to_protocol: 'aave' },
  }
  expect(await user.plan('migrate', migrate)).toMatchObject(failure('insufficient liquidity'))
})

/** Somebody borrows all that the vault's markets have. */
async function emptyMarketsOf(vault: Address): Promise<void> {
  const client = chain.client('base')
  const { morpho, markets } = book.on('base').morpho
  const read = { address: vault, abi: vaultAbi } as const
  const length = await client.readContract({ ...read, functionName: 'withdrawQueueLength' })
  const whale: Address = '0x0000000000000000000000000000000000000a1e'
  for (let i = 0n; i < length; i++) {
    const id = await client.readContract({ ...read, functionName: 'withdrawQueue', args: [i] })
    const market = markets.find((each) => each.id === id)!
    const { loanToken, collateralToken, oracle, irm, lltv } = market
    const params = { loanToken, collateralToken, oracle, irm, lltv }
    const amount = 10n ** BigInt(market.collateralDecimals + 8)
    const { collateralSymbol: asset } = market
    await sim.fund({ address: whale, asset, amount: amount.toString(), network: 'base' })
    await send(whale, collateralToken, erc20Abi, 'approve', [morpho, maxUint256])
    await send(whale, morpho, morphoAbi, 'supplyCollateral', [params, amount, whale, '0x'])
    const sums = await client.readContract({
      address: morpho,
      abi: morphoAbi,
      functionName: 'market',
      args: [id],
    })
    // Supplies and loans grow by the same interest, so that their difference stays.
    const cash = sums.totalSupplyAssets - sums.totalBorrowAssets
    await send(whale, morpho, morphoAbi, 'borrow', [params, cash, 0n, whale, whale])
  }
}

test('error: what Aave has lent out cannot be withdrawn', async () => {
  const { user, body } = await saver('wstETH', 10n ** 18n)
  await user.run('earn', body('max'))
  const { pool, reserves } = book.on('base').aave
  const { asset, aToken } = reserves.find(({ symbol }) => symbol === 'wstETH')!
  const whale: Address = '0x0000000000000000000000000000000000000a1f'
  const usdc = book.token('base', 'USDC')!.address
  const plenty = 10n ** 17n
  await sim.fund({ address: whale, asset: 'USDC', amount: plenty.toString(), network: 'base' })
  await send(whale, usdc, erc20Abi, 'approve', [pool, plenty])
  await send(whale, pool, poolAbi, 'supply', [usdc, plenty, whale, 0])
  const cash = await chain.balance('base', 'wstETH', aToken)
  await send(whale, pool, poolAbi, 'borrow', [asset, cash, 2n, 0, whale])
  expect(await user.plan('withdraw', body('max'))).toMatchObject(
    failure('insufficient liquidity: Aave V3 wstETH on base can pay out 0 of wstETH now'),
  )
})

test('error: more than a vault takes', async () => {
  const vault = book.on('base').morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const room = await chain.client('base').readContract({
    address: vault.address,
    abi: vaultAbi,
    functionName: 'maxDeposit',
    args: [actors.lender],
  })
  const { user, body } = await saver('USDC', room + 1_000_000n)
  const rest = { protocol: 'morpho', market: vault.address }
  expect(await user.plan('earn', body('max', rest))).toMatchObject(
    failure(`supply cap exceeded: ${vault.name} takes at most `),
  )
})
