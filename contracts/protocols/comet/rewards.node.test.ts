import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  admin,
  alice,
  bob,
  carol,
  maxUint256,
  startTestChain,
  type TestChain,
} from '../testChain.js'
import { assetOf, configOf, deployMarket, ether, type Market, parameters, usdc } from './market.js'
import { CometModel } from './model.js'

let chain: TestChain
let market: Market
let snapshot: unknown

interface Owed {
  token: string
  owed: bigint
}

beforeAll(async () => {
  chain = await startTestChain()
  market = await deployMarket(chain)
  const { comet, rewards, comp } = market
  await rewards.send('setRewardConfig', [comet.address, comp.address])
  await comp.send('mint', [rewards.address, ether('1000000')])
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: only the governor, and only once per market', async () => {
  const { comet, comp, rewards } = market
  const args = [comet.address, comp.address]
  const from = { from: alice }
  const refused = `NotPermitted(${alice})`
  expect(await rewards.failure('setRewardConfig', args, from)).toBe(refused)
  expect(await rewards.failure('withdrawToken', [comp.address, alice, 1n], from)).toBe(refused)
  expect(await rewards.failure('transferGovernor', [alice], from)).toBe(refused)
  expect(await rewards.failure('setRewardConfig', args)).toBe(`AlreadyConfigured(${comet.address})`)
})

test('error: a market without rewards', async () => {
  const expected = `NotSupported(${carol})`
  expect(await market.rewards.failure('getRewardOwed', [carol, alice])).toBe(expected)
  expect(await market.rewards.failure('claim', [carol, alice, true])).toBe(expected)
})

test('error: claiming for another to somewhere else', async () => {
  const args = [market.comet.address, alice, bob, true]
  const failure = await market.rewards.failure('claimTo', args, { from: bob })
  expect(failure).toBe(`NotPermitted(${bob})`)
})

test('error: rewards that are not there', async () => {
  const { comet, comp, rewards } = market
  await earn()
  await rewards.send('withdrawToken', [comp.address, admin, ether('1000000')])
  const { owed } = await rewards.read<Owed>('getRewardOwed', [comet.address, alice])
  await comet.send('accrueAccount', [alice])
  const failure = await rewards.failure('claim', [comet.address, alice, false])
  expect(failure).toMatch(new RegExp(`^ERC20InsufficientBalance\\(${rewards.address}, 0, `))
  expect(owed).toBeGreaterThan(0n)
})

test('default: both sides earn by the formula and are paid what they are owed', async () => {
  const { comet, comp, rewards } = market
  const model = await earn()
  for (const user of [alice, bob]) {
    const receipt = await rewards.send('claim', [comet.address, user, true])
    model.move(user, 0n, await chain.now())
    // Counted with six decimals, paid in a token of eighteen.
    const owed = model.position(user).accrued * 10n ** 12n
    expect(owed).toBeGreaterThan(0n)
    expect(rewards.events(receipt)).toEqual([
      {
        eventName: 'RewardClaimed',
        args: { src: user, recipient: user, token: comp.address, amount: owed },
      },
    ])
    expect(await comp.read('balanceOf', [user])).toBe(owed)
    expect(await rewards.read('rewardsClaimed', [comet.address, user])).toBe(owed)
  }
})

test('behavior: the view says what a claim in the same block would pay', async () => {
  const { comet, comp, rewards } = market
  await earn()
  const reply = await rewards.read<Owed>('getRewardOwed', [comet.address, alice])
  expect(reply.token).toBe(comp.address)
  const receipt = await rewards.send('claimTo', [comet.address, alice, carol, true], {
    from: alice,
  })
  const [claimed] = rewards.events(receipt)
  expect(claimed!.eventName).toBe('RewardClaimed')
  const { amount } = claimed!.args as { amount: bigint }
  // One second more: 231,481,481,481 / 1e15 of a token per second.
  expect(amount - reply.owed).toBeGreaterThanOrEqual(0n)
  expect(amount - reply.owed).toBeLessThan(10n ** 15n)
  expect(await comp.read('balanceOf', [carol])).toBe(amount)
})

