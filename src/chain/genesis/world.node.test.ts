import type { Abi, Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, keccak256, parseAbi } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import { actors } from '../../deployments/actors.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import { rawNetwork } from '../../deployments/addressFile.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { cometAbi, cometRewardsAbi, exchangeAbi, multicall3Abi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { createFaucet } from '../funds/faucet.js'
import type { Nodes } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'
import type { WorldNode } from './anvil.js'
import { hubKey, prices, startPrice, worth } from './prices.js'
import { feedsOf } from './protocols/feeds.js'

const addressBook = loadAddressBook()
const purse: Hex = `0x${(10n ** 21n).toString(16)}`
const user: Address = '0x00000000000000000000000000000000000a11ce'

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function approve(address, uint256) returns (bool)',
  'function latestAnswer() view returns (int256)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function setPrice(bytes32, uint256)',
])

let running: Map<NetworkName, WorldNode>
let nodes: Nodes
const snapshots = new Map<NetworkName, Hex>()

beforeAll(async () => {
  const started = networkNames.map((n) => lendNode(n))
  running = new Map((await Promise.all(started)).map((node) => [node.network, node]))
  nodes = { get: (n) => running.get(n)!, all: () => [...running.values()], stop: async () => {} }
})

afterAll(async () => {
  await Promise.all([...running.values()].map((node) => node.stop()))
})

beforeEach(async () => {
  for (const node of running.values())
    snapshots.set(node.network, await node.rpc.request('evm_snapshot'))
})

afterEach(async () => {
  for (const node of running.values())
    await node.rpc.request('evm_revert', [snapshots.get(node.network)])
})

