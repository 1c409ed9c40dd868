import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { erc20, stranger, useWorld, type WorldSide } from '../../../test/kit/world.js'
import { actors } from '../../deployments/actors.js'
import { networkNames } from '../../deployments/networks.js'
import { svcNonceManagerAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import type { Gate } from '../rpc/gate.js'
import { sendAs } from '../transactions/send.js'
import { createNetworkStateReader, type StateScope } from './networkState.js'

const cometAbi = parseAbi([
  'function supply(address asset, uint256 amount)',
  'function withdraw(address asset, uint256 amount)',
  'function totalSupply() view returns (uint256)',
  'function totalBorrow() view returns (uint256)',
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256) view returns (uint64)',
  'function getBorrowRate(uint256) view returns (uint64)',
  'function balanceOf(address) view returns (uint256)',
  'function borrowBalanceOf(address) view returns (uint256)',
  'function collateralBalanceOf(address, address) view returns (uint128)',
])
const feedAbi = parseAbi(['function latestAnswer() view returns (int256)'])
const world = useWorld(networkNames)
const nobody = stranger('nobody')

function snapshot(side: WorldSide, wallet: Address, scope?: StateScope) {
  return createNetworkStateReader(side.book).read(side.node, wallet, scope)
}

test.each(networkNames)(
  'default: all of %s: every token with its price, every market',
  async (network) => {
    const side = world.on(network)
    const { tokens, comets } = side.book
    const all = await snapshot(side, nobody)
    expect(all.network).toBe(network)
    expect([...all.balances.keys()]).toEqual(tokens.map((t) => t.symbol))
    expect(all.comets.map(({ market }) => market)).toEqual(comets)
    for (const token of tokens) {
      const price = await side.client.readContract({
        address: token.feed,
        abi: feedAbi,
        functionName: 'latestAnswer',
      })
      expect(all.prices.get(token.symbol), token.symbol).toBe(price)
    }
    for (const state of all.comets)
      expect(state).toMatchObject({ supplied: 0n, borrowed: 0n, rewardOwed: 0n })
  },
)

test('behavior: balances are to the unit, native and others', async () => {
  const side = world.on('base')
  const me = stranger('holder')
  await side.faucet.fund({ network: 'base', address: me, asset: 'ETH', amount: 3n })
  await side.faucet.fund({ network: 'base', address: me, asset: 'cbBTC', amount: 5n })
  const { balances } = await snapshot(side, me)
  expect([...balances].filter(([, amount]) => amount > 0n)).toEqual([
    ['ETH', 3n],
    ['cbBTC', 5n],
  ])
})

test.each(networkNames)(
  'behavior: a position and its market on %s are what the Comet says in the next block',
  async (network) => {
    const side = world.on(network)
    const market = side.book.comets[0]!
    const collateral = market.collaterals.findIndex(({ symbol }) => symbol === 'WETH')
    const { asset, symbol } = market.collaterals[collateral]!
    const me = stranger('borrower')
    const give = 10n ** 19n
    await side.give(me, symbol, give, market.address)
    await side.send(me, market.address, cometAbi, 'supply', [asset, give])
    const debt = 1_000n * 10n ** BigInt(market.baseDecimals)
    await side.send(me, market.address, cometAbi, 'withdraw', [market.baseToken, debt])

    // A day without a block, then the block that the snapshot saw coming.
    await side.node.rpc.request('evm_increaseTime', [86_400])
    const seen = await snapshot(side, me, { protocols: ['comet'], assets: [market.baseSymbol] })
    await side.node.rpc.request('evm_setNextBlockTimestamp', [Number(seen.timestamp)])
    await side.node.rpc.request('evm_mine')
    const read = (functionName: string, args: readonly unknown[] = []) =>
      side.client.readContract({
        address: market.address,
        abi: cometAbi,
        functionName,
        args,
      } as never)
    const utilization = await read('getUtilization')
    const state = seen.comets.find((each) => each.market.address === market.address)!
    expect(state).toMatchObject({
      totalSupply: await read('totalSupply'),
      totalBorrow: await read('totalBorrow'),
      supplyRate: await read('getSupplyRate', [utilization]),
      borrowRate: await read('getBorrowRate', [utilization]),
      supplied: 0n,
      borrowed: await read('borrowBalanceOf', [me]),
    })
    expect(state.borrowed).toBeGreaterThan(debt)
    expect(state.collateral).toEqual(
      await Promise.all(
        market.collaterals.map(({ asset }) => read('collateralBalanceOf', [me, asset])),
      ),
    )
    expect(state.collateral[collateral]).toBe(give)
    expect(state.collateralTotals[collateral]).toBeGreaterThanOrEqual(give)
  },
)

