import { type Address, parseAbi } from 'viem'
import { parseEventLogs } from 'viem/utils'
import { expect, test } from 'vitest'
import { erc20, stranger, useWorld, type WorldSide } from '../../../test/kit/world.js'
import { actors } from '../../deployments/actors.js'
import type { MorphoMarket } from '../../deployments/protocolBook.js'
import { createNetworkStateReader, type NetworkState } from './networkState.js'

const morphoAbi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }',
  'function supplyCollateral(MarketParams, uint256, address, bytes)',
  'function borrow(MarketParams, uint256, uint256, address, address)',
  'function repay(MarketParams, uint256, uint256, address, bytes)',
  'function accrueInterest(MarketParams)',
  'function setFee(MarketParams, uint256)',
  'event AccrueInterest(bytes32 indexed id, uint256 prevBorrowRate, uint256 interest, uint256 feeShares)',
  'function market(bytes32) view returns (Market)',
  'function borrowRateView(MarketParams, Market) view returns (uint256)',
  'function position(bytes32, address) view returns (uint256, uint128 borrowShares, uint128 collateral)',
])
const world = useWorld(['base', 'mainnet'])
const paramsOf = ({ loanToken, collateralToken, oracle, irm, lltv }: MarketParams) => ({
  loanToken,
  collateralToken,
  oracle,
  irm,
  lltv,
})
type MarketParams = Pick<MorphoMarket, 'loanToken' | 'collateralToken' | 'oracle' | 'irm' | 'lltv'>

function snapshot(side: WorldSide, wallet: Address, assets?: string[]) {
  const scope = { protocols: ['morpho'] as const, ...(assets && { assets }) }
  return createNetworkStateReader(side.book).read(side.node, wallet, scope)
}

/** Makes the next block have the time of the snapshot, so that the market accrues just what was read. */
function mineAt(side: WorldSide, { timestamp }: NetworkState) {
  return side.node.rpc.request('evm_setNextBlockTimestamp', [Number(timestamp)])
}

async function indebted(side: WorldSide, label: string) {
  const me = stranger(label)
  const market = side.book.morpho.markets.find((m) => m.label.startsWith('WETH/USDC'))!
  const { morpho } = side.book.morpho
  await side.give(me, 'WETH', 10n ** 18n, morpho)
  const send = (name: string, args: readonly unknown[]) =>
    side.send(me, morpho, morphoAbi, name, args)
  await send('supplyCollateral', [paramsOf(market), 10n ** 18n, me, '0x'])
  await send('borrow', [paramsOf(market), 500_000_000n, 0n, me, me])
  return { me, market, morpho, send }
}

test('behavior: markets are read when both of their tokens are in scope', async () => {
  const side = world.on('base')
  const nobody = stranger('nobody')
  const all = await snapshot(side, nobody)
  expect(all.morphoMarkets.map(({ market }) => market.id)).toEqual(
    side.book.morpho.markets.map(({ id }) => id),
  )
  const some = await snapshot(side, nobody, ['usdc', 'weth'])
  expect(some.morphoMarkets.map(({ market }) => market.label).sort()).toEqual([
    'USDC/WETH 86%',
    'WETH/USDC 86%',
  ])
  for (const state of all.morphoMarkets)
    expect(state).toMatchObject({ borrowed: 0n, collateral: 0n })
})

/** Accrues the market at the time of the snapshot; resolves to its sums then, the mean rate at which it has accrued, and the rate from then on. */
async function accrue(side: WorldSide, market: MorphoMarket, taken: NetworkState) {
  const { morpho } = side.book.morpho
  await mineAt(side, taken)
  const abi = morphoAbi
  const { logs } = await side.send(stranger('accruer'), morpho, abi, 'accrueInterest', [
    paramsOf(market),
  ])
  const [accrued] = parseEventLogs({ abi, logs: logs as never, eventName: 'AccrueInterest' })
  const sums = await side.client.readContract({
    ...{ address: morpho, abi, functionName: 'market', args: [market.id] },
  })
  const rate = await side.client.readContract({
    ...{ address: market.irm, abi, functionName: 'borrowRateView', args: [paramsOf(market), sums] },
  })
  return { sums, rate, mean: accrued!.args.prevBorrowRate }
}

test('default: sums and position are what the market itself accrues, and the rate is the one from now on', async () => {
  for (const network of ['base', 'mainnet'] as const) {
    const side = world.on(network)
    const { me, market } = await indebted(side, `debtor on ${network}`)
    await side.warp(30 * 86_400)
    const taken = await snapshot(side, me)
    const read = taken.morphoMarkets.find((state) => state.market.id === market.id)!
    const { sums, rate } = await accrue(side, market, taken)
    expect(read).toMatchObject({
      totalSupply: sums.totalSupplyAssets,
      totalBorrow: sums.totalBorrowAssets,
      borrowRate: rate,
      collateral: 10n ** 18n,
    })
    expect(read.borrowed).toBeGreaterThan(500_000_000n)
  }
})

test('behavior: so they are when the model has adapted while nobody called the market, and with a fee: the rate is the one of this moment, not the mean', async () => {
  const side = world.on('base')
  const { me, market, morpho } = await indebted(side, 'debtor of an adaptive market')
  await side.send(actors.admin, morpho, morphoAbi, 'setFee', [paramsOf(market), 10n ** 17n])
  await side.warp(60)
  const first = await accrue(side, market, await snapshot(side, me))
  await side.warp(20 * 86_400)
  // In one read: a second later there is more interest.
  const taken = await createNetworkStateReader(side.book).read(side.node, me, {
    protocols: ['morpho', 'vaults'],
  })
  const read = taken.morphoMarkets.find((state) => state.market.id === market.id)!
  const vault = side.book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const { totalAssets } = taken.vaults.find((state) => state.vault === vault)!
  const { sums, rate, mean } = await accrue(side, market, taken)
  expect(read).toMatchObject({
    totalSupply: sums.totalSupplyAssets,
    totalBorrow: sums.totalBorrowAssets,
    borrowRate: rate,
  })
  // It is lent less than the target, so the rate has fallen.
  expect(rate).toBeLessThan((first.rate * 9n) / 10n)
  expect(mean * 10n).toBeGreaterThan(rate * 14n)
  const { vaults } = await createNetworkStateReader(side.book).read(side.node, me, {
    protocols: ['vaults'],
  })
  const after = vaults.find((state) => state.vault === vault)!
  // The fee's shares are part of what a share is worth: accruing changes nothing.
  const drift = after.totalAssets - totalAssets
  expect(drift).toBeGreaterThanOrEqual(0n)
  expect(drift * 1_000_000n).toBeLessThan(totalAssets)
})

test('behavior: the debt read is to the unit what repaying everything takes', async () => {
  const side = world.on('base')
  const { me, market, morpho, send } = await indebted(side, 'payer')
  await side.give(me, 'USDC', 100_000_000n)
  await side.send(me, market.loanToken, erc20, 'approve', [morpho, 1_000_000_000n])
  await side.warp(12_345)
  const taken = await snapshot(side, me)
  const { borrowed } = taken.morphoMarkets.find((state) => state.market.id === market.id)!
  const before = await side.balance(market.loanToken, me)
  const [, shares] = await side.client.readContract({
    address: morpho,
    abi: morphoAbi,
    functionName: 'position',
    args: [market.id, me],
  })
  await mineAt(side, taken)
  await send('repay', [paramsOf(market), 0n, shares, me, '0x'])
  expect(before - (await side.balance(market.loanToken, me))).toBe(borrowed)
})
