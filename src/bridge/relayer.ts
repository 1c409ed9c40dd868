import type { Hex } from 'viem'
import type { NetworkName } from '../chain/networks.js'
import { networkNames } from '../chain/networks.js'
import type { Log, Node } from '../chain/node.js'
import type { Clock, Wait } from '../clock.js'
import type { Stateful, Worker } from '../stateful.js'
import { type Deposit, depositKey, depositsIn, depositTopic } from './deposit.js'
import { type FillParts, fill, turns } from './fill.js'
import { refundWhenDue, type Settled } from './refund.js'
import { watchLogs } from './watch.js'

/** What the relayer knows of a deposit: how it ended, or that it stopped waiting for it. */
export type Outcome = Settled | { status: 'interrupted' }

/** Fills deposits of all five networks out of its own pocket, as Across's relayers do, and sends back what it could not fill. */
export interface BridgeRelayer {
  /** How this deposit ended; waits until it has, or until the relayer pauses: then it is to be asked again. */
  outcome(deposit: Deposit): Promise<Outcome>
}

/** The relayer as its owner holds it. `pause` is also how it is stopped for good: no connection stays behind. */
export interface BridgeWorker extends BridgeRelayer, Worker, Stateful<RelayerState> {}

/** What the relayer needs. `delayMs` is the time from a deposit to its fill. */
export interface RelayerParts extends FillParts {
  clock: Clock
  wait: Wait
  delayMs: number
}

/** What the relayer remembers. */
export interface RelayerState {
  /** `dueMs` counts from the moment of saving. */
  entries: readonly Entry[]
  seen: ReadonlyMap<NetworkName, number>
}

/** A deposit that the relayer has heard of. */
interface Entry {
  deposit: Deposit
  /** When it is to be filled, in milliseconds of the clock. */
  dueMs: number
  settled?: Settled
}

/** Ended deposits that nobody has asked for yet are remembered up to this many. */
const rememberedDeposits = 1_000

/**
 * Makes the relayer; `resume` starts it. Whoever deposits is served: a plan's wallet or anybody else on the chains.
 *
 * Between `pause` and `resume` it hears nothing; `resume` looks up what was deposited then, and what a node had not told it
 * yet. So nothing of a world that was taken back can reach it.
 */
export function createBridgeRelayer(parts: RelayerParts): BridgeWorker {
  const { nodes, book, clock } = parts
  const entries = new Map<string, Entry>()
  const running = new Map<string, Promise<Outcome>>()
  /** Up to this block of each network no deposit has been missed. */
  const seen = new Map<NetworkName, number>()
  const inTurn = turns()
  let stops: (() => void)[] = []
  let interrupt = new AbortController()
  interrupt.abort() // paused until it is resumed

  const start = (key: string, entry: Entry): Promise<Outcome> => {
    const stop = interrupt.signal
    const outcome = (async (): Promise<Outcome> => {
      await running.get(key) // A fill that had not ended when it was to pause.
      const ended = entry.settled ?? (await serve(parts, entry, stop, inTurn))
      if (ended.status !== 'interrupted') entry.settled = ended
      return ended
    })().finally(() => running.get(key) === outcome && running.delete(key))
    running.set(key, outcome)
    return outcome
  }
  /** Starts the fill when the deposit is first heard of, by its log or by the plan that made it. */
  const outcome = (deposit: Deposit): Promise<Outcome> => {
    const key = depositKey(deposit)
    const known = entries.get(key)
    if (known?.settled) return Promise.resolve(known.settled)
    const entry = known ?? { deposit, dueMs: clock.now() + parts.delayMs }
    entries.set(key, entry)
    forgetOldest(entries)
    if (interrupt.signal.aborted) return Promise.resolve({ status: 'interrupted' })
    return running.get(key) ?? start(key, entry)
  }
  const hear = (network: NetworkName, logs: readonly Log[]): void => {
    for (const deposit of depositsIn(logs, network, book)) void outcome(deposit)
  }
  const filterOn = ({ network }: Node) => ({
    address: book.on(network).spokePool,
    topic: depositTopic,
  })
  /** Hears of the deposits since the last time that this was done; those that are known are no news. */
  const catchUp = async (node: Node): Promise<void> => {
    const latest = Number(await node.rpc.request<Hex>('eth_blockNumber'))
    const known = seen.get(node.network) ?? latest
    if (latest > known) hear(node.network, await depositLogs(node, filterOn(node), known + 1))
    seen.set(node.network, latest)
  }

  return {
    outcome,
    async pause() {
      for (const stop of stops.splice(0)) stop()
      interrupt.abort()
      await Promise.all(running.values())
    },
    async resume() {
      interrupt = new AbortController()
      for (const [key, entry] of entries) if (!entry.settled) void start(key, entry)
      stops = await Promise.all(
        nodes
          .all()
          .map((node) => watchLogs(node, filterOn(node), (log) => hear(node.network, [log]))),
      )
      await Promise.all(nodes.all().map(catchUp))
    },
    save: () => ({
      entries: [...entries.values()].map((entry) => ({
        ...entry,
        dueMs: entry.dueMs - clock.now(),
      })),
      seen: new Map(seen),
    }),
    restore(saved) {
      entries.clear()
      for (const entry of saved.entries)
        entries.set(depositKey(entry.deposit), { ...entry, dueMs: entry.dueMs + clock.now() })
      for (const network of networkNames) seen.delete(network)
      for (const [network, block] of saved.seen) seen.set(network, block)
    },
  }
}

/** Deposits that are not ended yet always stay. */
function forgetOldest(entries: Map<string, Entry>): void {
  for (const [key, { settled }] of entries) {
    if (entries.size <= rememberedDeposits) return
    if (settled) entries.delete(key)
  }
}

function depositLogs(
  { rpc }: Node,
  { address, topic }: { address: string; topic: Hex },
  from: number,
): Promise<Log[]> {
  const fromBlock = `0x${from.toString(16)}`
  return rpc.request('eth_getLogs', [{ address, topics: [topic], fromBlock, toBlock: 'latest' }])
}

/** Fills the deposit when it is due, or else sends it back after its deadline. */
async function serve(
  parts: RelayerParts,
  { deposit, dueMs }: Entry,
  stop: AbortSignal,
  inTurn: ReturnType<typeof turns>,
): Promise<Outcome> {
  const due = await parts.wait(Math.max(0, dueMs - parts.clock.now()), stop)
  if (!due) return { status: 'interrupted' }
  try {
    return { status: 'filled', receipt: await inTurn(deposit.to, () => fill(parts, deposit)) }
  } catch (error) {
    const why = `the fill failed: ${(error as Error).message}`
    return refundWhenDue(parts, deposit, why, stop)
  }
}
