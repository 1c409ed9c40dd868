import { type Address, type Hex, hashStruct, hashTypedData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feeRecipient } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

/** The way that most clients go: every plan kind that moves funds, on every network, against what the chain says. */

const book = loadAddressBook()
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const protocol = 'compound'
let sim: SimulatorHandle
let chain: ChainReads

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 1 })
  chain = readsOf(sim)
})
afterAll(() => sim.close())

/** The first Comet of a network: its base asset, and one whole unit of it. */
function marketOf(network: NetworkName) {
  const { address, baseSymbol: asset, baseDecimals } = book.on(network).comets[0]!
  return { address, asset, unit: 10n ** BigInt(baseDecimals) }
}

function contextOf(plan: PlanBody): Record<string, unknown> {
  return plan.details.svc_operation_actions.at(-1)!.action.action_context
}

test.each(networkNames)(
  'error: plan_failed for what the wallet does not have on %s',
  async (network) => {
    const user = await openUser(sim)
    const { asset, unit } = marketOf(network)
    const place = { asset, network }
    const amount = unit.toString()
    const native = book.on(network).nativeSymbol
    const refused: [string, Record<string, unknown>, RegExp][] = [
      ['earn', { ...place, protocol, amount }, /insufficient resources .* target \d+, max 0$/],
      ['withdraw', { ...place, protocol, amount }, /no \S+ position/],
      ['withdraw', { ...place, protocol, amount: 'max' }, /no \S+ position/],
      ['transfer', { ...place, recipient: friend, amount }, /target \d+, max 0$/],
      ['transfer', { ...place, recipient: friend, amount: 'max' }, /everything was asked/],
      ['transfer', { asset: native, network, recipient: friend, amount: '1' }, /target 1, max 0$/],
      [
        'swap',
        { sell_asset: asset, buy_asset: native, network, sell_amount: amount },
        /required \d+, available 0$/,
      ],
      ['swap', { sell_asset: native, buy_asset: asset, network, buy_amount: amount }, /max 0$/],
    ]
    for (const [kind, body, message] of refused)
      expect(await user.plan(kind, body)).toMatchObject({
        status: 400,
        body: { error: 'plan_failed', message: expect.stringMatching(message) },
      })
  },
)

test.each(networkNames)('error: plan_failed for one unit too many on %s', async (network) => {
  const user = await openUser(sim)
  const { asset, unit } = marketOf(network)
  await user.fund(network, asset, unit)
  const place = { asset, network }
  const amount = (unit + 1n).toString()
  const earn = await user.plan('earn', { ...place, protocol, amount })
  expect(earn).toMatchObject({ status: 400, body: { error: 'plan_failed' } })
  await user.run('earn', { ...place, protocol, amount: unit.toString() })
  // Asking a Comet for more than was supplied would borrow the rest; the service says no instead.
  const withdraw = await user.plan('withdraw', {
    ...place,
    protocol,
    amount: (unit * 2n).toString(),
  })
  expect(withdraw).toMatchObject({
    status: 400,
    body: { error: 'plan_failed', message: expect.stringContaining(`${unit * 2n} was asked`) },
  })
})

test.each(networkNames)(
  'default: earn, withdraw and transfer move the money on %s',
  async (network) => {
    const user = await openUser(sim)
    const { address: comet, asset, unit } = marketOf(network)
    const place = { asset, network }
    const tokens = () => chain.balance(network, asset, user.wallet)
    const supplied = () => chain.balanceIn(network, comet, user.wallet)
    await user.fund(network, asset, 100n * unit)
    expect(await chain.isDeployed(network, user.wallet)).toBe(false)

    const { activity } = await user.run('earn', { ...place, protocol, amount: `${40n * unit}` })
    expect(activity).toMatchObject({
      activity_status: 'confirmed',
      activity_metadata: [{ action_type: 'COMET_SUPPLY', success: true }],
    })
    expect(await tokens()).toBe(60n * unit)
    // The market's indices round the position down, a fraction of a unit of the base asset at a time.
    const afterEarn = await supplied()
    expect(afterEarn).toBeGreaterThanOrEqual(40n * unit - 2n)
    // The first operation has deployed the wallet, on this network alone.
    for (const other of networkNames)
      expect(await chain.isDeployed(other, user.wallet)).toBe(other === network)

    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    const net = network === 'mainnet' ? 'ethereum' : network
    const key = `yield_market/comet/${net}/${comet}/${asset}/${user.wallet}`
    expect(folio.balances).toHaveProperty([key])

    await user.run('withdraw', { ...place, protocol, amount: `${10n * unit}` })
    expect(await tokens()).toBe(70n * unit)
    await user.run('withdraw', { ...place, protocol, amount: 'max' })
    expect(await supplied()).toBe(0n)
    const all = await tokens()
    expect(all).toBeGreaterThanOrEqual(100n * unit - 4n)

    const before = await chain.balance(network, asset, friend)
    const received = async () => (await chain.balance(network, asset, friend)) - before
    await user.run('transfer', { ...place, recipient: friend, amount: `${25n * unit}` })
    expect(await received()).toBe(25n * unit)
    expect(await tokens()).toBe(all - 25n * unit)
    await user.run('transfer', { ...place, recipient: friend, amount: 'max' })
    expect(await received()).toBe(all)
    expect(await tokens()).toBe(0n)
  },
)

