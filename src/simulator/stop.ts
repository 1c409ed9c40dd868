import pTimeout from 'p-timeout'
import type { Chains } from '../chain/chains.js'
import type { Listening } from '../http/server/listen.js'
import type { RpcPorts } from '../http/server/rpcPorts.js'
import type { Service } from './compose.js'

/** The running parts of a simulator, in the order of its start. */
export interface Parts {
  listening: Listening
  rpcPorts?: RpcPorts
  chains?: Chains
  service?: Service
  /** The unpacked export; removed when nothing uses it any more. */
  unpacked?: { remove(): Promise<void> }
  worlds?: { drain(signal: AbortSignal): Promise<void>; end(): Promise<void> }
  trace?: { askNodes(): Promise<void>; finish(): Promise<void> }
  /** When the stop was requested, by `performance.now()`; it may begin later. */
  askedAt?: number
}

type StoppableParts = Omit<Parts, 'chains'> & {
  chains?: Pick<Chains, 'checkpoint' | 'stop' | 'addToSourceBundle'>
}

/**
 * Deadlines of the steps of a stop, in milliseconds after the request: answering, closing the service, writing, ending the nodes. Hanging
 * steps (a stopped node, a silent endpoint, a client that does not read) are abandoned, so that no stop takes more than five seconds.
 */
const limits = { answered: 2_000, closed: 2_800, written: 4_000, ended: 4_500 }

/**
 * Stops in the reverse order of the start. The checkpoint only makes the next start quicker: the log of a data folder is complete without.
 *
 * @throws the error of the service or of the bundle, after all steps.
 */
export async function stopParts(parts: StoppableParts): Promise<void> {
  const { chains, unpacked, worlds, trace } = parts
  const within = timetable(parts.askedAt ?? performance.now())
  const othersEnded = worlds?.end()
  const closing = closeService(parts)
  const closed = await within(limits.closed, closing)
  if (trace) await within(limits.closed, trace.askNodes())
  // Worlds write their traces when they end.
  const traced = trace && within(limits.written, othersEnded ?? closing).then(trace.finish)
  if (chains) {
    if (closed === 'done') await within(limits.written, chains.checkpoint())
    const lasting = closed === 'done' ? parts.service?.lastingMethods : undefined
    await within(limits.ended, chains.stop(lasting))
  }
  const saved = await within(limits.ended, chains?.addToSourceBundle() ?? Promise.resolve())
  if (unpacked) await within(limits.ended, unpacked.remove())
  if (traced) await within(limits.ended, traced)
  if (othersEnded) await within(limits.ended, othersEnded)
  if (closed instanceof Error) throw closed
  if (saved instanceof Error) throw saved
  if (saved === 'late') throw new Error(lateBundle)
}

const lateBundle =
  'the simulator has stopped before all that was asked of endpoints was in the bundle. Start it with --save-bundle again, and ask the same'

/** Answers pending requests, then ends background work. */
export async function closeService({
  listening,
  rpcPorts,
  service,
}: Pick<Parts, 'listening' | 'rpcPorts' | 'service'>): Promise<void> {
  const servers = rpcPorts ? [listening, rpcPorts] : [listening]
  const draining = pTimeout(service?.drain() ?? Promise.resolve(), {
    milliseconds: limits.answered,
    fallback: () => {},
  })
  await Promise.all([draining, ...servers.map((server) => server.drain(limits.answered))])
  await Promise.all(servers.map((server) => server.close()))
  await service?.close()
}

type End = 'done' | 'late' | Error

/** Awaits steps until a deadline in milliseconds after `begunAt`; later steps continue unawaited. Never rejects. */
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