describe.each(networkNames)('%s', (network) => {
  const book = addressBook.on(network)
  const { call, send } = callers(network)

  test('behavior: every token says its name, symbol and decimals', async () => {
    for (const token of book.tokens.filter((t) => !t.native)) {
      const onchainSymbol = rawNetwork(network).tokens[token.symbol]!.onchainSymbol
      expect([
        await call(token.address, abi, 'name'),
        await call(token.address, abi, 'symbol'),
        await call(token.address, abi, 'decimals'),
      ]).toEqual([token.name, onchainSymbol ?? token.symbol, token.decimals])
    }
  })

  test('behavior: every feed answers the price table with eight decimals, and is fresh', async () => {
    for (const token of book.tokens)
      expect(await call(token.feed, abi, 'latestAnswer')).toBe(startPrice(token.symbol))
    for (const feed of feedsOf(book)) {
      expect(await call(feed.address, abi, 'decimals')).toBe(8)
      const round = (await call(feed.address, abi, 'latestRoundData')) as bigint[]
      expect(round[1]).toBe(ratio(prices, feed.base, feed.quote))
      expect(round[3]).toBe(await now(network))
    }
  })

  test('behavior: a price set in the hub moves every feed that hangs on it, and no other', async () => {
    const changed = { ...prices, ETH: 1_234_56000000n }
    await send(actors.admin, book.priceHub, abi, 'setPrice', [hubKey('ETH'), changed.ETH])
    const feeds = feedsOf(book)
    for (const feed of feeds)
      expect(await call(feed.address, abi, 'latestAnswer')).toBe(
        ratio(changed, feed.base, feed.quote),
      )
    expect(feeds.filter((f) => (f.base === 'ETH') !== (f.quote === 'ETH')).length).toBeGreaterThan(
      0,
    )
  })

  test('behavior: every Comet market has its parameters, deep liquidity and rates', async () => {
    for (const market of book.comets) {
      const read = (name: string, args: unknown[] = []) =>
        call(market.address, cometAbi, name, args)
      expect(await read('baseToken')).toMatch(new RegExp(market.baseToken, 'i'))
      expect(await read('numAssets')).toBe(market.collaterals.length)
      for (const [i, collateral] of market.collaterals.entries())
        expect(lowerAddresses(await read('getAssetInfo', [i]))).toMatchObject({
          asset: collateral.asset,
          priceFeed: collateral.priceFeed,
          scale: 10n ** BigInt(collateral.decimals),
          borrowCollateralFactor: collateral.borrowCollateralFactor,
          liquidateCollateralFactor: collateral.liquidateCollateralFactor,
          liquidationFactor: collateral.liquidationFactor,
          supplyCap: collateral.supplyCap,
        })
      const utilization = (await read('getUtilization')) as bigint
      expect(utilization).toBeGreaterThan(70n * 10n ** 16n)
      expect(utilization).toBeLessThan(85n * 10n ** 16n)
      expect(await read('getSupplyRate', [utilization])).toBeGreaterThan(0n)
      expect(await read('getBorrowRate', [utilization])).toBeGreaterThan(0n)
      expect(await read('totalBorrow')).toBeGreaterThan(market.tracking.minForRewards)
      expect(await read('isLiquidatable', [actors.borrower])).toBe(false)
      expect(await read('baseTrackingSupplySpeed')).toBe(market.tracking.supplySpeed)
      expect(await read('baseBorrowMin')).toBe(market.baseBorrowMin)
    }
  })

  test('behavior: five years later the markets are still sound', async () => {
    const { rpc } = nodes.get(network)
    await rpc.request('evm_increaseTime', [5 * 365 * 86_400])
    for (const { address } of book.comets) {
      await send(user, address, cometAbi, 'accrueAccount', [actors.borrower])
      expect(await call(address, cometAbi, 'isLiquidatable', [actors.borrower])).toBe(false)
      expect(await call(address, cometAbi, 'isBorrowCollateralized', [actors.borrower])).toBe(true)
      expect(await call(address, cometAbi, 'getUtilization')).toBeLessThan(95n * 10n ** 16n)
    }
  })

  test('behavior: a newcomer supplies base, and borrows against a collateral, in every market', async () => {
    const faucet = createFaucet(nodes, addressBook)
    for (const market of book.comets) {
      const { address: comet, baseToken, baseSymbol, collaterals } = market
      const collateral = collaterals[0]!
      const base = { symbol: baseSymbol, decimals: market.baseDecimals }
      const supplied = worth(1000n, base)
      const give = async (asset: string, token: Address, amount: bigint, from: Address) => {
        await faucet.fund({ network, asset, amount, address: from })
        await send(from, token, abi, 'approve', [comet, amount])
        await send(from, comet, cometAbi, 'supply', [token, amount])
      }
      const lender: Address = `0x${keccak256(`${comet}01`).slice(-40)}`
      await give(baseSymbol, baseToken, supplied, lender)
      const balance = (await call(comet, cometAbi, 'balanceOf', [lender])) as bigint
      expect(supplied - balance).toBeLessThan(3n)

      await give(collateral.symbol, collateral.asset, worth(1000n, collateral), user)
      const borrowed = worth(400n, base)
      const before = (await call(baseToken, abi, 'balanceOf', [user])) as bigint
      await send(user, comet, cometAbi, 'withdraw', [baseToken, borrowed])
      const after = (await call(baseToken, abi, 'balanceOf', [user])) as bigint
      expect(after - before).toBe(borrowed)
      expect(await call(comet, cometAbi, 'borrowBalanceOf', [user])).toBeGreaterThanOrEqual(
        borrowed,
      )
    }
  })

  test('behavior: the lender’s rewards grow and can be paid where suppliers earn them', async () => {
    for (const market of book.comets) {
      const [comet, token] = [market.address, market.rewardToken]
      if (market.tracking.supplySpeed === 0n) continue
      const { rpc } = nodes.get(network)
      await rpc.request('evm_increaseTime', [86_400])
      await rpc.request('evm_mine')
      await send(user, book.cometRewards, cometRewardsAbi, 'claim', [comet, actors.lender, true])
      expect(await call(token, abi, 'balanceOf', [actors.lender])).toBeGreaterThan(0n)
    }
  })

  test('behavior: Multicall3 answers many reads at once', async () => {
    const decimals = encodeFunctionData({ abi, functionName: 'decimals' })
    const calls = book.comets.map((m) => ({
      target: m.baseToken,
      allowFailure: true,
      callData: decimals,
    }))
    const missing = { target: user, allowFailure: true, callData: decimals }
    const answers = (await call(book.multicall3, multicall3Abi, 'aggregate3', [
      [...calls, missing],
    ])) as { success: boolean; returnData: Hex }[]
    expect(answers.slice(0, -1).map((a) => [a.success, BigInt(a.returnData)])).toEqual(
      book.comets.map((m) => [true, BigInt(m.baseDecimals)]),
    )
    expect(await call(book.multicall3, multicall3Abi, 'getChainId')).toBe(BigInt(book.chainId))
  })

  test('behavior: the exchange quotes every pair near the price, for 100,000 dollars', async () => {
    for (const sell of book.tokens)
      for (const buy of book.tokens.filter((t) => t !== sell)) {
        const args = [sell.address, buy.address, worth(100_000n, sell)]
        const bought = (await call(book.exchange, exchangeAbi, 'quoteExactIn', args)) as bigint
        const fair = worth(100_000n, buy)
        expect(bought, `${sell.symbol} -> ${buy.symbol}`).toBeLessThan(fair)
        expect(bought, `${sell.symbol} -> ${buy.symbol}`).toBeGreaterThan((fair * 99n) / 100n)
      }
  })

  test('behavior: the exchange settles with the native token', async () => {
    const usdc = addressBook.token(network, 'USDC')!
    const native = book.tokens[0]!
    await createFaucet(nodes, addressBook).fund({
      network,
      asset: native.symbol,
      address: user,
      amount: worth(2000n, native),
    })
    const pair = [native.address, usdc.address, worth(1000n, native)] as const
    const quoted = await call(book.exchange, exchangeAbi, 'quoteExactIn', pair)
    const data = encodeFunctionData({
      abi: exchangeAbi,
      functionName: 'swapExactIn',
      args: [...pair, 1n, user],
    })
    await sendAs(nodes.get(network), { from: user, to: book.exchange, data, value: pair[2] })
    expect(await call(usdc.address, abi, 'balanceOf', [user])).toBe(quoted)
  })
})

