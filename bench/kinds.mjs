import { encodeFunctionData, parseAbi } from 'viem/utils'
import { openAccount } from './client.mjs'
import { rpc } from './http.mjs'
import { timed } from './stats.mjs'

const network = 'base'
const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const ether = 10n ** 18n
const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])

/**
 * How long each kind of plan takes to make, in milliseconds: `one` for a wallet with funds and positions on one network,
 * `five` for one whose funds must be brought together from all; `folio` of the former, `call` a bare `eth_call`; `unmatched`
 * the first kind again while a fault rule is armed that matches nobody. Every round measures all in turn. `nodeUrl` is an anvil with
 * the same world.
 */
export async function measureKinds(sim, nodeUrl, rounds) {
  const place = await findMarkets(sim)
  const [owner, collector] = [await openAccount(sim), await openAccount(sim)]
  await takePositions(owner, place)
  for (const from of ['mainnet', 'base', 'arbitrum', 'optimism', 'polygon'])
    await collector.fund(from, 'USDC', '100000000')
  const call = {
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner.wallet] }),
  }
  const one = Object.entries(plansOf(owner.wallet, place))
  const five = Object.entries(bridgedPlans(collector.wallet))
  const samples = { call: [], folio: [], one: {}, five: {}, unmatched: [] }
  const add = (list, round, value) => round >= 0 && list.push(value)
  for (let round = -10; round < rounds; round++) {
    add(samples.call, round, await timed(() => rpc(nodeUrl, 'eth_call', [call, 'latest'])))
    add(samples.folio, round, await timed(() => owner.folio()))
    for (const [group, client, plans] of [
      [samples.one, owner, one],
      [samples.five, collector, five],
    ])
      for (const [name, [kind, body]] of plans) {
        group[name] ??= []
        add(group[name], round, await timed(() => client.plan(kind, body)))
      }
    const [kind, body] = one[0][1]
    const rule = { on: 'execute', effect: 'response_lost', match: { account_id: collector.id } }
    const { id } = await owner.api('POST', '/_sim/faults', rule, 201)
    add(samples.unmatched, round, await timed(() => owner.plan(kind, body)))
    await owner.api('DELETE', `/_sim/faults/${id}`, undefined, 200)
  }
  return samples
}

async function findMarkets(sim) {
  const { api } = await openAccount(sim)
  const { markets } = await api('GET', '/markets', undefined, 200)
  const here = markets.filter(({ chain_id }) => Number(chain_id) === 8453)
  const vaults = here.filter(({ protocol, asset }) => protocol === 'morpho_vault' && isUsdc(asset))
  const market = here.find(
    ({ protocol, loan_token, collateral_token }) =>
      protocol === 'morpho_market' &&
      isUsdc(loan_token) &&
      collateral_token.toLowerCase() === '0x4200000000000000000000000000000000000006',
  )
  return { vault: vaults[0].vault, otherVault: vaults[1]?.vault, market: market.market_id }
}

function isUsdc(address) {
  return address.toLowerCase() === usdc
}

/** Funds, a deposit in every protocol, a loan, a leveraged position, and rewards to claim. */
async function takePositions(owner, { vault, market }) {
  await owner.fund(network, 'USDC', '100000000000')
  await owner.fund(network, 'WETH', (10n * ether).toString())
  const deposit = { asset: 'USDC', amount: '1000000000', network }
  await owner.run('earn', { ...deposit, protocol: 'compound' })
  await owner.run('earn', { ...deposit, protocol: 'aave' })
  await owner.run('earn', { ...deposit, protocol: 'morpho', market: vault })
  await owner.run('borrow', {
    amount: '1000000000',
    asset: 'USDC',
    collateral_amount: ether.toString(),
    collateral_asset: 'WETH',
    network,
    protocol: 'morpho',
    market,
  })
  await owner.api('POST', '/_sim/clock/advance', { seconds: 86_400 }, 200)
}

function plansOf(wallet, { vault, market }) {
  const usd = { asset: 'USDC', amount: '1000000', network }
  const loan = { asset: 'USDC', collateral_asset: 'WETH', network }
  const long = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market, network }
  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000', network }
  return {
    'earn compound': ['earn', { ...usd, protocol: 'compound' }],
    'earn aave': ['earn', { ...usd, protocol: 'aave' }],
    'earn vault': ['earn', { ...usd, protocol: 'morpho', market: vault }],
    'withdraw compound': ['withdraw', { ...usd, protocol: 'compound' }],
    transfer: ['transfer', { ...usd, recipient: wallet.replace(/.{4}$/, 'beef') }],
    swap: ['swap', swap],
    'swap-and-supply': ['swap-and-supply', { ...swap, protocol: 'compound' }],
    'borrow morpho': [
      'borrow',
      {
        ...loan,
        amount: '1000000',
        collateral_amount: '1000000000000000',
        protocol: 'morpho',
        market,
      },
    ],
    'repay morpho': [
      'repay',
      { ...loan, amount: '1000000', collateral_amount: '0', protocol: 'morpho', market },
    ],
    migrate: ['migrate', { ...usd, from_protocol: 'compound', to_protocol: 'aave' }],
    'claim-rewards': ['claim-rewards', { asset: 'COMP' }],
    reinvest_rewards: [
      'reinvest_rewards',
      { asset: 'USDC', protocol: 'compound', network, reward_assets: ['COMP'] },
    ],
    'loop-long': [
      'loop-long',
      {
        ...long,
        is_increase: true,
        exposure_amount: '100000000000000000',
        max_swap_backing_amount: '400000000',
        max_provided_backing_amount: '400000000',
        pool_fee: 500,
      },
    ],
    'add-backing': ['add-backing', { ...long, amount: '1000000', is_short: false }],
    'withdraw-backing': ['withdraw-backing', { ...long, amount: '1000000', is_short: false }],
    'unloop-long': [
      'unloop-long',
      {
        ...long,
        exposure_amount: '100000000000000000',
        backing_amount_to_exit: '0',
        min_swap_backing_amount: '200000000',
        pool_fee: 500,
      },
    ],
  }
}

/** Each needs more than one network has. */
function bridgedPlans(wallet) {
  const usd = { asset: 'USDC', amount: '450000000', network }
  return {
    'earn compound': ['earn', { ...usd, protocol: 'compound' }],
    transfer: ['transfer', { ...usd, recipient: wallet.replace(/.{4}$/, 'beef') }],
    swap: ['swap', { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '450000000', network }],
  }
}