test.each(networkNames)(
  'behavior: native tokens are sent to the last wei on %s',
  async (network) => {
    const user = await openUser(sim)
    const asset = book.on(network).nativeSymbol
    await user.fund(network, asset, 10n ** 18n + 7n)
    const before = await chain.balance(network, asset, friend)
    await user.run('transfer', { asset, network, recipient: friend, amount: '3' })
    expect(await chain.balance(network, asset, user.wallet)).toBe(10n ** 18n + 4n)
    await user.run('transfer', { asset, network, recipient: friend, amount: 'max' })
    expect(await chain.balance(network, asset, user.wallet)).toBe(0n)
    expect((await chain.balance(network, asset, friend)) - before).toBe(10n ** 18n + 7n)
  },
)

test('behavior: every market takes a deposit and gives all of it back', async () => {
  const user = await openUser(sim)
  for (const network of networkNames)
    for (const { address: market, baseSymbol: asset, baseDecimals } of book.on(network).comets) {
      const amount = 10n ** BigInt(baseDecimals)
      await user.fund(network, asset, amount)
      const body = { asset, network, protocol, market }
      await user.run('earn', { ...body, amount: 'max' })
      expect(await chain.balance(network, asset, user.wallet)).toBe(0n)
      await user.run('withdraw', { ...body, amount: 'max' })
      expect(await chain.balanceIn(network, market, user.wallet)).toBe(0n)
      const back = await chain.balance(network, asset, user.wallet)
      expect(back).toBeGreaterThanOrEqual(amount - 2n)
      await user.run('transfer', { asset, network, recipient: friend, amount: 'max' })
    }
})

const swaps = networkNames.flatMap((network) => {
  const native = book.on(network).nativeSymbol
  const pairs = [
    ['USDC', 'DAI'],
    ['USDC', native],
    [native, 'USDC'],
  ].filter((pair) => pair.every((symbol) => book.token(network, symbol)))
  return pairs.flatMap(([sell, buy]) =>
    (['sell', 'buy'] as const).map((exact) => ({ network, sell: sell!, buy: buy!, exact })),
  )
})

test.each(swaps)(
  'behavior: $sell for $buy on $network, exact $exact: the fee and the rest arrive to the unit',
  async ({ network, sell, buy, exact }) => {
    const user = await openUser(sim)
    const [sold, bought] = [book.token(network, sell)!, book.token(network, buy)!]
    const funds = 10n ** BigInt(sold.decimals + 1)
    await user.fund(network, sell, funds)
    const feesBefore = await chain.balance(network, buy, feeRecipient)
    // An odd amount, so that the fee has something to round.
    const amount =
      exact === 'sell'
        ? { sell_amount: `${10n ** BigInt(sold.decimals) + 1n}` }
        : { buy_amount: `${10n ** BigInt(bought.decimals - 3) + 1n}` }
    const { plan, activity } = await user.run('swap', {
      sell_asset: sell,
      buy_asset: buy,
      network,
      ...amount,
    })
    expect(activity.activity_status).toBe('confirmed')
    const context = contextOf(plan) as Record<string, string>
    const input = BigInt(context.input_amount!)
    const output = BigInt(context.output_amount!)
    expect(exact === 'sell' ? input : output).toBe(BigInt(Object.values(amount)[0]!))
    const fee = (output * 15n) / 10_000n
    expect(await chain.balance(network, sell, user.wallet)).toBe(funds - input)
    expect(await chain.balance(network, buy, user.wallet)).toBe(output - fee)
    expect((await chain.balance(network, buy, feeRecipient)) - feesBefore).toBe(fee)
  },
)

/** The fields of each context: interface.md's four, and those that are publicly known. */
const fieldsOf: Record<string, string[]> = {
  earn: ['amount', 'asset_symbol', 'chain_id', 'comet', 'price', 'token'],
  withdraw: ['amount', 'asset_symbol', 'chain_id', 'comet', 'price', 'token'],
  transfer: ['amount', 'asset_symbol', 'chain_id', 'price', 'recipient', 'token'],
  swap: [
    ...['amount', 'asset_symbol', 'chain_id', 'fee_amounts', 'fee_asset_symbols'],
    ...['fee_descriptions', 'fee_token_prices', 'fee_tokens', 'input_amount', 'input_asset_symbol'],
    ...['input_token', 'input_token_price', 'is_buy', 'is_capped_max', 'is_exact_out'],
    ...['output_amount', 'output_asset_symbol', 'output_token', 'output_token_price', 'use_filler'],
  ],
}

