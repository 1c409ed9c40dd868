import { type Address, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** The folio over the wire against reads of the chains that share no code with it. */

type Folio = Record<string, Record<string, unknown>>

const book = loadAddressBook()
const cometAbi = parseAbi([
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256) view returns (uint64)',
  'function getBorrowRate(uint256) view returns (uint64)',
])
const feedAbi = parseAbi(['function latestAnswer() view returns (int256)'])
let sim: SimulatorHandle
let chain: ChainReads
let user: Awaited<ReturnType<typeof openUser>>

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
  chain = readsOf(sim)
  user = await openUser(sim)
  // A supplied position and some of everything else on each network.
  for (const network of networkNames) {
    const { nativeSymbol, comets } = book.on(network)
    const { baseSymbol: asset, baseDecimals } = comets[0]!
    const unit = 10n ** BigInt(baseDecimals)
    await user.fund(network, nativeSymbol, 10n ** 18n + 1n)
    await user.fund(network, 'DAI', 12_345_678_900_000_000_000n)
    await user.fund(network, asset, 5n * unit)
    await user.run('earn', { asset, amount: `${2n * unit}`, network, protocol: 'compound' })
  }
})
afterAll(() => sim.close())

async function readFolio(query = ''): Promise<Folio> {
  const { status, body } = await user.api.get(`${user.path}/folio${query}`)
  expect(status).toBe(200)
  return body.folio
}

const netOf = (network: NetworkName) => (network === 'mainnet' ? 'ethereum' : network)

/** The integer that a folio amount such as `1.5e6` stands for. */
function units(amount: unknown): bigint {
  const [, whole, fraction = '', exponent] = /^(\d+)(?:\.(\d*[1-9]))?e(\d+)$/.exec(String(amount))!
  expect(fraction.length).toBeLessThanOrEqual(Number(exponent))
  return BigInt(whole! + fraction.padEnd(Number(exponent), '0'))
}

/** A plain decimal, cut after so many digits. */
function scaled(text: unknown, digits: number): bigint {
  const [whole, fraction = ''] = String(text).split('.')
  return BigInt(whole! + fraction.slice(0, digits).padEnd(digits, '0'))
}

test('default: all sections, and keys of the documented form in each', async () => {
  const folio = await readFolio()
  expect(Object.keys(folio)).toEqual([
    ...['balances', 'prices', 'yield_markets', 'borrow_markets', 'rewards', 'swap_hints'],
    ...['bridge_hints', 'hex_data', 'completion_statuses', 'patches'],
  ])
  const net = '(ethereum|base|arbitrum|optimism|polygon)'
  const symbol = '[A-Za-z0-9.]+'
  const address = '0x[0-9a-f]{40}'
  const comet = `comet/${net}/${address}/${symbol}`
  const reward = `comet_reward/${net}/${address}/${symbol}/${address}/${user.wallet}`
  const grammar: Record<string, string> = {
    balances: `token/${net}/${symbol}/${user.wallet}|yield_market/${comet}/${user.wallet}|reward/${reward}`,
    prices: `token/${symbol}`,
    rewards: reward,
    swap_hints: `wrapper/${net}/${symbol}/${net}/${symbol}`,
    bridge_hints: `across/${net}/${symbol}/${net}/${symbol}`,
    hex_data: `nonce_secret/${net}/${user.wallet}`,
    completion_statuses: `svc_nonce/${user.wallet}/0x[0-9a-f]{64}`,
  }
  for (const [section, form] of Object.entries(grammar))
    for (const key of Object.keys(folio[section]!))
      expect(key, section).toMatch(new RegExp(`^(${form})$`))
  const cometKeys = new RegExp(`^${comet}$`)
  for (const section of ['yield_markets', 'borrow_markets'])
    expect(
      Object.keys(folio[section]!).some((key) => cometKeys.test(key)),
      section,
    ).toBe(true)
})

test.each(networkNames)(
  'behavior: balances of every token of %s are what the chain says',
  async (network) => {
    const { balances } = await readFolio()
    const listed = Object.keys(balances!).filter((key) =>
      key.startsWith(`token/${netOf(network)}/`),
    )
    const expected = new Map<string, bigint>()
    for (const { symbol } of book.on(network).tokens) {
      const balance = await chain.balance(network, symbol, user.wallet)
      if (balance > 0n) expected.set(`token/${netOf(network)}/${symbol}/${user.wallet}`, balance)
    }
    expect(listed.sort()).toEqual([...expected.keys()].sort())
    expect(listed.length).toBeGreaterThanOrEqual(3)
    for (const [key, balance] of expected) expect(units(balances![key]), key).toBe(balance)
  },
)

