import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test, vi } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { killRuns, type Ready, startReady } from '../kit/cli.js'
import { otherKinds } from '../kit/plans.js'
import { transcribe } from '../kit/transcript.js'

const key: Hex = `0x${'07'.repeat(32)}`
const friendKey: Hex = `0x${'09'.repeat(32)}`
const friend = '0x00000000000000000000000000000000000f41e7'
const vault = loadAddressBook()
  .on('base')
  .morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
const base = { network: 'base', asset: 'USDC' }
const position = {
  exposure_asset: 'WETH',
  backing_asset: 'USDC',
  market_id: '0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda',
  network: 'base',
}
const loan = {
  asset: 'USDC',
  collateral_asset: 'WETH',
  collateral_amount: '2000000000000000000',
  network: 'base',
  protocol: 'compound',
}

/** Every plan kind at once or after another, without waiting for what they set going. */
const plans: [kind: string, intent: Record<string, unknown>][] = [
  ['earn', { ...base, amount: '300000000', protocol: 'compound' }],
  ['earn', { ...base, amount: '500000000', protocol: 'aave' }],
  ['earn', { ...base, amount: '500000000', protocol: 'morpho_vault', market: vault }],
  ['withdraw', { ...base, amount: '100000000', protocol: 'aave' }],
  ['swap', { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '700000000' }],
  [
    'swap-and-supply',
    {
      sell_asset: 'USDC',
      buy_asset: 'WETH',
      network: 'base',
      sell_amount: '300000000',
      protocol: 'aave',
    },
  ],
  [
    'migrate',
    {
      ...base,
      amount: '100000000',
      from_protocol: 'compound',
      to_protocol: 'aave',
      migrate_only_supply_balances: true,
    },
  ],
  ['borrow', { ...loan, amount: '4000000000' }],
  ['repay', { ...loan, amount: '400000000', collateral_amount: '0' }],
  [
    'loop-long',
    {
      ...position,
      is_increase: true,
      exposure_amount: '1000000000000000000',
      max_swap_backing_amount: '3100000000',
      max_provided_backing_amount: '1500000000',
      pool_fee: 500,
    },
  ],
  ['add-backing', { ...position, amount: '1000000', is_short: false }],
  ['withdraw-backing', { ...position, amount: '1000000', is_short: false }],
  [
    'unloop-long',
    {
      ...position,
      exposure_amount: 'max',
      backing_amount_to_exit: '0',
      min_swap_backing_amount: '2900000000',
      pool_fee: 500,
    },
  ],
]

/** After a month there are rewards. */
const later: [kind: string, intent: Record<string, unknown>][] = [
  ['claim-rewards', { asset: 'COMP' }],
  [
    'reinvest_rewards',
    { asset: 'USDC', protocol: 'compound', network: 'base', reward_assets: ['MORPHO'] },
  ],
]

/** What the second of two plans that bridge asks for: together they empty two networks at the same moment. */
const bridged = { ...base, amount: '30000000', recipient: friend }