test.each(Object.keys(fieldsOf))(
  'behavior: the context of %s has its documented fields',
  async (kind) => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 2_000_000n)
    const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol }
    if (kind === 'withdraw') await user.run('earn', { ...earn, amount: '1500000' })
    const bodies: Record<string, unknown> = {
      earn,
      withdraw: earn,
      transfer: { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend },
      swap: { sell_asset: 'USDC', sell_amount: '1000000', buy_asset: 'ETH', network: 'base' },
    }
    const { body } = await user.plan(kind, bodies[kind])
    const { action_type, ...context } = contextOf(body as PlanBody)
    expect(Object.keys(context)).toEqual(fieldsOf[kind])
    expect(context).toMatchObject({ amount: '1000000', asset_symbol: 'USDC', chain_id: '8453' })
    expect(action_type).toBe(
      { earn: 'COMET_SUPPLY', withdraw: 'COMET_WITHDRAW', transfer: 'TRANSFER', swap: 'SWAP' }[
        kind
      ],
    )
  },
)

const domainTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const

const operationTypes = {
  SvcOperation: [
    { name: 'nonce', type: 'bytes32' },
    { name: 'isReplayable', type: 'bool' },
    { name: 'scriptAddress', type: 'address' },
    { name: 'scriptSources', type: 'bytes[]' },
    { name: 'scriptCalldata', type: 'bytes' },
    { name: 'expiry', type: 'uint256' },
  ],
} as const

/** An operation of a plan as the typed data that viem hashes, from nothing but what the answer says. */
function typedOperation(
  { operation, action }: PlanBody['details']['svc_operation_actions'][number],
  wallet: Address,
) {
  const wire = operation as unknown as {
    nonce: Hex
    is_replayable: boolean
    script_address: Address
    script_sources: Hex[]
    script_calldata: Hex
    expiry: string
  }
  return {
    domain: {
      name: 'Svc Wallet',
      version: '1',
      chainId: Number(action.action_context.chain_id),
      verifyingContract: wallet,
    },
    types: operationTypes,
    primaryType: 'SvcOperation',
    message: {
      nonce: wire.nonce,
      isReplayable: wire.is_replayable,
      scriptAddress: wire.script_address,
      scriptSources: wire.script_sources,
      scriptCalldata: wire.script_calldata,
      expiry: BigInt(wire.expiry),
    },
  } as const
}

test('behavior: the digest of one operation is what viem makes of it', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 2_000_000n)
  const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol }
  const { details } = (await user.plan('earn', earn)).body as PlanBody
  const typed = typedOperation(details.svc_operation_actions[0]!, user.wallet)
  expect(details.eip712_data).toEqual({
    digest: hashTypedData(typed),
    domain_separator: hashStruct({
      data: { ...typed.domain, chainId: 8453n },
      primaryType: 'EIP712Domain',
      types: domainTypes,
    }),
    hash_struct: hashStruct({
      data: typed.message,
      primaryType: 'SvcOperation',
      types: operationTypes,
    }),
  })
})

test('behavior: the digest of several operations hashes their own digests', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 2_000_000n)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol }
  const { details } = (await user.plan('earn', earn)).body as PlanBody
  expect(details.svc_operation_actions).toHaveLength(2)
  const opDigests = details.svc_operation_actions.map((each) =>
    hashTypedData(typedOperation(each, user.wallet)),
  )
  expect(details.eip712_data.digest).toBe(
    hashTypedData({
      domain: { name: 'Svc Wallet', version: '1' },
      types: { MultiSvcOperation: [{ name: 'opDigests', type: 'bytes32[]' }] },
      primaryType: 'MultiSvcOperation',
      message: { opDigests },
    }),
  )
})

test('behavior: withdraw and transfer show the digest only, and it is the right one', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 2_000_000n)
  const place = { asset: 'USDC', network: 'base' }
  await user.run('earn', { ...place, amount: '1000000', protocol })
  const plans = [
    await user.plan('withdraw', { ...place, amount: '500000', protocol }),
    await user.plan('transfer', { ...place, amount: '500000', recipient: friend }),
  ]
  for (const { body } of plans) {
    const { details } = body as PlanBody
    const typed = typedOperation(details.svc_operation_actions[0]!, user.wallet)
    expect(details.eip712_data).toEqual({ digest: hashTypedData(typed) })
  }
})
