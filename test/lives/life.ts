import type { Address, Hex } from 'viem'
import type { Sim } from '../../src/clients/remote/sim.js'
import { loadAddressBook, type NetworkBook } from '../../src/deployments/addressBook.js'
import { type ChainReads, readsOf } from '../kit/chainReads.js'
import type { SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User, userAt } from '../kit/user.js'
import type { Sight } from './sight.js'

/** Where lives take place; bridges lead from each of these networks to each. */
export const places = ['base', 'arbitrum', 'optimism'] as const
export type Place = (typeof places)[number]

/** Who receives all transfers. */
export const friend: Address = '0x00000000000000000000000000000000000f41e7'

/** What the account has on each network at the start, in the smallest unit of USDC. */
export const grant = 100_000_000n

const book = loadAddressBook()

/** What the money of a life passes through on a network; addresses are in lower case. */
export function contractsOn(on: Place) {
  const { comets, spokePool, exchange }: NetworkBook = book.on(on)
  const token = (symbol: string): Address => book.token(on, symbol)!.address
  return {
    ...{ usdc: token('USDC'), weth: token('WETH'), spokePool, exchange },
    comet: comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!.address,
  }
}

/** What a plan does on its network, besides its bridges. Amounts of USDC, in the smallest unit. */
export interface Effect {
  kind: 'transfer' | 'earn' | 'withdraw' | 'swap'
  on: Place
  amount: bigint
}

/** A plan, and what it does. */
export interface Intended {
  plan: PlanBody
  effect: Effect
}

/** An executed plan. */
interface Execution extends Intended {
  activityId: string
  /** What a swap leaves in the wallet, in the smallest unit of WETH. */
  bought: bigint
  /** How much trouble there had been by then; undefined when some was in force. */
  troubles: number | undefined
}

/** What a life remembers of itself, and a restore takes back. */
export interface Memory {
  cursor: number
  /** All events that polls have brought, in order. */
  heard: readonly unknown[]
  executions: readonly Execution[]
  /** Plans that were made and not executed yet. */
  plans: readonly Intended[]
  /** How often something happened that may make an execution fail: a fault, or blocks that were replaced. */
  troubles: number
  /** A rule has been there by which events may be told twice. */
  isRepeated: boolean
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
  /** Its node did not remember enough for a reorganisation. How much it remembers depends on its earlier lives, too. */
  isForgetful?: boolean
  snapshots: { id: string; memory: Memory; faults: Set<string> }[]
  /** What the account was like after the last step, until the next one looks. While time passes it does not stay so. */
  last?: Told | undefined
  /** The last block of each network before the life. */
  since: Record<Place, Hex>
}

/** All that is known of an account. */
export interface Told {
  sight: Sight
  rest: unknown
}

/** Begins a life from the start of the simulator. */
export async function begin(sim: Home, manner: Manner = {}, key?: Hex): Promise<Life> {
  await sim.reset()
  const chain = readsOf(sim)
  const heads = places.map(async (on) => [on, await chain.request<Hex>(on, 'eth_blockNumber')])
  const since: Life['since'] = Object.fromEntries(await Promise.all(heads))
  const user = await openUser(sim as SimulatorHandle, key)
  for (const network of places) await user.fund(network, 'USDC', grant)
  const nothing = { cursor: 0, heard: [], executions: [], plans: [] }
  return {
    ...{ ...manner, sim, user, chain, faults: new Set(), snapshots: [], since },
    memory: { ...nothing, troubles: 0, isRepeated: false },
  }
}

/** Remembers something besides. */
export function remember(life: Life, more: Partial<Memory>): void {
  life.memory = { ...life.memory, ...more }
}

/** Something happens that may make an execution fail. */
export const trouble = (life: Life): void => remember(life, { troubles: life.memory.troubles + 1 })

/** Kills the simulator and continues the life in the one that takes over its data folder. Snapshots end with the process. */
export async function killed(life: Life): Promise<void> {
  const sim = await life.revive!()
  Object.assign(life, { sim, user: userAt(sim as SimulatorHandle, life.user), chain: readsOf(sim) })
  life.snapshots = []
  await sim.clock.advance(0)
}
