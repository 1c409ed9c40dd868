import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletAddressOf } from '../../src/chain/wallet/wallet.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkNames } from '../../src/deployments/networks.js'
import { readsOf } from '../kit/chainReads.js'
import { openPayer } from '../kit/payer.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser } from '../kit/user.js'

/** What somebody else sends to a wallet, on a frozen clock: who asks after the sending finds the activity. */

const book = loadAddressBook()
const base = book.on('base')
const usdc = book.token('base', 'USDC')!
const ether = 10n ** 18n
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 7n, bridgeDelayMs: 0, rpcUnsafe: true })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** The activities from outside, oldest first, and how often events told of them. */
async function outsideOf({ api, path }: User) {
  const { activities } = (await api.get(`${path}/activities`)).body as {
    activities: (ActivityBody & { activity_type: string })[]
  }
  const { events } = (await api.get(`${path}/events`)).body as {
    events: { data: { activity_id: string; activity_type: string; activity_status: string } }[]
  }
  const outside = activities.filter((one) => one.activity_type === 'exogenous').reverse()
  const told = events.filter(({ data }) => data.activity_type === 'exogenous')
  return { outside, told: told.map(({ data }) => [data.activity_id, data.activity_status]) }
}

/** The tokens and amounts of all transfers that the account has been told of, in order. */
async function received(user: User): Promise<[string, string][]> {
  const { outside, told } = await outsideOf(user)
  expect(told).toEqual(outside.map((one) => [one.activity_id, 'confirmed']))
  return outside.flatMap((one) =>
    one.activity_metadata.map((item) => {
      expect(item.action_type).toBe('INBOUND_TRANSFER')
      const { asset_symbol, amount } = item.action_context as Record<string, string>
      return [asset_symbol!, amount!] as [string, string]
    }),
  )
}

test('default: native funds and a token from somebody else, each an activity and an event', async () => {
  const user = await openUser(sim)
  const payer = await openPayer(sim)
  const native = await payer.sendNative('base', user.wallet, ether)
  const tokens = await payer.sendToken('base', 'USDC', user.wallet, 2_500_000n)
  const { outside, told } = await outsideOf(user)
  expect(told).toEqual(outside.map((one) => [one.activity_id, 'confirmed']))
  expect(outside).toHaveLength(2)
  const [first, second] = outside.map((one) => one.activity_metadata)
  const common = {
    activity_record_type: 'exogenous',
    success: true,
    chain_id: base.chainId,
    svc_wallet_address: user.wallet,
    svc_operation_nonce: null,
    from: payer.address.toLowerCase(),
    to: user.wallet,
    reverted_at: null,
  }
  expect(first).toMatchObject([
    {
      ...common,
      transaction_hash: native,
      semantic_events: [
        {
          event_type: 'inbound_transfer',
          log_indices: [],
          event_metadata: {
            token: book.token('base', 'ETH')!.address,
            amount: ether.toString(),
            dollar_value: '300000000000',
            sender: payer.address.toLowerCase(),
          },
        },
      ],
    },
  ])
  expect(second).toMatchObject([
    {
      ...common,
      transaction_hash: tokens,
      semantic_events: [
        {
          event_type: 'inbound_transfer',
          log_indices: [0],
          event_metadata: {
            token: usdc.address,
            amount: '2500000',
            dollar_value: '250000000',
            sender: payer.address.toLowerCase(),
          },
        },
      ],
    },
  ])
})

test('behavior: twice the same, and on all networks, is as often told as it was sent', async () => {
  const user = await openUser(sim)
  const payer = await openPayer(sim)
  for (let i = 0; i < 2; i++) await payer.sendToken('base', 'USDC', user.wallet, 5n)
  for (const network of networkNames) await payer.sendNative(network, user.wallet, 7n)
  const natives = networkNames.map((network) => [book.on(network).nativeSymbol, '7'])
  expect(await received(user)).toEqual([['USDC', '5'], ['USDC', '5'], ...natives])
})

