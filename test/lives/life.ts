import { type Address, decodeEventLog, type Hex, toEventSelector } from 'viem'
import { expect, vi } from 'vitest'
import type { Sim } from '../../src/clients/remote/sim.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkOf } from '../../src/deployments/networks.js'
import { iSpokePoolAbi } from '../../src/generated/abis.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import type { SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** Where lives take place; bridges lead from each of these networks to each. */
export const places = ['base', 'arbitrum', 'optimism'] as const
export type Place = (typeof places)[number]

const book = loadAddressBook()
const usdcOn = (network: Place): Address => book.token(network, 'USDC')!.address

/** An executed plan. */
interface Execution {
  planId: string
  activityId: string
}

/** What a life remembers of itself, and a restore takes back. */
interface Memory {
  cursor: number
  executions: readonly Execution[]
  /** Plans that were made and not executed yet. */
  plans: readonly PlanBody[]
}

/** Where a life takes place: in this process, in another one, or in a leased world. */
export type Home = SimulatorHandle | Sim

/** What makes a life special. */
export interface Manner {
  /** Time passes between two reads, so they are compared until they agree. */
  isMoving?: boolean
  /** Kills the simulator and starts it again on the same data folder. */
  revive?(): Promise<Home>
}

/** One account's life in one simulator, and what must hold in it. */
export interface Life extends Manner {
  sim: Home
  user: User
  chain: ChainReads
  memory: Memory
  /** Fault rules that are in force, by id. */
  faults: Set<string>
  snapshots: { id: string; memory: Memory; faults: Set<string> }[]
}

/** Begins a life from the start of the simulator. */
export async function begin(sim: Home, manner: Manner = {}, key?: Hex): Promise<Life> {
  await sim.reset()
  const user = await openUser(sim as SimulatorHandle, key)
  for (const network of places) await user.fund(network, 'USDC', 100_000_000n)
  return {
    ...{ ...manner, sim, user, chain: readsOf(sim), faults: new Set(), snapshots: [] },
    memory: { cursor: 0, executions: [], plans: [] },
  }
}

/** Kills the simulator and continues the life in the one that takes over its data folder. Snapshots end with the process. */
export async function killed(life: Life): Promise<void> {
  const sim = await life.revive!()
  Object.assign(life, { sim, user: userAt(sim as SimulatorHandle, life.user), chain: readsOf(sim) })
  life.snapshots = []
  await sim.clock.advance(0)
}

/** What the pools' logs tell of a deposit or a fill; a deposit that was made again may have another number. */
interface Bridged {
  what: 'deposit' | 'fill' | 'refund'
  on: Place
  id: bigint
  /** Where it comes from and what it is about, without its number. */
  about: string
}

const eventOf = (name: string) =>
  iSpokePoolAbi.find((item) => item.type === 'event' && item.name === name)!
const topics = ['FundsDeposited', 'FilledRelay', 'DepositRefunded'].map((name) =>
  toEventSelector(eventOf(name) as never),
)

interface Log {
  topics: [Hex, ...Hex[]]
  data: Hex
}

async function bridgedOn(life: Life, on: Place): Promise<Bridged[]> {
  const filter = { address: book.on(on).spokePool, fromBlock: '0x0', topics: [topics] }
  const logs = await life.chain.request<Log[]>(on, 'eth_getLogs', [filter])
  const wallet = BigInt(life.user.wallet)
  return logs.flatMap((log): Bridged[] => {
    const { eventName, args } = decodeEventLog({ abi: iSpokePoolAbi, ...log })
    if (BigInt(args.depositor) !== wallet) return []
    if (eventName === 'DepositRefunded')
      return [{ what: 'refund', on, id: args.depositId, about: '' }]
    const [what, from] =
      eventName === 'FundsDeposited'
        ? (['deposit', BigInt(networkOf(on).chainId)] as const)
        : (['fill', (args as { originChainId: bigint }).originChainId] as const)
    const about = [from, args.inputAmount, args.outputAmount, args.fillDeadline].join('/')
    return [{ what, on, id: args.depositId, about }]
  })
}

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