test.each(networkNames)(
  'behavior: a position on %s lies between the chain’s answers before and after',
  async (network) => {
    const { address, baseSymbol } = book.on(network).comets[0]!
    const key = `yield_market/comet/${netOf(network)}/${address}/${baseSymbol}/${user.wallet}`
    const before = await chain.balanceIn(network, address, user.wallet)
    const { balances } = await readFolio()
    // A block with the time of now or later, so that the market's interest reaches it.
    await chain.request(network, 'evm_increaseTime', [5])
    await chain.request(network, 'evm_mine')
    const after = await chain.balanceIn(network, address, user.wallet)
    const supplied = units(balances![key])
    expect(supplied).toBeGreaterThanOrEqual(before)
    expect(supplied).toBeLessThanOrEqual(after)
    expect(supplied).toBeGreaterThan(0n)
  },
)

test.each(networkNames)(
  'behavior: the yearly rates of every market on %s are the Comet’s by the second',
  async (network) => {
    const { yield_markets, borrow_markets } = await readFolio()
    for (const { address, baseSymbol } of book.on(network).comets) {
      const key = `comet/${netOf(network)}/${address}/${baseSymbol}`
      const read = (functionName: 'getSupplyRate' | 'getBorrowRate', utilization: bigint) =>
        chain
          .client(network)
          .readContract({ address, abi: cometAbi, functionName, args: [utilization] })
      const utilization = await chain
        .client(network)
        .readContract({ address, abi: cometAbi, functionName: 'getUtilization' })
      const supply = (await read('getSupplyRate', utilization)) * 31_536_000n
      const borrow = (await read('getBorrowRate', utilization)) * 31_536_000n
      const { supply_apr } = yield_markets![key] as Record<string, string>
      const { borrow_apr } = borrow_markets![key] as Record<string, string>
      // Utilisation moves by the interest of the seconds between the two reads: a ten-millionth is far more.
      expect(near(scaled(supply_apr, 18), supply), `${key} ${supply_apr}`).toBe(true)
      expect(near(scaled(borrow_apr, 18), borrow), `${key} ${borrow_apr}`).toBe(true)
      expect(borrow).toBeGreaterThan(supply)
    }
  },
)

function near(a: bigint, b: bigint): boolean {
  const difference = a > b ? a - b : b - a
  return difference * 10_000_000n <= b
}

test('behavior: prices are those of the feeds', async () => {
  const { prices } = await readFolio()
  const seen = new Set<string>()
  for (const network of networkNames)
    for (const { symbol, feed } of book.on(network).tokens) {
      if (seen.has(symbol)) continue
      seen.add(symbol)
      const answer = await chain
        .client(network)
        .readContract({ address: feed as Address, abi: feedAbi, functionName: 'latestAnswer' })
      expect(scaled(prices![`token/${symbol}`], 8), symbol).toBe(answer)
    }
  expect(Object.keys(prices!)).toHaveLength(seen.size)
})

test('behavior: a nonce secret is the nonce of the next plan, and its completion is true when it is executed', async () => {
  const before = await readFolio()
  const key = `nonce_secret/base/${user.wallet}`
  const transfer = { asset: 'DAI', amount: '1', network: 'base', recipient: user.signer }
  const { plan } = await user.run('transfer', transfer)
  const { nonce } = plan.details.svc_operation_actions[0]!.operation
  expect(before.hex_data![key]).toBe(nonce)
  const after = await readFolio()
  expect(after.hex_data![key]).not.toBe(nonce)
  expect(after.completion_statuses![`svc_nonce/${user.wallet}/${nonce}`]).toBe(true)
})

test('behavior: cached=true is the last folio that was computed, whatever has happened since', async () => {
  const other = await openUser(sim)
  const read = async (query: string) =>
    (await other.api.get(`${other.path}/folio${query}`)).body.folio as Folio
  const key = `token/base/USDC/${other.wallet}`
  // Nothing was computed yet, so that it is computed now.
  expect((await read('?cached=true')).balances).toEqual({})
  await other.fund('base', 'USDC', 7n)
  expect((await read('?cached=true')).balances).toEqual({})
  expect((await read('?cached=false')).balances).toEqual({ [key]: '0.000007e6' })
  await other.fund('base', 'USDC', 3n)
  expect((await read('?cached=true')).balances).toEqual({ [key]: '0.000007e6' })
  expect((await read('')).balances).toEqual({ [key]: '0.00001e6' })
})
