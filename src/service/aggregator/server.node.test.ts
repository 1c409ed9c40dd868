import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import { createFaucet, type Faucet } from '../../chain/funds/faucet.js'
import type { WorldNode } from '../../chain/genesis/anvil.js'
import type { Nodes } from '../../chain/rpc/node.js'
import { sendAs } from '../../chain/transactions/send.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { QuoteAnswer } from './quote.js'
import { type Aggregator, startAggregator } from './server.js'

const book = loadAddressBook()
const clock = { now: () => 1_735_689_600_000 }
const running = new Map<NetworkName, WorldNode>()
const nodes: Nodes = {
  get: (network) => running.get(network)!,
  all: () => [...running.values()],
  stop: async () => {},
}
let aggregator: Aggregator
let faucet: Faucet
let lastTaker = 0xa66000n

beforeAll(async () => {
  for (const network of ['base', 'polygon'] as const) running.set(network, await lendNode(network))
  faucet = createFaucet(nodes, book)
  aggregator = await startAggregator({ nodes, book, clock })
})

afterAll(async () => {
  await aggregator.close()
  await Promise.all([...running.values()].map((node) => node.stop()))
})

function tokenOf(symbol: string): Address {
  return book.token('base', symbol)!.address
}

function someone(): Address {
  return `0x${(lastTaker++).toString(16).padStart(40, '0')}`
}

async function ask(query: Record<string, string>, path = '/quote') {
  const response = await fetch(`${aggregator.url}${path}?${new URLSearchParams(query)}`)
  return { status: response.status, body: (await response.json()) as unknown }
}

/** A query that succeeds, for tests that change one thing about it. */
function sound(fields: Record<string, string> = {}): Record<string, string> {
  return {
    chainId: '8453',
    sellToken: tokenOf('USDC'),
    buyToken: tokenOf('WETH'),
    sellAmount: '1000000000',
    taker: someone(),
    slippageBps: '100',
    ...fields,
  }
}

async function quoted(query: Record<string, string>): Promise<QuoteAnswer> {
  const { status, body } = await ask(query)
  expect(body).toHaveProperty('quoteId')
  expect(status).toBe(200)
  return body as QuoteAnswer
}

async function balance(symbol: string, holder: Address): Promise<bigint> {
  const { rpc } = nodes.get('base')
  const token = book.token('base', symbol)!
  if (token.native) return BigInt(await rpc.request<Hex>('eth_getBalance', [holder, 'latest']))
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: token.address, data }, 'latest']))
}

test('default', async () => {
  const { quoteId, price, buyAmount, minBuyAmount, transaction, ...rest } = await quoted(sound())
  expect(quoteId).toMatch(/^0x[0-9a-f]{64}$/)
  expect(rest).toEqual({
    chainId: 8453,
    sellToken: tokenOf('USDC'),
    buyToken: tokenOf('WETH'),
    sellAmount: '1000000000',
    maxSellAmount: '1000000000',
    allowanceTarget: book.on('base').exchange,
    sources: [{ name: 'svc-sim exchange', proportionBps: '10000' }],
    expiresAt: 1_735_689_780,
  })
  expect(transaction).toMatchObject({ to: book.on('base').exchange, value: '0' })
  // 1000 whole USDC were sold: a thousandth of the bought WETH, which has 18 decimals.
  const perUsdc = BigInt(buyAmount) / 1000n
  expect(price).toBe(`0.${perUsdc.toString().padStart(18, '0')}`)
  expect(BigInt(minBuyAmount)).toBe((BigInt(buyAmount) * 99n) / 100n)
})

const swaps: [sell: string, buy: string, side: 'sellAmount' | 'buyAmount', amount: string][] = [
  ['USDC', 'WETH', 'sellAmount', '2500123457'],
  ['USDC', 'WETH', 'buyAmount', '700000000000000001'],
  ['ETH', 'USDC', 'sellAmount', '1000000000000000003'],
  ['ETH', 'cbBTC', 'buyAmount', '12345678'],
  ['cbBTC', 'ETH', 'sellAmount', '7654321'],
]

