import type { Abi, Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { twoOrigins } from '../kit/origins.js'
import { positionsOn } from '../kit/positions.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'

/** Forks whose stablecoins have the habits of the real ones: on mainnet those of USDT (USDC too), on base those of USDC. */

const ether = 10n ** 18n
const usd = 10n ** 6n
const book = loadAddressBook()
const market = book
  .on('mainnet')
  .morpho.markets.find(({ loanSymbol, collateralSymbol }) =>
    [loanSymbol, collateralSymbol].every((symbol, i) => symbol === ['USDT', 'WETH'][i]),
  )!
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const tether = artifact('Tether')
const blacklisting = artifact('FiatToken')
const { start, end, openUser } = twoOrigins()
let upstreams: Upstream[]
let sim: SimulatorHandle

beforeAll(async () => {
  upstreams = await Promise.all([startUpstream('mainnet'), startUpstream('base')])
  const code = artifact('TetherToken').deployedBytecode!
  await upstreams[0]!.rpc.request('anvil_setCode', [tokenOn('mainnet', 'USDC'), code])
})
afterAll(() => Promise.all(upstreams.map((upstream) => upstream.stop())))

const tokenOn = (network: NetworkName, symbol: string) => book.token(network, symbol)!.address

/** A transaction of anybody on a forked node. */
async function sendOn(
  network: NetworkName,
  from: Address,
  to: Address,
  call: { abi: Abi; functionName: string; args: readonly unknown[] },
): Promise<void> {
  const { request } = readsOf(sim)
  await request(network, 'anvil_impersonateAccount', [from])
  await request(network, 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
  const data = encodeFunctionData(call)
  await request(network, 'eth_sendTransactionSync', [{ from, to, data }])
}

const tetherCall = (functionName: string, args: readonly unknown[]) => ({
  ...{ abi: tether.abi, functionName, args },
})

/** An oracle, written by hand: ether costs 2,600 USDT (10^(36 + 6 - 18) of it). */
const cheapOracle: Hex = `0x7f${(2_600n * 10n ** 24n).toString(16).padStart(64, '0')}60005260206000f3`

// Once: what such a bundle has is the same reads, and bundles are replayed in fork.test.ts, forkMissing, forkNetworks and forkPlans.
describe('from its upstream', () => {
  beforeAll(async () => {
    const [main, base] = upstreams as [Upstream, Upstream]
    sim = await start('upstream', upstreams, {
      rpcUnsafe: true,
      bridgeDelayMs: 20,
      fork: { mainnet: { url: main.url }, base: { url: base.url } },
    })
  })
  afterAll(() => end('upstream', upstreams, sim))

  test('default: a token that answers nothing and takes no approval over an approval is lent, repaid and swapped, again and again', async () => {
    const user = await openUser(sim)
    await user.fund('mainnet', 'USDT', 1_000n * usd)
    await user.fund('mainnet', 'ETH', 10n * ether)
    const loan = {
      ...{ asset: 'USDT', amount: (500n * usd).toString(), network: 'mainnet' },
      ...{ collateral_asset: 'WETH', collateral_amount: ether.toString() },
      ...{ protocol: 'morpho', market: market.id },
    }
    const earn = { asset: 'USDT', amount: (100n * usd).toString(), network: 'mainnet' }
    const swap = { sell_asset: 'USDT', buy_asset: 'USDC', sell_amount: (10n * usd).toString() }
    for (const _ of [1, 2]) {
      await user.run('earn', { ...earn, protocol: 'aave' })
      await user.run('earn', { ...earn, protocol: 'compound' })
      await user.run('borrow', loan)
      await user.run('repay', { ...loan, amount: (100n * usd).toString(), collateral_amount: '0' })
      await user.run('repay', { ...loan, amount: 'max', collateral_amount: 'max' })
      await user.run('swap', { ...swap, network: 'mainnet' })
    }
    const { balance } = positionsOn(sim, 'mainnet')
    expect(await balance('USDC', user.wallet)).toBeGreaterThan(19n * usd)
  })

  test('behavior: the relayer fills in such a token after an approval that was not used up', async () => {
    const pool = book.on('mainnet').spokePool
    const usdc = tokenOn('mainnet', 'USDC')
    await sendOn('mainnet', actors.relayer, usdc, tetherCall('approve', [pool, 5n]))
    const user = await openUser(sim)
    await user.fund('optimism', 'USDC', 40n * usd)
    const before = await positionsOn(sim, 'mainnet').balance('USDC', friend)
    const transfer = { asset: 'USDC', amount: '15000000', network: 'mainnet', recipient: friend }
    await user.run('transfer', transfer)
    await user.run('transfer', transfer)
    const after = await positionsOn(sim, 'mainnet').balance('USDC', friend)
    expect(after - before).toBe(30n * usd)
  })

  test('behavior: the bot liquidates a loan in such a token after an approval that was not used up', async () => {
    const { morpho } = book.on('mainnet').morpho
    const usdt = tokenOn('mainnet', 'USDT')
    await sendOn('mainnet', actors.liquidator, usdt, tetherCall('approve', [morpho, 5n]))
    const user = await openUser(sim)
    await user.fund('mainnet', 'WETH', ether)
    await user.run('borrow', {
      ...{ asset: 'USDT', amount: (2_500n * usd).toString(), network: 'mainnet' },
      ...{ collateral_asset: 'WETH', collateral_amount: ether.toString() },
      ...{ protocol: 'morpho', market: market.id },
    })
    await readsOf(sim).request('mainnet', 'anvil_setCode', [market.oracle, cheapOracle])
    const reply = await user.api.post('/_sim/liquidations', { account_id: user.id })
    expect(reply).toMatchObject({ status: 200, body: { liquidations: [{ protocol: 'morpho' }] } })
    const { debt } = await positionsOn(sim, 'mainnet').morpho(market.id, user.wallet)
    expect(debt).toBe(0n)
  })

  test('error: plan_failed where a token takes a fee of what is transferred; without the fee the same plan is made', async () => {
    const usdt = tokenOn('mainnet', 'USDT')
    const user = await openUser(sim)
    await user.fund('mainnet', 'USDT', 100n * usd)
    const transfer = { asset: 'USDT', amount: '1000000', network: 'mainnet', recipient: friend }
    const earn = { asset: 'USDT', amount: '1000000', network: 'mainnet', protocol: 'aave' }
    await sendOn('mainnet', actors.admin, usdt, tetherCall('setParams', [10n, 49n]))
    for (const [kind, body] of [
      ['transfer', transfer],
      ['earn', earn],
    ] as const) {
      const { status, body: answer } = await user.plan(kind, body)
      expect([kind, status, answer.error]).toEqual([kind, 400, 'plan_failed'])
      expect(answer.message).toContain('USDT on mainnet takes a transfer fee')
    }
    // Another token of the same network has nothing to do with it.
    await user.fund('mainnet', 'USDC', usd)
    await user.run('transfer', { ...transfer, asset: 'USDC' })
    await sendOn('mainnet', actors.admin, usdt, tetherCall('setParams', [0n, 0n]))
    await user.run('transfer', transfer)
  })

  test('behavior: the faucet leaves a wallet on the blacklist that stands in the word of its balance', async () => {
    const user = await openUser(sim)
    const usdc = tokenOn('base', 'USDC')
    const { balance, client } = positionsOn(sim, 'base')
    await user.fund('base', 'USDC', 7n)
    const list = { abi: blacklisting.abi, functionName: 'blacklist', args: [user.wallet] }
    await sendOn('base', actors.admin, usdc, list)
    await user.fund('base', 'USDC', 5n)
    expect(await balance('USDC', user.wallet)).toBe(12n)
    const { abi } = blacklisting
    const listed = {
      address: usdc,
      abi,
      functionName: 'isBlacklisted',
      args: [user.wallet],
    } as const
    expect(await client.readContract(listed)).toBe(true)
    const transfer = { asset: 'USDC', amount: '12', network: 'base', recipient: friend }
    const { status, body } = await user.plan('transfer', transfer)
    expect({ status, ...body }).toEqual({
      ...{ status: 400, error: 'plan_failed' },
      message: 'the plan would revert: Blacklistable: account is blacklisted',
    })
    const other = await openUser(sim)
    await other.fund('base', 'USDC', 12n)
    await other.run('transfer', transfer)
  })
})
