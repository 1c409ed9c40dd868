import { EventEmitter } from 'node:events'
import { promptFaucet } from '../../src/chain/funds/promptFaucet.js'
import { createSnapshots, type SnapshotParts } from '../../src/control/snapshots.js'
import { createSystemLock } from '../../src/control/systemLock.js'
import { createTimekeeper } from '../../src/control/timekeeper.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../src/deployments/networks.js'
import { leaseFor } from '../../src/http/worlds/leasing.js'
import { worldLost } from '../../src/http/worlds/worldRouter.js'
import type { ProblemCode } from '../../src/lib/errors.js'
import { createBackgroundTasks } from '../../src/time/backgroundTasks.js'
import { createClock } from '../../src/time/clock.js'
import { Worlds } from '../../src/worlds/pool.js'
import { steady } from './steady.js'

/** Errors for which a simulator would have to hang, or to have 32 worlds: caused in the part that returns them. */

type Direct = [operationIds: string[], code: ProblemCode, message: string]

const never = () => new Promise<never>(() => {})

export async function direct(): Promise<Direct[]> {
  const worlds = ['leaseWorld', 'forkJournal']
  const [busy, unmoved, unknown, lease] = await Promise.all([
    busySystem(),
    hangingExecution(),
    silentNode(),
    fullPool(),
  ])
  return [
    [['takeSnapshot', 'restoreSnapshot', 'resetSimulator'], 'conflict', busy],
    [['advanceClock', 'freezeClock', 'skipClock'], 'conflict', unmoved],
    [['fundWallet'], 'timeout', unknown],
    [worlds, 'no_room', lease.noRoom],
    [worlds, 'rate_limited', lease.rateLimited],
    [['renewWorld'], 'world_lost', lease.lost],
  ]
}

async function messageOf(refused: Promise<unknown>): Promise<string> {
  const error = await refused.then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (!error) throw new Error('It was not refused')
  return error.message
}

/** A snapshot waits ten seconds for a request that does not end. */
function busySystem(): Promise<string> {
  const lock = createSystemLock()
  void lock.shared('POST /accounts', never)
  // Nothing else of it is asked before the lock is free.
  const parts = { lock, nodes: { all: () => [] }, expectAlive: async () => {} }
  return messageOf(createSnapshots(parts as unknown as SnapshotParts).take())
}

function hangingExecution(): Promise<string> {
  const tasks = createBackgroundTasks()
  void tasks.run(never, 'the execution of act_4f9a0c2b7d1e')
  // All that it asks of the nodes before is whether each is alive.
  const node = (name: NetworkName) => ({
    rpc: { request: async () => `0x${networkOf(name).chainId.toString(16)}` },
    lifecycle: { isDown: false },
  })
  const parts = {
    clock: createClock(),
    nodes: { get: node },
    tasks: { ...tasks, settled: () => tasks.settled(20) },
    isFollowed: () => false,
    catchUp: async () => {},
    keep: async (_: unknown, move: () => Promise<void>) => move(),
  }
  return messageOf(createTimekeeper(parts as never).advance(1))
}

function silentNode(): Promise<string> {
  const fund = ({ onSent }: { onSent?: () => void }) => {
    onSent?.()
    return never()
  }
  const nodes = { get: (network: string) => ({ network, rpc: { request: never } }) }
  const patience = { giveMs: 1, stopMs: 1, silentMs: 1, settleMs: 1 }
  const book = loadAddressBook()
  const faucet = promptFaucet({ fund } as never, { nodes: nodes as never, book }, patience)
  const address = `0x${'1'.repeat(40)}` as const
  return messageOf(faucet.fund({ address, asset: 'ETH', amount: 1n, network: 'base' }))
}

/** The pool of worlds itself, full, over workers that start no process. */
async function fullPool(): Promise<{ noRoom: string; rateLimited: string; lost: string }> {
  let lose = (_id: string): void => {}
  const ignore = (): void => {}
  const pool = new Worlds(
    {
      ...{ file: '', settings: {}, workers: 1, keepWarm: 0, maxWorlds: 32 },
      ...{ onError: ignore, onRequest: ignore },
    },
    (_, onReport) => {
      lose = (id) => onReport({ type: 'lost', id, reason: 'the base node ended (SIGKILL)' })
      const none = async () => new Map()
      return { ask: async () => {}, answers: none, failures: none, end: async () => {} }
    },
  )
  const waiting = new Set<AbortController>()
  const lease = (isImmediate: boolean) => {
    const res = Object.assign(new EventEmitter(), { setHeader: ignore }) as never
    const gone = new AbortController()
    waiting.add(gone)
    const given = { isImmediate, signal: gone.signal }
    const worlds = {
      lease: async (ask: { wishes: object; leaseSeconds: number }) => ({
        world: await pool.lease({ ...ask, ...given } as never),
        accounts: {},
      }),
    }
    return leaseFor({ worlds: worlds as never }, res, { wishes: {}, leaseSeconds: 300 })
  }
  const first = await lease(false)
  for (let more = 1; more < 32; more++) await lease(false)
  const noRoom = await messageOf(lease(true))
  for (let more = 0; more < 256; more++) lease(false).catch(ignore)
  const rateLimited = await messageOf(lease(false))
  lose(first.world.id)
  const lost = steady(worldLost(pool.ofId(first.world.id)!).message)
  for (const gone of waiting) gone.abort()
  await pool.end()
  return { noRoom, rateLimited, lost }
}
