import pTimeout from 'p-timeout'
import type { Chains } from './chain/chains.js'
import type { Service } from './compose.js'
import { saveClock } from './control/clockFile.js'
import type { Listening } from './http/listen.js'
import type { RpcPorts } from './http/rpcPorts.js'
import type { SettableClock } from './time/clock.js'

/** What is running of a simulator, in the order of its start. */
export interface Parts {
  listening: Listening
  rpcPorts?: RpcPorts
  chains?: Chains
  clock?: SettableClock
  service?: Service
  dataDir: string | undefined
  /** When somebody asked for the end, by `performance.now()`; the stop itself may begin later. */
  askedAt?: number
}

/**
 * Until when the steps of a stop may go on, in milliseconds after it was asked for: answering, closing the service, saving, ending the
 * nodes. Whatever hangs (a node that stands still, an endpoint that does not answer, a client that does not read) is cut off, so that
 * no stop takes more than five seconds.
 */
const limits = { answered: 2_000, closed: 2_800, saved: 4_000, ended: 4_500 }

/**
 * Stops in the reverse order of the start. Rejects when the data folder could not be saved; its lock stays then, and the next start
 * says that this run was not stopped cleanly.
 */
export async function stopParts(parts: Parts): Promise<void> {
  const { chains, dataDir } = parts
  const within = timetable(parts.askedAt ?? performance.now())
  const closing = closeService(parts)
  const closed = await within(limits.closed, closing)
  if (!chains) return finish(closed)
  // Nothing may be sent while the chains are saved, so they are not unless everything has come to rest.
  const stopping =
    dataDir === undefined || closed === 'done' ? stopChains(chains, parts) : undefined
  const stopped = stopping ? await within(limits.saved, stopping) : closed
  if (stopped !== 'done') {
    await within(limits.ended, chains.nodes.stop())
    // Without its nodes what hung comes to its end, and nobody writes to the folder any more.
    const rest = await within(limits.ended, Promise.allSettled([closing, stopping]))
    if (rest === 'done') chains.abandon?.()
    if (dataDir !== undefined) throw new NotSavedError(dataDir, stopped)
  }
  finish(closed)
}

/** Answers what is inside, then ends what goes on by itself. */
async function closeService({ listening, rpcPorts, service }: Parts): Promise<void> {
  const doors = rpcPorts ? [listening, rpcPorts] : [listening]
  const letGo = pTimeout(service?.letGo() ?? Promise.resolve(), {
    milliseconds: limits.answered,
    fallback: () => {},
  })
  await Promise.all([letGo, ...doors.map((door) => door.drain(limits.answered))])
  await Promise.all(doors.map((door) => door.close()))
  await service?.close()
}

/** Saves where there is a folder, and ends the nodes. */
async function stopChains(chains: Chains, { clock, dataDir }: Parts): Promise<void> {
  await chains.stop()
  if (clock && dataDir !== undefined) await saveClock(dataDir, clock.state())
}

/** How a step ended: by itself, cut off, or by an error. */
type End = 'done' | 'late' | Error

/** Lets steps go on until so many milliseconds after the beginning; then they are left to themselves. Never rejects. */
function timetable(begunAt: number): (untilMs: number, step: Promise<unknown>) => Promise<End> {
  return (untilMs, step) =>
    pTimeout(
      step.then(
        (): End => 'done',
        (error: Error): End => error,
      ),
      {
        milliseconds: Math.max(1, begunAt + untilMs - performance.now()),
        fallback: (): End => 'late',
      },
    )
}

/** Nothing is lost by what was cut off where nothing is kept. */
function finish(end: End): void {
  if (end instanceof Error) throw end
}

/** The data folder is as the save before left it. */
class NotSavedError extends Error {
  override name = 'NotSavedError'
  constructor(dataDir: string, end: 'late' | Error) {
    const why = end === 'late' ? 'something did not come to its end in time' : end.message
    super(
      `The chains were not saved to ${dataDir}: ${why}. The next start says that this run was not stopped cleanly, and goes on from the save before it`,
      { cause: end },
    )
  }
}