async function play(ready: Ready): Promise<string[]> {
  const { call, run, execute, blocks, entries } = transcribe(ready)
  const signer = { signer_type: 'eoa', signer_address: privateKeyToAddress(key) }
  const { account_id: id, svc_wallet_address: wallet } = await call<{
    account_id: string
    svc_wallet_address: Hex
  }>('POST', '/accounts', signer)
  const account = `/accounts/${id}`
  const fund = (network: string, asset: string, amount: string) =>
    call('POST', '/_sim/fund', { account_id: id, network, asset, amount })
  const advance = (seconds: number) => call('POST', '/_sim/clock/advance', { seconds })
  await call('POST', '/accounts', signer) // refused: it exists
  await fund('base', 'WETH', '9000000000000000000')
  await fund('base', 'USDC', '9000000000')
  const named = ['transfer', ...[...plans, ...later].map(([kind]) => kind)]
  for (const [kind, intent] of [...plans, ...otherKinds(named)]) {
    await run(account, kind, intent, key)
    // Must not get in between the transactions of the execution.
    await fund('base', 'USDC', '1')
  }
  await call('GET', `${account}/folio`)

  // Money from outside: out of a strange account on three networks, and out of the plan of another sub-account.
  const another = { signer_type: 'eoa', signer_address: privateKeyToAddress(friendKey) }
  const friends = await call<{ svc_wallet_address: Hex }>('POST', '/accounts', another)
  const rpc = (network: string, method: string, params: unknown[]) =>
    call('POST', `/rpc/${network}`, { jsonrpc: '2.0', id: 1, method, params })
  for (const network of ['base', 'polygon', 'optimism']) {
    await rpc(network, 'anvil_setBalance', [friend, '0xde0b6b3a7640000'])
    await rpc(network, 'anvil_impersonateAccount', [friend])
    for (const to of [wallet, friends.svc_wallet_address])
      await rpc(network, 'eth_sendTransactionSync', [{ from: friend, to, value: '0x5' }])
  }
  const recipient = friends.svc_wallet_address
  await run(account, 'transfer', { ...base, amount: '7', recipient }, key)
  await rpc('base', 'anvil_rollback', [1])
  await call('GET', `${account}/events`)

  // Three deposits on three networks, all due at once; then what waits for them.
  await run(account, 'transfer', { ...base, amount: 'max', recipient: friend }, key)
  for (const network of ['arbitrum', 'optimism', 'polygon']) await fund(network, 'USDC', '11000000')
  const { activity_id } = await execute(
    account,
    await call('POST', `${account}/plan/transfer`, bridged),
    key,
  )
  await call('GET', `${account}/events`)
  await advance(1.5)
  await call('GET', `/activities/${activity_id}`)
  await advance(0.5)
  await call('GET', `/activities/${activity_id}`)

  // Failures: a plan twice, a stale one, a wrong signature, one that has expired, one without funds or liquidity.
  await fund('base', 'USDC', '50000000')
  const earn = { ...base, amount: '1000000', protocol: 'compound' }
  const first = await run(account, 'earn', earn, key)
  await execute(account, first, key)
  const [second, third] = [
    await call<typeof first>('POST', `${account}/plan/earn`, earn),
    await call<typeof first>('POST', `${account}/plan/earn`, earn),
  ]
  await execute(account, second, `0x${'08'.repeat(32)}`)
  await execute(account, second, key)
  await execute(account, third, key)
  const fourth = await call<typeof first>('POST', `${account}/plan/earn`, earn)
  await advance(120)
  await execute(account, fourth, key)
  await run(account, 'earn', { ...earn, amount: '1000000000000' }, key)
  await run(account, 'earn', { ...earn, asset: 'GOLD' }, key)

  // Caused ones: a transaction that is stuck for a while, one that is dropped, a bridge that is late, a chance.
  const fault = (rule: unknown) => call('POST', '/_sim/faults', rule)
  await fault({ on: 'execute', effect: { stuck: { seconds: 5 } }, times: 1 })
  await fault({ on: 'execute', effect: 'dropped', after: 1, times: 1 })
  await fault({ on: 'bridge', effect: { delay: { seconds: 3 } } })
  const refuse = { respond: { error: 'timeout' } }
  await fault({ on: 'request', effect: refuse, match: { method: 'GET' }, probability: 0.5 })
  await run(account, 'earn', earn, key)
  for (let i = 0; i < 6; i++) await call('GET', `${account}/folio`)
  await advance(5)
  await run(account, 'earn', { ...earn, amount: '2000000' }, key)
  for (const network of ['mainnet', 'polygon']) await fund(network, 'USDC', '60000000')
  await call('GET', `${account}/activities`)
  await advance(60)
  await run(account, 'transfer', { ...bridged, amount: '90000000' }, key)
  await advance(4.5)
  await call('GET', `${account}/activities`)
  await advance(0.5)
  await call('DELETE', '/_sim/faults')
  await call('GET', `${account}/activities`)

  await advance(30 * 86_400)
  for (const [kind, intent] of later) await run(account, kind, intent, key)
  await call('PUT', '/_sim/prices/ETH', { usd: '700' })
  await call('POST', '/_sim/liquidations', { account_id: id })
  await run(account, 'earn', earn, key)
  await call('POST', '/_sim/snapshots', { name: 'late' })
  await run(account, 'withdraw', { ...earn, amount: 'max', protocol: 'aave' }, key)
  await call('POST', '/_sim/snapshots/late/restore')
  await run(account, 'withdraw', { ...earn, amount: 'max', protocol: 'aave' }, key)
  for (const path of ['folio', 'activities', 'events']) await call('GET', `${account}/${path}`)
  for (const path of ['/markets', '/networks', '/prime_account']) await call('GET', path)
  await call('GET', '/_sim/clock')
  await call('GET', `/_sim/why/${activity_id}`)
  await call('GET', `/_sim/why/${id}`)
  await call('GET', '/_sim/journal?limit=1000')
  await blocks()
  return entries
}

afterEach(killRuns)

/** Holds up one node after the other for moments, so that whatever could overtake it does. */
function disturb(nodes: readonly number[]): () => void {
  let round = 0
  const held = () => nodes[round % nodes.length]!
  const timer = setInterval(() => {
    process.kill(held(), 'SIGCONT')
    round++
    process.kill(held(), 'SIGSTOP')
  }, 20)
  return () => {
    clearInterval(timer)
    process.kill(held(), 'SIGCONT')
  }
}