/** Every fill pays for a deposit, none twice; a deposit that went back was not filled. At the `end` each has gone one of both ways. */
async function bridgesAgree(life: Life, isEnd: boolean): Promise<void> {
  const all = (await Promise.all(places.map((on) => bridgedOn(life, on)))).flat()
  const of = (wanted: Bridged['what']) => all.filter(({ what }) => what === wanted)
  const refunded = new Set(of('refund').map(({ on, id }) => `${on}/${id}`))
  expect(refunded.size, 'a deposit was refunded twice').toBe(of('refund').length)
  const kept = of('deposit').filter(({ on, id }) => !refunded.has(`${on}/${id}`))
  const open = kept.map(({ about }) => about)
  for (const { about } of of('fill')) {
    const at = open.indexOf(about)
    expect(at, `a fill of no deposit, or of one that went back: ${about}`).toBeGreaterThanOrEqual(0)
    open.splice(at, 1)
  }
  if (isEnd) expect(open, 'deposits that nobody ended').toEqual([])
}

async function activitiesOf({ user }: Life): Promise<ActivityBody[]> {
  const { body } = await user.api.get(`${user.path}/activities`)
  return (body.activities as (ActivityBody & { activity_type: string })[]).filter(
    ({ activity_type }) => activity_type === 'svc_operation_executed',
  )
}

/** What an activity says has happened is on its chain. */
async function activitiesAgree(life: Life, isEnd: boolean): Promise<void> {
  const activities = await activitiesOf(life)
  expect(sorted(activities.map(({ activity_id }) => activity_id))).toEqual(
    sorted(life.memory.executions.map(({ activityId }) => activityId)),
  )
  expect(new Set(activities.map(({ plan_id }) => plan_id)).size).toBe(activities.length)
  for (const { activity_id, activity_status, activity_metadata } of activities) {
    if (isEnd) expect([activity_id, activity_status]).not.toEqual([activity_id, 'pending'])
    for (const { chain_id, success, transaction_hash } of activity_metadata) {
      const on = places.find((place) => networkOf(place).chainId === chain_id)
      if (!success || !transaction_hash || !on) continue
      const asked = [transaction_hash]
      const receipt = await life.chain.request<{ status: Hex } | null>(
        on,
        'eth_getTransactionReceipt',
        asked,
      )
      expect([activity_id, on, receipt?.status]).toEqual([activity_id, on, '0x1'])
    }
  }
}

/** The folio's balances are those of the chains. */
async function folioAgrees({ user, chain }: Life): Promise<void> {
  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: { balances: Record<string, string> }
  }
  for (const network of places) {
    const data = `0x70a08231${user.wallet.slice(2).padStart(64, '0')}`
    const call = { to: usdcOn(network), data }
    const held = BigInt(await chain.request<Hex>(network, 'eth_call', [call, 'latest']))
    const told = folio.balances[`token/${networkOf(network).folioName}/USDC/${user.wallet}`]
    expect([network, unitsOf(told)]).toEqual([network, held])
  }
}

/** `1.5e6` in smallest units; nothing is zero. */
function unitsOf(text = '0e6'): bigint {
  const [whole = '0', fraction = ''] = text.split('e')[0]!.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

async function cursorGrows(life: Life): Promise<void> {
  const { cursor } = life.memory
  const { body } = await life.user.api.get(`${life.user.path}/events?since=${cursor}`)
  expect(body.cursor).toBeGreaterThanOrEqual(cursor)
  life.memory = { ...life.memory, cursor: body.cursor }
}

/** All that must hold after each step; while a fault is in force the chains may be behind, or not answer. */
export async function holds(life: Life, { isEnd = false } = {}): Promise<void> {
  await cursorGrows(life)
  if (life.faults.size > 0) return
  const agree = async (): Promise<void> => {
    await bridgesAgree(life, isEnd)
    await activitiesAgree(life, isEnd)
    await folioAgrees(life)
  }
  await (life.isMoving ? vi.waitFor(agree, { timeout: 30_000 }) : agree())
}

/** Lifts all faults, lets everything come to its end, and looks once more. */
export async function end(life: Life): Promise<void> {
  await life.sim.faults.clear()
  life.faults.clear()
  for (const network of places) await life.chain.request(network, 'evm_mine', [])
  await life.sim.clock.advance(1_800)
  await holds(life, { isEnd: true })
}