test.each(swaps)(
  'behavior: %s -> %s by %s settles at its quote',
  async (sell, buy, side, amount) => {
    const node = nodes.get('base')
    const taker = someone()
    const [sellToken, buyToken] = [tokenOf(sell), tokenOf(buy)]
    const { sellAmount: _, ...query } = sound({ taker, sellToken, buyToken })
    const quote = await quoted({ ...query, [side]: amount })
    expect(quote[side]).toBe(amount)

    const sold = BigInt(quote.maxSellAmount)
    await faucet.fund({ address: taker, asset: sell, amount: sold, network: 'base' })
    await faucet.fund({ address: taker, asset: 'ETH', amount: 10n ** 18n, network: 'base' }) // for gas
    if (sell !== 'ETH') {
      await faucet.fund({ address: taker, asset: 'ETH', amount: 10n ** 18n, network: 'base' })
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [quote.allowanceTarget as Address, sold],
      })
      await sendAs(node, { from: taker, to: sellToken, data })
    }
    const { to, data, value } = quote.transaction
    const before = { sell: await balance(sell, taker), buy: await balance(buy, taker) }
    const receipt = await sendAs(node, {
      from: taker,
      to: to as Address,
      data: data as Hex,
      value: BigInt(value),
      gas: BigInt(quote.transaction.gas),
    })
    const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    const gasOf = (symbol: string) => (symbol === 'ETH' ? gas : 0n)
    const spent = before.sell - (await balance(sell, taker)) - gasOf(sell)
    const got = (await balance(buy, taker)) - before.buy + gasOf(buy)
    expect({ spent, got }).toEqual({
      spent: BigInt(quote.sellAmount),
      got: BigInt(quote.buyAmount),
    })
  },
)

test('behavior: slippage rounds the least bought down and the most sold up', async () => {
  const exactIn = await quoted(
    sound({
      sellToken: tokenOf('WETH'),
      buyToken: tokenOf('USDC'),
      sellAmount: '30000000000',
      slippageBps: '1',
    }),
  )
  const least = BigInt(exactIn.buyAmount) * 9_999n
  expect(least % 10_000n).not.toBe(0n)
  expect(BigInt(exactIn.minBuyAmount)).toBe(least / 10_000n)

  const { sellAmount: _, ...query } = sound({ slippageBps: '1' })
  const exactOut = await quoted({ ...query, buyAmount: '30000000000' })
  const most = BigInt(exactOut.sellAmount) * 10_001n
  expect(most % 10_000n).not.toBe(0n)
  expect(BigInt(exactOut.maxSellAmount)).toBe(most / 10_000n + 1n)
  expect(exactOut.minBuyAmount).toBe('30000000000')
})

test('behavior: each network has its own tokens', async () => {
  const usdc = book.token('polygon', 'USDC')!.address
  const weth = book.token('polygon', 'WETH')!.address
  const query = sound({ sellToken: usdc, buyToken: weth })
  expect(await ask({ ...query, chainId: '137' })).toMatchObject({
    status: 200,
    body: { chainId: 137, sellToken: usdc },
  })
  expect(await ask(query)).toMatchObject({
    status: 404,
    body: { code: 'NO_LIQUIDITY', reason: expect.stringMatching(/^UnsupportedToken\(0x/) },
  })
})

const badInputs: [what: string, fields: Record<string, string>, reason: string][] = [
  ['no chain', { chainId: '' }, 'chainId: must be a chain id'],
  ['a token by name', { sellToken: 'USDC' }, 'sellToken: must be an address'],
  ['a fraction', { sellAmount: '1.5' }, 'sellAmount: must be a decimal integer string'],
  ['257 bits', { sellAmount: (2n ** 256n).toString() }, 'sellAmount: must fit into 256 bits'],
  ['both amounts', { buyAmount: '1' }, 'exactly one of sellAmount and buyAmount'],
  ['a taker that is none', { taker: '0x12' }, 'taker: must be an address'],
  ['slippage of all', { slippageBps: '10000' }, 'slippageBps: must be basis points'],
]

test.each(badInputs)('error: %s is bad input', async (_what, fields, reason) => {
  expect(await ask(sound(fields))).toEqual({
    status: 400,
    body: { code: 'INVALID_INPUT', reason: expect.stringContaining(reason) },
  })
})

test('error: a chain that is not simulated', async () => {
  expect(await ask(sound({ chainId: '56' }))).toEqual({
    status: 400,
    body: { code: 'UNSUPPORTED_CHAIN', reason: 'chainId 56 is not one of 1, 8453, 42161, 10, 137' },
  })
})

test('error: what the exchange refuses has its reason', async () => {
  const same = await ask(sound({ buyToken: tokenOf('USDC') }))
  expect(same).toMatchObject({ status: 404, body: { code: 'NO_LIQUIDITY' } })
  expect((same.body as { reason: string }).reason).toMatch(/^SameToken\(/)

  const { sellAmount: _, ...query } = sound()
  const huge = await ask({ ...query, buyAmount: (10n ** 30n).toString() })
  expect(huge).toMatchObject({ status: 404, body: { code: 'NO_LIQUIDITY' } })
  expect((huge.body as { reason: string }).reason).toMatch(/^InsufficientLiquidity\(/)
})

test('error: another path', async () => {
  expect(await ask(sound(), '/price')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await ask({}, '//')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('error: a node that is down', async () => {
  const node = await lendNode('optimism', 'empty')
  const alone = await startAggregator({ nodes: { ...nodes, get: () => node }, book, clock })
  try {
    await node.stop()
    const query = new URLSearchParams(sound({ chainId: '10' }))
    const response = await fetch(`${alone.url}/quote?${query}`)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ code: 'NODE_UNAVAILABLE' })
  } finally {
    await alone.close()
  }
})
