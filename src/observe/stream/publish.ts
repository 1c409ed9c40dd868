import type { MinedBlock } from '../../chain/transactions/follow.js'
import type { Snapshots } from '../../control/snapshots.js'
import type { Time, Timekeeper } from '../../control/time.js'
import type { OwnTimekeeper } from '../../control/timekeeper.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import type { RuleChange } from '../../faults/rules/ruleSet.js'
import { currentScope } from '../../service/context/requestContext.js'
import type { EventRecord } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import type { WorldChange } from '../../worlds/lease.js'
import type { RecordedRequest } from '../journal/journal.js'
import { requestWire } from '../journal/page.js'
import type { EntryData, RunProgress } from './messages.js'
import type { Stream, StreamType } from './stream.js'

type Published = EntryData<{
  Exchange: ReturnType<typeof requestWire>
  Event: { event_type: string; data: EventRecord['data']; timestamp: number }
  Clock: { now: string; unix_ms: number; mode: Time['mode'] }
  Fault: RuleView
}>

/** `stream.publish`, typed by the entry's type. */
function publish<Type extends StreamType>(
  stream: Stream,
  type: Type,
  data: () => Published[Type] | undefined,
): void {
  stream.publish(type, data)
}

/** What the parts call when something has happened: none of them knows of streams. */
export function publishTo(stream: Stream) {
  return {
    /** `read` has the exchange as long as the journal keeps it. */
    request(read: () => RecordedRequest | undefined): void {
      publish(stream, 'exchange', () => {
        const recorded = read()
        return recorded && requestWire(recorded)
      })
    },
    event({ accountId, cursor, eventType, data, timestamp }: EventRecord): void {
      const event = { account_id: accountId, cursor, event_type: eventType, data, timestamp }
      publish(stream, 'event', () => event)
    },
    block(network: NetworkName, block: MinedBlock): void {
      const data = {
        network,
        number: Number(block.number),
        hash: block.hash,
        parent_hash: block.parentHash,
        time: isoSeconds(Number(block.timestamp) * 1000),
        transactions: block.transactions.map(({ hash }) => hash),
      }
      publish(stream, 'block', () => data)
    },
    fault(change: RuleChange, fault: RuleView): void {
      const data = { change, fault, request_id: requestId() }
      publish(stream, 'fault', () => data)
    },
    scenario(progress: RunProgress): void {
      publish(stream, 'scenario', () => progress)
    },
    world({ change, world, reason }: WorldChange): void {
      // Keys open worlds, so only the holder of the lease gets them.
      const lease_until = isoSeconds(world.leaseUntilMs)
      const data = { change, world: { id: world.id, lease_until }, reason: reason ?? null }
      publish(stream, 'world', () => data)
    },
  }
}

/** A timekeeper that publishes each move of the clock. */
export function publishingTimekeeper(timekeeper: OwnTimekeeper, stream: Stream): OwnTimekeeper {
  const after = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      // Also when it was stopped on its way.
      publishTime(stream, timekeeper)
    }
  }
  return {
    time: timekeeper.time,
    advance: (seconds) => after(timekeeper.advance(seconds)),
    freeze: (atMs) => after(timekeeper.freeze(atMs)),
    resume: () => after(timekeeper.resume()),
    auto: () => after(timekeeper.auto()),
    wait: timekeeper.wait,
    skip: (isWanted) => after(timekeeper.skip(isWanted)),
  }
}

/** Snapshots, whose creation and removal is published, and the clock of a restored state. */
export function publishingSnapshots(
  snapshots: Snapshots,
  timekeeper: Pick<Timekeeper, 'time'>,
  stream: Stream,
): Snapshots {
  const publishChange = (
    change: Published['snapshot']['change'],
    snapshot: { id: string; name: string | undefined } | null,
  ) => {
    const data = {
      change,
      snapshot: snapshot && { id: snapshot.id, name: snapshot.name ?? null },
      request_id: requestId(),
    }
    publish(stream, 'snapshot', () => data)
  }
  return {
    ...snapshots,
    async take(name) {
      const taken = await snapshots.take(name)
      publishChange('taken', taken)
      return taken
    },
    async restore(idOrName, how) {
      const done = await snapshots.restore(idOrName, how)
      publishChange('restored', done.restored)
      publishTime(stream, timekeeper)
      return done
    },
    async delete(idOrName) {
      const deleted = await snapshots.delete(idOrName)
      publishChange('deleted', deleted)
      return deleted
    },
    async reset() {
      const done = await snapshots.reset()
      publishChange('reset', null)
      publishTime(stream, timekeeper)
      return done
    },
  }
}

function publishTime(stream: Stream, { time }: Pick<Timekeeper, 'time'>): void {
  const { now, ms, mode } = time()
  publish(stream, 'clock', () => ({ now, unix_ms: ms, mode }))
}

function requestId(): string | null {
  return currentScope()?.requestId ?? null
}
