import type { Address, Hex } from 'viem'
import { encodeFunctionData, getAddress, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import {
  aaveActionsAbi,
  cometSupplyAbi,
  cometWithdrawAbi,
  vaultActionsAbi,
} from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { execute, operation, person, revertOf, startWalletWorld, type WalletWorld } from '../kit.js'

/** The hand-over between scripts of one transaction: Received.sol, through the scripts that use it. */

const { scripts } = svcAddresses
const maxUint256 = 2n ** 256n - 1n
const usdc = (amount: string) => parseUnits(amount, 6)
let world: WalletWorld
let comet: Address
let pool: Address
let vault: Address
let asset: Address
let nextPerson = 200

beforeAll(async () => {
  world = await startWalletWorld('base')
  comet = world.book.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!.address
  pool = world.book.aave.pool
  const there = world.book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  vault = there.address
  asset = there.asset
})
afterAll(() => world.stop())

/** Somebody with 1000 USDC in a Comet market and 50 in the wallet. */
async function saver() {
  const who = person(nextPerson++)
  await world.fund(who.wallet, 'USDC', usdc('1050'))
  const args = [comet, asset, usdc('1000'), false] as const
  await execute(
    world,
    who,
    operation(
      scripts.cometSupply,
      encodeFunctionData({ abi: cometSupplyAbi, functionName: 'supply', args }),
    ),
  )
  return who
}

function fromComet(amount: bigint): SignedOperation {
  const args = [comet, asset, amount] as const
  return operation(
    scripts.cometWithdraw,
    encodeFunctionData({ abi: cometWithdrawAbi, functionName: 'withdraw', args }),
  )
}

/** What the three protocols' scripts supply of what was received, and how much of it there is then. */
function intoVault(besides = 0n): SignedOperation {
  const args = [vault, besides] as const
  return operation(
    scripts.vaultActions,
    encodeFunctionData({ abi: vaultActionsAbi, functionName: 'depositReceived', args }),
  )
}

function intoAave(token = asset, besides = 0n): SignedOperation {
  const args = [pool, token, besides] as const
  return operation(
    scripts.aaveActions,
    encodeFunctionData({ abi: aaveActionsAbi, functionName: 'supplyReceived', args }),
  )
}

function intoComet(): SignedOperation {
  const args = [comet, asset, 0n] as const
  return operation(
    scripts.cometSupply,
    encodeFunctionData({ abi: cometSupplyAbi, functionName: 'supplyReceived', args }),
  )
}

const nothing = () => `NothingReceived(${getAddress(asset)})`

test('error: nothing was received, or was in another transaction, or is another token', async () => {
  const who = await saver()
  for (const alone of [intoVault(), intoAave(), intoComet()])
    expect(await revertOf(execute(world, who, alone))).toBe(nothing())
  // Nor does what the wallet holds, or takes out on top, stand in for it.
  expect(await revertOf(execute(world, who, intoVault(usdc('50'))))).toBe(nothing())
  await execute(world, who, fromComet(usdc('10')))
  expect(await revertOf(execute(world, who, intoVault()))).toBe(nothing())
  const weth = world.book.tokens.find(({ symbol }) => symbol === 'WETH')!.address
  expect(await revertOf(execute(world, who, fromComet(usdc('10')), intoAave(weth)))).toBe(
    `NothingReceived(${getAddress(weth)})`,
  )
})

test('error: what was received can be passed on once', async () => {
  const who = await saver()
  const twice = execute(world, who, fromComet(usdc('10')), intoVault(), intoAave())
  expect(await revertOf(twice)).toBe(nothing())
})

test('default: exactly what came out goes in; what the wallet held stays', async () => {
  for (const into of [intoVault(), intoAave()]) {
    const who = await saver()
    await execute(world, who, fromComet(usdc('600')), into)
    expect(await world.balance(who.wallet, 'USDC')).toBe(usdc('50'))
    await execute(world, who, fromComet(maxUint256))
    // The market rounds down twice at the deposit and twice at the first withdrawal; and it may have earned a little.
    const back = await world.balance(who.wallet, 'USDC')
    expect(usdc('450') - back).toBeLessThanOrEqual(4n)
    expect(back - usdc('450')).toBeLessThan(usdc('1'))
  }
})

test('behavior: everything with its interest goes on, through all three and back', async () => {
  const who = await saver()
  await world.request('evm_increaseTime', [30 * 86_400])
  await world.request('evm_mine')
  const fromVault = operation(
    scripts.vaultActions,
    encodeFunctionData({
      abi: vaultActionsAbi,
      functionName: 'withdraw',
      args: [vault, maxUint256],
    }),
  )
  const fromAave = operation(
    scripts.aaveActions,
    encodeFunctionData({
      abi: aaveActionsAbi,
      functionName: 'withdraw',
      args: [pool, asset, maxUint256],
    }),
  )
  const round = [fromComet(maxUint256), intoVault(), fromVault, intoAave(), fromAave, intoComet()]
  await execute(world, who, ...round)
  expect(await world.balance(who.wallet, 'USDC')).toBe(usdc('50'))
  await execute(world, who, fromComet(maxUint256))
  expect(await world.balance(who.wallet, 'USDC')).toBeGreaterThan(usdc('1050'))
})

test('behavior: several receipts add up, and something on top comes out of the wallet', async () => {
  const who = await saver()
  await execute(world, who, fromComet(usdc('10')), fromComet(usdc('15')), intoVault(usdc('20')))
  expect(await world.balance(who.wallet, 'USDC')).toBe(usdc('30'))
  const shares: Hex = await world.call(
    vault,
    encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'maxWithdraw',
          stateMutability: 'view',
          inputs: [{ type: 'address' }],
          outputs: [{ type: 'uint256' }],
        },
      ],
      functionName: 'maxWithdraw',
      args: [who.wallet],
    }),
  )
  expect(usdc('45') - BigInt(shares)).toBeLessThanOrEqual(1n)
})