test('behavior: rewards that are owed grow with time, without a block', async () => {
  const side = world.on('base')
  const market = side.book.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
  const me = stranger('supplier')
  const amount = 1_000_000n * 10n ** 6n
  await side.give(me, 'USDC', amount, market.address)
  await side.send(me, market.address, cometAbi, 'supply', [market.baseToken, amount])
  const scope: StateScope = { protocols: ['comet'], assets: ['USDC'] }
  const owed = async () => (await snapshot(side, me, scope)).comets[0]!.rewardOwed
  await side.node.rpc.request('evm_increaseTime', [86_400])
  const first = await owed()
  await side.node.rpc.request('evm_increaseTime', [86_400])
  expect(first).toBeGreaterThan(0n)
  expect(await owed()).toBeGreaterThan(first)
})

test('behavior: a scope leaves out what it does not name; twins go together, case does not matter', async () => {
  const side = world.on('base')
  const { balances, comets, prices } = await snapshot(side, nobody, {
    protocols: ['comet'],
    assets: ['weth'],
  })
  expect([...balances.keys()]).toEqual(['ETH', 'WETH'])
  expect([...prices.keys()]).toEqual(['ETH', 'WETH'])
  expect(comets.map(({ market }) => market.baseSymbol)).toEqual(['WETH'])
  const none = await snapshot(side, nobody, { protocols: [], assets: [] })
  expect({ ...none, balances: [...none.balances], comets: none.comets }).toMatchObject({
    balances: [],
    comets: [],
  })
})

test('behavior: a feed that does not answer leaves its price out and nothing else', async () => {
  const side = world.on('base')
  const { feed } = side.book.tokens.find((t) => t.symbol === 'DAI')!
  await side.node.rpc.request('anvil_setCode', [feed, '0x5f5ffd'])
  const { prices, balances } = await snapshot(side, actors.lender)
  expect(prices.has('DAI')).toBe(false)
  expect(prices.has('USDC')).toBe(true)
  expect(balances.get('DAI')).toBe(
    await side.client.readContract({
      address: side.book.tokens.find((t) => t.symbol === 'DAI')!.address,
      abi: erc20,
      functionName: 'balanceOf',
      args: [actors.lender],
    }),
  )
})

test('behavior: used nonces are skipped, up to the last one that a plan can have', async () => {
  const side = world.on('base')
  const me = stranger('canceller')
  const endingIn = (nonce: Hex, last: number): Hex =>
    `0x${nonce.slice(2, 64)}${last.toString(16).padStart(2, '0')}`
  const nonceOf = (count: number, index: number) => {
    let nonce = endingIn(keccak256(toHex(`svc-sim/nonce/8453/${me}/0`)), count)
    for (let i = 0; i < index; i++) nonce = endingIn(keccak256(endingIn(nonce, 0)), count)
    return nonce
  }
  const counts: number[] = []
  for (const nonce of [undefined, nonceOf(0, 0), nonceOf(1, 15), nonceOf(2, 16)]) {
    await side.node.rpc.request('anvil_impersonateAccount', [me])
    if (nonce) await side.send(me, svcAddresses.nonceManager, svcNonceManagerAbi, 'cancel', [nonce])
    counts.push((await snapshot(side, me, {})).nonceCount)
  }
  expect(counts).toEqual([0, 1, 2, 2])
})

test('error: a network without Multicall3 says so', async () => {
  const side = world.on('base')
  await side.node.rpc.request('anvil_setCode', [side.book.multicall3, '0x'])
  await expect(snapshot(side, nobody)).rejects.toThrow(
    `base: Multicall3 at ${side.book.multicall3} does not answer`,
  )
})

test('behavior: a block that is mined in the middle of a read, and is later, does not make a market disappear', async () => {
  const side = world.on('optimism')
  const { node, book } = side
  const [comet] = book.comets
  let times = 0
  const rpc: typeof node.rpc = {
    ...node.rpc,
    async request(method, params) {
      const answer = await node.rpc.request(method, params)
      if (method === 'eth_getBlockByNumber' && params?.[0] === 'pending') {
        times++
        if (times > 1) return answer as never
        await node.rpc.request('evm_increaseTime', [1_000])
        const data = encodeFunctionData({
          abi: parseAbi(['function accrueAccount(address)']),
          args: [nobody],
        })
        await sendAs(node, { from: actors.admin, to: comet!.address, data })
      }
      return answer as never
    },
  }
  // As on a node of which nobody knows whether something waits in its pool.
  const gate = { isUnsettled: false, mark: () => undefined } as unknown as Gate
  const read = createNetworkStateReader(book)
  const { comets } = await read.read({ ...node, rpc, gate }, nobody)
  expect(times).toBeGreaterThan(0)
  expect(comets.map(({ market }) => market)).toEqual(book.comets)
})
