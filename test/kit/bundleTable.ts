import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { NetworkBook } from '../../src/deployments/addressBook.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { createSimulator, type SimulatorHandle } from './simulator.js'
import { lentByCompound, plansOf } from './strangers.js'
import { startUpstream } from './upstream.js'
import { openUser, type PlanBody, type User } from './user.js'

/** From where a bundle may be recorded. */
export const recordedFrom = ['a simulator', 'a bare node', 'a node without debug methods'] as const

type RecordedFrom = (typeof recordedFrom)[number]

/** Records a network from its kind of endpoint, with the signers of these keys named; resolves to the folder of the bundle. */
export async function recordFrom(
  from: RecordedFrom,
  network: NetworkName,
  keys: readonly Hex[] = [],
): Promise<string> {
  const endpoint = await endpointOf(from, network)
  const out = join(await mkdtemp(join(tmpdir(), 'bundle-table-')), 'bundle')
  try {
    await recordBundle({
      ...{ fork: { [network]: { url: endpoint.url } }, out, at: undefined, forkCache: 'none' },
      ...{ accounts: keys.map(privateKeyToAddress), mayReplace: false, say() {} },
    })
  } finally {
    await endpoint.stop()
  }
  return out
}

async function endpointOf(from: RecordedFrom, network: NetworkName) {
  if (from === 'a simulator') {
    const sim = await createSimulator()
    return { url: sim.rpc(network), stop: () => sim.close() }
  }
  const upstream = await startUpstream(network)
  if (from === 'a node without debug methods')
    upstream.unknown.push(
      ...['debug_traceCall', 'debug_traceTransaction', 'trace_block', 'trace_transaction'],
      ...['eth_createAccessList', 'eth_getAccountInfo', 'eth_simulateV1'],
    )
  return { url: upstream.url, stop: () => upstream.stop() }
}

/** What is done on the recorded network, and how it ended: `confirmed`, or why not. */
export type Row = [what: string, end: string]

const usdc = 10n ** 6n
const ether = 10n ** 18n

/** A user of a simulator that runs from a bundle makes every kind of plan with the network, and bridges both ways. */
export async function tableOf(
  sim: SimulatorHandle,
  network: NetworkName,
  key: Hex = generatePrivateKey(),
): Promise<Row[]> {
  const user = await openUser(sim, key)
  const book = loadAddressBook().on(network)
  const rows: Row[] = []
  const run = async (kind: string, body: object, what = kind): Promise<void> => {
    rows.push([what, await endOf(user, kind, body)])
  }
  await bridgeBothWays(user, network, run)
  for (const asset of new Set(['USDC', lentByCompound(book)]))
    await user.fund(network, asset, 20_000n * usdc)
  await user.fund(network, 'WETH', 9n * ether)
  for (const [kind, body] of plansOf(book, user.signer)) await run(kind, body)
  await withWrappedNative(user, book, run)
  await sim.clock.advance(30 * 86_400)
  await run('claim-rewards', { asset: 'COMP' })
  await sim.clock.advance(30 * 86_400)
  const rewards = { network, asset: lentByCompound(book), protocol: 'compound' }
  await run('reinvest_rewards', { ...rewards, reward_assets: ['COMP'] })
  return rows
}

type Run = (kind: string, body: object, what?: string) => Promise<void>

async function bridgeBothWays(user: User, network: NetworkName, run: Run): Promise<void> {
  const other = networkNames.find((each) => each !== network)!
  for (const [from, to] of [
    [other, network],
    [network, other],
  ] as const)
    for (const [asset, amount] of [
      ['USDC', 20n * usdc],
      ['WETH', ether / 100n],
    ] as const) {
      await user.fund(from, asset, (amount * 11n) / 10n)
      const body = { network: to, asset, amount: `${amount}`, recipient: user.signer }
      await run('transfer', body, `${asset} ${to === network ? 'in' : 'out'}`)
    }
}

/** Some thousand dollars of it, whatever it is worth. */
async function withWrappedNative(user: User, book: NetworkBook, run: Run): Promise<void> {
  const { network, wrappedNativeSymbol: asset } = book
  const whole = asset === 'WPOL' ? 20_000n : 2n
  const amount = `${(whole * ether) / 4n}`
  await user.fund(network, asset, whole * ether)
  await run('earn', { network, asset, amount, protocol: 'aave' }, `earn ${asset}`)
  await run(
    'swap',
    { network, sell_asset: asset, sell_amount: amount, buy_asset: 'USDC' },
    `swap ${asset}`,
  )
  const comet = book.comets.find(({ collaterals }) =>
    collaterals.some(({ symbol }) => symbol === asset),
  )
  if (!comet) return
  const debt = (2n * comet.baseBorrowMin + 1n).toString()
  const loan = { network, protocol: 'compound', asset: comet.baseSymbol, amount: debt }
  await run(
    'borrow',
    { ...loan, collateral_asset: asset, collateral_amount: amount },
    `borrow against ${asset}`,
  )
}

/** Plans, executes and follows. */
async function endOf(user: User, kind: string, body: object): Promise<string> {
  const plan = await user.plan(kind, body)
  if (plan.status !== 201) return `${plan.status} ${plan.body.message}`
  const execution = await user.execute(plan.body as PlanBody)
  if (execution.status !== 200) return `execution: ${execution.status} ${execution.body.message}`
  const { activity_status, activity_metadata } = await user.follow(execution.body.activity_id)
  const reason = activity_metadata.find(({ revert_reason }) => revert_reason)?.revert_reason
  return reason ? `${activity_status}: ${reason}` : activity_status
}
