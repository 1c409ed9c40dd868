import { type Address, type Hex, zeroAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lendNode } from '../../../test/kit/nodes.js'
import { loadAddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { WorldNode } from '../genesis/anvil.js'
import { createFaucet, devAccounts, type Faucet, faucetLimit } from './faucet.js'

const book = loadAddressBook()
const running = new Map<NetworkName, WorldNode>()
let faucet: Faucet
let lastAddress = 0xfa0000n

beforeAll(async () => {
  for (const network of ['base', 'polygon'] as const) running.set(network, await lendNode(network))
  const nodes = { get: (n: NetworkName) => running.get(n)!, all: () => [...running.values()] }
  faucet = createFaucet({ ...nodes, stop: async () => {} }, book)
})

afterAll(async () => {
  await Promise.all([...running.values()].map((node) => node.stop()))
})

function someone(): Address {
  return `0x${(lastAddress++).toString(16).padStart(40, '0')}`
}

test('default', async () => {
  const address = someone()
  const request = { address, asset: 'usdc', amount: 1_500_000n, network: 'base' as const }
  expect(await faucet.fund(request)).toEqual({
    address,
    asset: 'USDC',
    network: 'base',
    balance: 1_500_000n,
  })
  expect((await faucet.fund(request)).balance).toBe(3_000_000n)
})

test('behavior: every asset of a network can be given', async () => {
  for (const network of ['base', 'polygon'] as const)
    for (const { symbol: asset } of book.on(network).tokens) {
      const answer = await faucet.fund({ address: someone(), asset, amount: 7n, network })
      expect([asset, answer.balance]).toEqual([asset, 7n])
    }
})

test('behavior: native tokens given at once to one address all arrive', async () => {
  const address = someone()
  const gifts = Array.from({ length: 20 }, (_, i) =>
    faucet.fund({ address, asset: 'ETH', amount: BigInt(i + 1), network: 'base' }),
  )
  await Promise.all(gifts)
  const balance = await running.get('base')!.rpc.request<Hex>('eth_getBalance', [address, 'latest'])
  expect(BigInt(balance)).toBe(210n)
})

test('behavior: wrapped native tokens given at once are all backed', async () => {
  const weth = book.token('base', 'WETH')!.address
  const { rpc } = running.get('base')!
  const backing = async () => BigInt(await rpc.request<Hex>('eth_getBalance', [weth, 'latest']))
  const before = await backing()
  const amount = 5n * 10n ** 24n
  const people = Array.from({ length: 5 }, someone)
  const gifts = people.map((address) =>
    faucet.fund({ address, asset: 'WETH', amount, network: 'base' }),
  )
  expect((await Promise.all(gifts)).map((g) => g.balance)).toEqual(people.map(() => amount))
  expect((await backing()) - before).toBe(5n * amount)
})

test('error: an asset of another network is refused, and the hint says where it is', async () => {
  const request = { address: someone(), asset: 'ETH', amount: 1n, network: 'polygon' as const }
  await expect(faucet.fund(request)).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'asset ETH does not exist on polygon',
    hint: expect.stringContaining('ETH is on mainnet, base, arbitrum, optimism.'),
  })
})

test.each([0n, -5n])('error: an amount of %s is refused', async (amount) => {
  const request = { address: someone(), asset: 'USDC', amount, network: 'base' as const }
  await expect(faucet.fund(request)).rejects.toMatchObject({
    code: 'invalid_params',
    message: `amount must be at least 1, but it is ${amount}`,
  })
})

test.each(['ETH', 'WETH', 'USDC'])(
  'error: more %s than may exist is refused and nothing is given',
  async (asset) => {
    const address = someone()
    const request = { address, asset, network: 'base' as const }
    await faucet.fund({ ...request, amount: 1n })
    await expect(faucet.fund({ ...request, amount: faucetLimit })).rejects.toMatchObject({
      code: 'invalid_params',
      message: expect.stringMatching(
        /^amount is too large: the (balance|total supply) would be \d+$/,
      ),
    })
    expect((await faucet.fund({ ...request, amount: 1n })).balance).toBe(2n)
  },
)

const inItsWords = 'FiatToken: mint to the zero address'
const inOurs = `ERC20InvalidReceiver(${zeroAddress})`

test.each([
  ['USDC', inItsWords],
  ['cbBTC', inItsWords],
  ['COMP', inOurs],
  ['DAI', inOurs],
  ['USDT', inOurs],
])(
  'error: %s to a recipient that the token refuses: nothing is sent, and the next is given',
  async (asset, words) => {
    const { rpc } = running.get('base')!
    const block = () => rpc.request<Hex>('eth_blockNumber')
    const before = await block()
    const request = { asset, amount: 1n, network: 'base' as const }
    await expect(faucet.fund({ ...request, address: zeroAddress })).rejects.toMatchObject({
      code: 'invalid_params',
      message: `${asset} on base cannot be given to ${zeroAddress}: the token refuses that recipient (${words})`,
    })
    expect(await block()).toBe(before)
    expect((await faucet.fund({ ...request, address: someone() })).balance).toBe(1n)
  },
)

test('error: a token of the user’s own that refuses one recipient; one that refuses all is not told as that', async () => {
  const { address } = book.token('polygon', 'USDC')!
  const { rpc } = running.get('polygon')!
  const usual = await rpc.request<Hex>('eth_getCode', [address, 'latest'])
  const give = (to: Address) =>
    faucet.fund({ address: to, asset: 'USDC', amount: 1n, network: 'polygon' })
  // Reverts when its first argument is 0xdead, and otherwise answers 0.
  await rpc.request('anvil_setCode', [address, '0x60043561dead14600f5760206000f35b60006000fd'])
  await expect(give(`0x${'dead'.padStart(40, '0')}`)).rejects.toMatchObject({
    code: 'invalid_params',
    message: expect.stringContaining(
      'the token refuses that recipient (reverted without a reason)',
    ),
  })
  // Answers 0 to totalSupply, and otherwise reverts.
  const refusesAll = '0x60003560e01c6318160ddd1460145760006000fd5b60206000f3'
  await rpc.request('anvil_setCode', [address, refusesAll])
  await expect(give(someone())).rejects.not.toMatchObject({
    message: expect.stringContaining('recipient'),
  })
  await rpc.request('anvil_setCode', [address, usual])
  expect((await give(someone())).balance).toBe(1n)
})

test('behavior: the development accounts belong to their keys and have native tokens', async () => {
  for (const { address, privateKey } of devAccounts) {
    expect(privateKeyToAddress(privateKey)).toBe(address)
    const balance = await running
      .get('polygon')!
      .rpc.request<Hex>('eth_getBalance', [address, 'latest'])
    expect(BigInt(balance)).toBe(10_000n * 10n ** 18n)
  }
})

test('behavior: a minted token is in the total supply', async () => {
  const dai = book.token('base', 'DAI')!.address
  const data = encodeFunctionData({
    abi: parseAbi(['function totalSupply() view returns (uint256)']),
  })
  const supply = async () =>
    BigInt(await running.get('base')!.rpc.request<Hex>('eth_call', [{ to: dai, data }, 'latest']))
  const before = await supply()
  await faucet.fund({ address: someone(), asset: 'DAI', amount: 123n, network: 'base' })
  expect((await supply()) - before).toBe(123n)
})