test('behavior: our own contracts have the same code at the same addresses on every network', async () => {
  const { scripts, ...others } = svcAddresses
  for (const address of [...Object.values(others), ...Object.values(scripts)]) {
    const codes = await Promise.all(nodes.all().map((n) => code(n.network, address)))
    expect(codes[0]!.length).toBeGreaterThan(2)
    expect(new Set(codes.map((c) => keccak256(c))).size, address).toBe(1)
  }
})

/** Reads and transactions on one network, with results as the ABI decodes them. */
function callers(network: NetworkName) {
  return {
    async call(
      to: Address,
      abi: Abi,
      functionName: string,
      args: readonly unknown[] = [],
    ): Promise<unknown> {
      const data = encodeFunctionData({ abi, functionName, args })
      const result = await nodes.get(network).rpc.request<Hex>('eth_call', [{ to, data }, 'latest'])
      return decodeFunctionResult({ abi, functionName, args, data: result })
    },
    /** The sender gets what the gas costs first. */
    async send(
      from: Address,
      to: Address,
      abi: Abi,
      functionName: string,
      args: readonly unknown[],
    ) {
      await nodes.get(network).rpc.request('anvil_setBalance', [from, purse])
      const data = encodeFunctionData({ abi, functionName, args })
      return sendAs(nodes.get(network), { from, to, data })
    },
  }
}

/** What a feed of eight decimals says: base in terms of quote (USD when undefined), rounded down. */
function ratio(table: Record<string, bigint>, base: string, quote: string | undefined): bigint {
  return (table[base]! * 10n ** 8n) / (quote ? table[quote]! : 10n ** 8n)
}

async function now(network: NetworkName): Promise<bigint> {
  const { rpc } = nodes.get(network)
  const block = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
  return BigInt(block.timestamp)
}

function code(network: NetworkName, address: Address): Promise<Hex> {
  return nodes.get(network).rpc.request<Hex>('eth_getCode', [address, 'latest'])
}

function lowerAddresses(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [
      key,
      typeof item === 'string' ? item.toLowerCase() : item,
    ]),
  )
}
