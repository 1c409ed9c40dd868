import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { artifact } from '../../../src/chain/genesis/contracts.js'
import {
  admin,
  alice,
  type Contract,
  maxUint256,
  startTestChain,
  type TestChain,
} from '../testChain.js'
import { type AssetConfig, assetOf, type CometConfig, configOf } from './market.js'

let chain: TestChain
let oneUsd: Address
let base: Contract
let snapshot: unknown

beforeAll(async () => {
  chain = await startTestChain()
  oneUsd = (await chain.deploy('ConstantFeed', [10n ** 8n, 8, 'one'])).address
  base = await chain.deploy('SilentToken')
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: parameters that make no market', async () => {
  const token = await chain.deploy('Token', ['T', 'T', 18, admin])
  const fine = assetWith(token)
  const fails = (changes: Partial<CometConfig>, assets: AssetConfig[] = [fine]) =>
    chain.deployFailure('Comet', [{ ...config(), ...changes }, assets])
  const wad = 10n ** 18n
  const fineFeed = (await chain.deploy('ConstantFeed', [1n, 18, 'fine'])).address
  const tiny = await chain.deploy('Token', ['T', 'T', 5, admin])
  const huge = await chain.deploy('Token', ['T', 'T', 19, admin])

  expect(await fails({ baseTokenPriceFeed: fineFeed })).toBe('BadDecimals()')
  expect(await fails({ baseToken: tiny.address })).toBe('BadDecimals()')
  expect(await fails({ baseToken: huge.address })).toBe('BadDecimals()')
  expect(await fails({ storeFrontPriceFactor: wad + 1n })).toBe('BadDiscount()')
  expect(await fails({ baseMinForRewards: 0n })).toBe('BadMinimum()')
  expect(await fails({}, [{ ...fine, decimals: 17 }])).toBe('BadDecimals()')
  expect(await fails({}, [{ ...fine, priceFeed: fineFeed }])).toBe('BadDecimals()')
  expect(
    await fails({}, [{ ...fine, borrowCollateralFactor: fine.liquidateCollateralFactor }]),
  ).toBe('BorrowCFTooLarge()')
  expect(await fails({}, [{ ...fine, liquidateCollateralFactor: wad + 1n }])).toBe(
    'LiquidateCFTooLarge()',
  )
  expect(await fails({}, [{ ...fine, liquidationFactor: wad + 1n }])).toBe('BadDiscount()')
  expect(
    await fails(
      {},
      Array.from({ length: 16 }, () => fine),
    ),
  ).toBe('TooManyAssets()')
  await chain.deploy('Comet', [config(), Array.from({ length: 15 }, () => fine)])
})

test('error: a token that answers false', async () => {
  const token = await chain.deploy('FalseToken', [admin])
  const comet = await marketWith(token, 6)
  await fund(token, comet)
  await comet.send('supply', [token.address, 10n], { from: alice })
  await token.send('setRefusing', [true])
  expect(await comet.failure('supply', [token.address, 1n], { from: alice })).toBe(
    'TransferInFailed()',
  )
  expect(await comet.failure('withdraw', [token.address, 1n], { from: alice })).toBe(
    'TransferOutFailed()',
  )
})

test('error: a token that calls back', async () => {
  const token = await chain.deploy('ReentrantToken', [admin])
  const comet = await marketWith(token, 18)
  await fund(token, comet)
  const calls = [
    ['withdraw', token.address, 1n],
    ['supply', token.address, 1n],
    ['transfer', alice, 1n],
    ['buyCollateral', token.address, 0n, 1n, alice],
  ] as const
  for (const [functionName, ...args] of calls) {
    const data = encodeFunctionData({ abi: artifact('Comet').abi, functionName, args })
    await token.send('setCall', [comet.address, data])
    const failure = await comet.failure('supply', [token.address, 1n], { from: alice })
    expect(failure).toBe('ReentrantCallBlocked()')
  }
})

test('default: a token that answers nothing is fine', async () => {
  const comet = await marketWith(await chain.deploy('Token', ['T', 'T', 18, admin]), 18)
  await base.send('mint', [alice, 1000n])
  await comet.send('supply', [base.address, 1000n], { from: alice })
  await comet.send('withdraw', [base.address, maxUint256], { from: alice })
  expect(await base.read('balanceOf', [alice])).toBe(1000n)
})

test('behavior: of a token with a fee what arrives counts', async () => {
  const token = await chain.deploy('FeeToken', [admin])
  const comet = await marketWith(token, 18)
  await fund(token, comet)
  await comet.send('supply', [token.address, 1000n], { from: alice })
  expect(await comet.read('collateralBalanceOf', [alice, token.address])).toBe(990n)
  expect(await comet.read('getCollateralReserves', [token.address])).toBe(0n)
})

function config(): CometConfig {
  return configOf(base.address, oneUsd)
}

function assetWith(token: Contract, decimals = 18): AssetConfig {
  return assetOf(token.address, oneUsd, decimals, 10n ** 24n)
}

function marketWith(token: Contract, decimals: number): Promise<Contract> {
  return chain.deploy('Comet', [config(), [assetWith(token, decimals)]])
}

async function fund(token: Contract, comet: Contract): Promise<void> {
  await token.send('mint', [alice, 10n ** 9n])
  await token.send('approve', [comet.address, maxUint256], { from: alice })
}