test('behavior: what is claimed is not owed again, and without accrual nothing new is', async () => {
  const { comet, comp, rewards } = market
  await earn()
  await rewards.send('claim', [comet.address, alice, true], { from: carol })
  const paid = await comp.read('balanceOf', [alice])
  await chain.warp(86_400n)
  const receipt = await rewards.send('claim', [comet.address, alice, false])
  expect(rewards.events(receipt)).toEqual([])
  expect(await comp.read('balanceOf', [alice])).toBe(paid)
  await comet.send('allow', [bob, true], { from: alice })
  await rewards.send('claimTo', [comet.address, alice, bob, true], { from: bob })
  const second = await comp.read('balanceOf', [bob])
  expect(second).toBeGreaterThan(0n)
  expect(await rewards.read('rewardsClaimed', [comet.address, alice])).toBe(paid + second)
  const third = await rewards.send('claim', [comet.address, alice, false])
  expect(rewards.events(third)).toEqual([])
})

test('behavior: below the minimum a side earns nothing', async () => {
  const { comet, rewards } = market
  const args = [market.usdc.address, parameters.minForRewards - 1n]
  await comet.send('supply', args, { from: alice })
  await chain.warp(86_400n)
  const { owed } = await rewards.read<Owed>('getRewardOwed', [comet.address, alice])
  expect(owed).toBe(0n)
})

test('behavior: a base token of 18 decimals and a reward token of 4', async () => {
  const { weth, wbtc, rewards, assets, config } = market
  const points = await chain.deploy('Token', ['Points', 'PTS', 4, admin])
  await points.send('mint', [rewards.address, 10n ** 12n])
  const wide = { ...parameters, baseScale: ether('1'), minForRewards: 1n }
  const cheap = { ...configOf(weth.address, config.baseTokenPriceFeed, wide) }
  const pledge = assetOf(wbtc.address, assets[1]!.priceFeed, 8, 10_00000000n)
  const comet = await chain.deploy('Comet', [cheap, [pledge]])
  await rewards.send('setRewardConfig', [comet.address, points.address])
  await weth.send('approve', [comet.address, maxUint256], { from: alice })
  const model = new CometModel(wide, await chain.now())
  await comet.send('supply', [weth.address, ether('12.345678901234567890')], { from: alice })
  model.move(alice, ether('12.345678901234567890'), await chain.now())
  await chain.warp(86_400n)
  await rewards.send('claim', [comet.address, alice, true])
  model.move(alice, 0n, await chain.now())
  expect(model.position(alice).accrued).toBeGreaterThan(19_000_000n)
  expect(await points.read('balanceOf', [alice])).toBe(model.position(alice).accrued / 100n)
})

test('behavior: governance can be handed on', async () => {
  const receipt = await market.rewards.send('transferGovernor', [carol])
  expect(market.rewards.events(receipt)).toEqual([
    { eventName: 'GovernorTransferred', args: { oldGovernor: admin, newGovernor: carol } },
  ])
  expect(await market.rewards.read('governor')).toBe(carol)
})

/** Alice supplies and bob borrows for a day; the model knows of it. */
async function earn(): Promise<CometModel> {
  const { comet, usdc: base, weth } = market
  const totals = await comet.read<readonly unknown[]>('totalsBasic')
  const model = new CometModel(parameters, BigInt(totals[6] as number))
  await comet.send('supply', [base.address, usdc('500000')], { from: alice })
  model.move(alice, usdc('500000'), await chain.now())
  await comet.send('supply', [weth.address, ether('200')], { from: bob })
  await comet.send('withdraw', [base.address, usdc('300000')], { from: bob })
  model.move(bob, -usdc('300000'), await chain.now())
  await chain.warp(86_400n)
  return model
}