test('behavior: two in one block, two in one transaction, one out of a contract', async () => {
  const user = await openUser(sim)
  const other = await openUser(sim)
  const payer = await openPayer(sim)
  const halt = { on: 'chain', effect: 'halt', match: { network: 'base' } }
  const { id } = await sim.faults.add(halt)
  await payer.submitNative('base', user.wallet, 1n)
  await payer.submitNative('base', other.wallet, 2n)
  await sim.faults.remove(id)
  expect([await received(user), await received(other)]).toEqual([[['ETH', '1']], [['ETH', '2']]])
  const call = (target: Address, value: bigint, callData: Hex = '0x') => ({
    ...{ target, value, callData },
    allowFailure: true,
  })
  const abi = parseAbi([
    'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
    'function aggregate3Value(Call[] calls) payable',
  ])
  await sim.fund({ address: base.multicall3, network: 'base', asset: 'USDC', amount: '9' })
  const transfer = { abi: erc20Abi, functionName: 'transfer' } as const
  const calls = [
    call(user.wallet, 3n),
    call(user.wallet, 4n),
    call(usdc.address, 0n, encodeFunctionData({ ...transfer, args: [user.wallet, 9n] })),
    // Sends along what the token refuses: nothing arrives.
    call(usdc.address, 5n, encodeFunctionData({ ...transfer, args: [user.wallet, 1n] })),
  ]
  const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] })
  await payer.send('base', { to: base.multicall3, value: 12n, data })
  const { outside } = await outsideOf(user)
  expect(outside).toHaveLength(2)
  expect(outside[1]!.activity_metadata.map((item) => item.from)).toEqual(
    Array(3).fill(base.multicall3),
  )
  expect((await received(user)).slice(1)).toEqual([
    ['USDC', '9'],
    ['ETH', '3'],
    ['ETH', '4'],
  ])
})

test('behavior: the faucet, bridges and what a plan gets for its wallet are not from outside', async () => {
  const user = await openUser(sim)
  for (const asset of ['ETH', 'WETH', 'USDC']) await user.fund('base', asset, ether)
  await user.fund('arbitrum', 'USDC', 50_000_000n)
  await user.run('swap', {
    ...{ sell_asset: 'ETH', buy_asset: 'USDC', sell_amount: '1000000000000000' },
    network: 'base',
  })
  const { activity } = await user.run('transfer', {
    ...{ asset: 'USDC', amount: '30000000', network: 'optimism' },
    recipient: '0x00000000000000000000000000000000000f41e7',
  })
  expect(activity.activity_metadata.map((item) => item.action_type)).toContain('BRIDGE_MINT')
  expect(await received(user)).toEqual([])
  // Not even after the chain has gone on.
  await sim.clock.advance(60)
  expect(await received(user)).toEqual([])
})

test('behavior: what one account’s plan sends to the wallet of another comes to that one from outside', async () => {
  const sender = await openUser(sim)
  const user = await openUser(sim)
  await sender.fund('base', 'ETH', ether)
  await sender.fund('base', 'USDC', 10n)
  for (const [asset, amount] of [
    ['ETH', '1000'],
    ['USDC', '10'],
  ])
    await sender.run('transfer', { asset, amount, network: 'base', recipient: user.wallet })
  expect(await received(user)).toEqual([
    ['ETH', '1000'],
    ['USDC', '10'],
  ])
  const { outside } = await outsideOf(user)
  expect(outside.map((one) => one.activity_metadata[0]!.from)).toEqual(
    Array(2).fill(sender.wallet.toLowerCase()),
  )
  expect(await received(sender)).toEqual([])
})

test('behavior: nothing, of what is no asset, or before the account was made: no activity', async () => {
  const payer = await openPayer(sim)
  const key = generatePrivateKey()
  await payer.sendNative('base', walletAddressOf(privateKeyToAddress(key)), 5n)
  const user = await openUser(sim, key)
  expect(await readsOf(sim).balance('base', 'ETH', user.wallet)).toBe(5n)
  await payer.sendToken('base', 'USDC', user.wallet, 0n)
  await payer.send('base', { to: user.wallet, value: 0n })
  await sim.fund({ address: payer.address, network: 'base', asset: 'USDC', amount: '5' })
  // Comet's own balance of a position is no asset.
  const comet = base.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
  const supply = parseAbi(['function supplyTo(address dst, address asset, uint256 amount)'])
  const approve = { abi: erc20Abi, functionName: 'approve', args: [comet.address, 5n] } as const
  await payer.send('base', { to: usdc.address, data: encodeFunctionData(approve) })
  const args = [user.wallet, usdc.address, 5n] as const
  await payer.send('base', {
    to: comet.address,
    data: encodeFunctionData({ abi: supply, functionName: 'supplyTo', args }),
  })
  expect(await received(user)).toEqual([])
})

test('behavior: on a running clock a waiting long poll hears of it', async () => {
  await using running = await createSimulator()
  const user = await openUser(running)
  const payer = await openPayer(running)
  const poll = user.api.get(`${user.path}/events?poll=true`)
  const hash = await payer.sendNative('polygon', user.wallet, 3n)
  const { events } = (await poll).body
  expect(events).toMatchObject([{ data: { activity_type: 'exogenous' } }])
  const { body } = await user.api.get(`/activities/${events[0].data.activity_id}`)
  expect(body.activity_metadata).toMatchObject([{ transaction_hash: hash }])
  expect(body.activity_metadata[0].action_context.asset_symbol).toBe('POL')
})
