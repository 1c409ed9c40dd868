import type { Address, Hex } from 'viem'
import { encodeDeployData, encodeFunctionData, getAddress, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import {
  cometClaimRewardsAbi,
  cometSupplyAbi,
  morphoClaimRewardsAbi,
  plainVaultAbi,
  rewardsDistributorAbi,
  swapAbi,
  vaultActionsAbi,
} from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { buildTree } from '../../src/service/rewards/updater.js'
import {
  eventsOf,
  execute,
  operation,
  type Person,
  person,
  revertOf,
  startWalletWorld,
  type WalletWorld,
} from '../kit.js'

/** Rewards are claimed and handed on within one transaction, into vaults of the reward tokens themselves. */

const { scripts } = svcAddresses
const usdc = (amount: string) => parseUnits(amount, 6)
const ether = 10n ** 18n
const noHash: Hex = `0x${'00'.repeat(32)}`
let world: WalletWorld
let comp: { token: Address; vault: Address }
let morpho: { token: Address; vault: Address }

beforeAll(async () => {
  world = await startWalletWorld('base')
  comp = await vaultOf('COMP')
  morpho = await vaultOf('MORPHO')
})
afterAll(() => world.stop())

async function vaultOf(symbol: string): Promise<{ token: Address; vault: Address }> {
  const token = world.book.tokens.find((each) => each.symbol === symbol)!.address
  const data = encodeDeployData({
    abi: plainVaultAbi,
    bytecode: artifact('PlainVault').bytecode,
    args: [token],
  })
  const { contractAddress } = await world.send({ data })
  return { token, vault: contractAddress! }
}

/** What a wallet has in a vault: its shares are worth one unit each. */
async function depositedIn(vault: Address, wallet: Address): Promise<bigint> {
  const data = encodeFunctionData({
    abi: plainVaultAbi,
    functionName: 'balanceOf',
    args: [wallet],
  })
  return BigInt(await world.call(vault, data))
}

function depositReceived(vault: Address): SignedOperation {
  const calldata = encodeFunctionData({
    abi: vaultActionsAbi,
    functionName: 'depositReceived',
    args: [vault, 0n],
  })
  return operation(scripts.vaultActions, calldata)
}

/** A wallet that supplied to the Comet market and has waited for a day. */
async function supplier(key: number): Promise<Person> {
  const who = person(key)
  const { address, baseToken } = usdcMarket()
  await world.fund(who.wallet, 'USDC', usdc('1000000'))
  const args = [address, baseToken, usdc('1000000'), false] as const
  const calldata = encodeFunctionData({ abi: cometSupplyAbi, functionName: 'supply', args })
  await execute(world, who, operation(scripts.cometSupply, calldata))
  await world.request('evm_increaseTime', [86_400])
  await world.request('evm_mine')
  return who
}

function usdcMarket() {
  return world.book.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
}

function claimComp(): SignedOperation {
  const calldata = encodeFunctionData({
    abi: cometClaimRewardsAbi,
    functionName: 'claim',
    args: [world.book.cometRewards, comp.token, [usdcMarket().address]],
  })
  return operation(scripts.cometClaimRewards, calldata)
}

/** Posts a root under which each of these wallets is due what is said; resolves to their claims. */
async function due(entitlements: { wallet: Address; claimable: bigint }[]) {
  const leaves = entitlements.map(({ wallet, claimable }) => ({
    account: wallet,
    reward: morpho.token,
    claimable,
  }))
  const tree = buildTree(leaves)
  const { distributor } = world.book.morphoRewards!
  const data = encodeFunctionData({
    abi: rewardsDistributorAbi,
    functionName: 'setRoot',
    args: [tree.root, noHash],
  })
  await world.send({ from: actors.admin, to: distributor, data })
  return leaves.map((leaf) => (claimable = leaf.claimable) => {
    const calldata = encodeFunctionData({
      abi: morphoClaimRewardsAbi,
      functionName: 'claim',
      args: [distributor, leaf.reward, claimable, tree.proof(leaf)!],
    })
    return operation(scripts.morphoClaimRewards, calldata)
  })
}

test('default: exactly what a Comet market paid is handed on; what was there stays', async () => {
  const alice = await supplier(200)
  await world.fund(alice.wallet, 'COMP', 3n * ether)
  const receipt = await execute(world, alice, claimComp(), depositReceived(comp.vault))
  const claims = eventsOf(receipt, world.book.cometRewards, artifact('CometRewards').abi)
  expect(claims).toMatchObject([{ eventName: 'RewardClaimed' }])
  const { amount } = claims[0]!.args as { amount: bigint }
  expect(amount).toBeGreaterThan(0n)
  expect(await depositedIn(comp.vault, alice.wallet)).toBe(amount)
  expect(await world.balance(alice.wallet, 'COMP')).toBe(3n * ether)
})

test('default: exactly what the distributor paid is handed on; what was there stays', async () => {
  const [alice, bob] = [person(201), person(202)]
  const [claim] = await due([
    { wallet: alice.wallet, claimable: 5n * ether },
    { wallet: bob.wallet, claimable: ether },
  ])
  await world.fund(alice.wallet, 'MORPHO', 2n)
  await execute(world, alice, claim!(), depositReceived(morpho.vault))
  expect(await depositedIn(morpho.vault, alice.wallet)).toBe(5n * ether)
  expect(await world.balance(alice.wallet, 'MORPHO')).toBe(2n)
})

test('error: another wallet’s proof, another amount, and a second claim', async () => {
  const [alice, bob] = [person(203), person(204)]
  const [ofAlice, ofBob] = await due([
    { wallet: alice.wallet, claimable: 5n },
    { wallet: bob.wallet, claimable: 7n },
  ])
  const invalid = 'invalid proof or expired'
  expect(await revertOf(execute(world, alice, ofBob!()))).toBe(invalid)
  expect(await revertOf(execute(world, alice, ofAlice!(6n)))).toBe(invalid)
  await execute(world, alice, ofAlice!())
  expect(await revertOf(execute(world, alice, ofAlice!()))).toBe('claimable too low')
  expect(await world.balance(alice.wallet, 'MORPHO')).toBe(5n)
})

test('error: what one transaction brought is not there for the next one', async () => {
  const alice = await supplier(205)
  await execute(world, alice, claimComp())
  expect(await world.balance(alice.wallet, 'COMP')).toBeGreaterThan(0n)
  expect(await revertOf(execute(world, alice, depositReceived(comp.vault)))).toBe(
    `NothingReceived(${getAddress(comp.token)})`,
  )
})

test('behavior: of a swap the proceeds after the fee are handed on', async () => {
  const alice = person(206)
  await world.fund(alice.wallet, 'USDC', usdc('1000'))
  await world.fund(alice.wallet, 'COMP', 4n)
  const exchange = artifact('Exchange').abi
  const usdcToken = usdcMarket().baseToken
  const quoted = BigInt(
    await world.call(
      svcAddresses.exchange,
      encodeFunctionData({
        abi: exchange,
        functionName: 'quoteExactIn',
        args: [usdcToken, comp.token, usdc('1000')],
      }),
    ),
  )
  const data = encodeFunctionData({
    abi: exchange,
    functionName: 'swapExactIn',
    args: [usdcToken, comp.token, usdc('1000'), quoted, alice.wallet],
  })
  const swap = encodeFunctionData({
    abi: swapAbi,
    functionName: 'swap',
    args: [
      {
        target: svcAddresses.exchange,
        allowanceTarget: svcAddresses.exchange,
        sellToken: usdcToken,
        maxSellAmount: usdc('1000'),
        buyToken: comp.token,
        minBuyAmount: quoted,
        feeAmount: 1000n,
        feeRecipient: person(207).address,
        data,
      },
    ],
  })
  await execute(world, alice, operation(scripts.swap, swap), depositReceived(comp.vault))
  expect(await depositedIn(comp.vault, alice.wallet)).toBe(quoted - 1000n)
  expect(await world.balance(alice.wallet, 'COMP')).toBe(4n)
})