/** Compares two transcripts entry by entry; a difference is told with what was asked before it, and with blocks that differ. */
function expectEqual(first: string[], second: string[]): void {
  for (const [i, entry] of first.entries()) {
    const asked = first.slice(Math.max(0, i - 12), i).map((each) => each.split('\n', 2).join(' '))
    expect(second[i], [i, ...asked, oddBlocks(first, second)].join('\n')).toBe(entry)
  }
  expect(second).toHaveLength(first.length)
}

/** The oldest block of each network that two transcripts have otherwise, for the message. */
function oddBlocks(...transcripts: [string[], string[]]): string {
  const [first, second] = transcripts.map(
    (entries) =>
      new Map(
        entries.flatMap((entry) => {
          const [, block] = /^POST (\/rpc\/\w+ .*eth_getBlockByNumber.*)\n/.exec(entry) ?? []
          return block === undefined ? [] : [[block, entry.split('\n').at(-1)!] as const]
        }),
      ),
  )
  const odd = [...first!].filter(([block, text]) => (second!.get(block) ?? text) !== text)
  const oldest = new Map(odd.map(([block, text]) => [block.split(' ')[0], [block, text]] as const))
  const told = [...oldest.values()].map(([block, text]) => [block, text, second!.get(block!)])
  return told.flat().join('\n')
}

test('default: with a seed and a frozen clock, two processes give the same bytes and the same blocks', async () => {
  const runs = await Promise.all(
    [false, true].map(async (isDisturbed) => {
      const { run, ready, nodes } = await startReady('--seed', '42', '--clock', 'frozen')
      const undisturb = isDisturbed ? disturb(nodes) : () => {}
      const entries = await play(ready).finally(undisturb)
      run.kill('SIGTERM')
      await run.ended
      return entries
    }),
  )
  const [first, second] = runs as [string[], string[]]
  expectEqual(first, second)

  // The script does what it is there for: every kind of plan was made and carried out, and money was bridged.
  const planned = (path: string): boolean =>
    first.some((entry) => new RegExp(`/plan/${path} .*\n201\n`).test(entry))
  expect(planKinds.map(({ path }) => path).filter((path) => !planned(path))).toEqual([])
  const activities = first.find((entry) => /\/activities \n200/.test(entry))!
  expect(activities.match(/"activity_status":"confirmed"/g)!.length).toBeGreaterThanOrEqual(18)
  expect(first.filter((entry) => entry.includes('"BRIDGE_MINT"')).length).toBeGreaterThan(0)
  expect(activities.match(/"action_type":"INBOUND_TRANSFER","action_context"/g)).toHaveLength(3)
}, 120_000)

test('behavior: a world of that seed and clock gives the same bytes, on new chains and on used ones', async () => {
  const [{ ready }, { ready: reference }] = await Promise.all([
    startReady(),
    startReady('--seed', '42', '--clock', 'frozen'),
  ])
  const lease = async (body: unknown): Promise<Ready & { id: string }> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(`${ready.controlUrl}/worlds`, init)).json()) as Ready & {
      id: string
    }
  }
  const worlds = async () =>
    (await (await fetch(`${ready.controlUrl}/worlds`)).json()) as { warm: number }
  const wanted = { seed: 42, clock: 'frozen' }
  const used = await lease({})
  await fetch(used.rpc.base!, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x9'] }),
  })
  const fresh = await lease(wanted)
  await fetch(used.controlUrl, { method: 'DELETE' })
  await vi.waitFor(async () => expect((await worlds()).warm).toBe(1), 30_000)
  const again = await lease(wanted)
  expect((await worlds()).warm).toBe(0)
  const [first, ...others] = await Promise.all([reference, fresh, again].map(play))
  for (const other of others) {
    expectEqual(first!, other)
  }
}, 480_000)

test('behavior: another seed gives other ids', async () => {
  const account = { signer_type: 'eoa', signer_address: privateKeyToAddress(key) }
  const ids = await Promise.all(
    ['1', '2'].map(async (seed) => {
      const { run, ready } = await startReady('--seed', seed, '--clock', 'frozen')
      const { call, entries } = transcribe(ready)
      const { account_id } = await call<{ account_id: string }>('POST', '/accounts', account)
      run.kill('SIGTERM')
      await run.ended
      return [account_id, entries.join().match(/req_\w+/)![0]]
    }),
  )
  expect(new Set(ids.flat()).size).toBe(4)
})
