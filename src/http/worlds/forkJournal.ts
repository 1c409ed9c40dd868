import { reasonNotRepeated, undoneByReset } from '../../clients/scenarios/leftOut.js'
import {
  NotTheSameError,
  type ReplayRun,
  replayJournal,
  WrongChangeError,
} from '../../clients/scenarios/replayJournal.js'
import type { SavedScenario } from '../../clients/scenarios/savedRun.js'
import { ServiceError } from '../../lib/errors.js'
import type { LeasedWorld } from '../../worlds/lease.js'
import type { AppDeps, WorldAsk } from '../core/types.js'
import { leasesOf } from './leasing.js'
import { savedRequest, savedScenario } from './savedJournal.js'

// Loaded when somebody forks: a start pays nothing for it.

/** Where to diverge from the journal, and how. */
interface ForkAsk {
  before: number
  change: readonly unknown[]
  signal: AbortSignal
}

/** The result. The world stays leased, in its final state. */
export interface JournalFork extends ReplayRun {
  world: LeasedWorld
  leftOut: string[]
}

/**
 * Replays the journal up to before a recorded request in a separate world, makes a change, and replays the rest. Rejects with `not_found` for
 * an unknown request, `conflict` when the journal cannot be replayed, `invalid_params` for an impossible change; then the world is released.
 */
export async function forkJournal(
  deps: AppDeps,
  lease: (wishes: WorldAsk['wishes']) => Promise<{ world: LeasedWorld }>,
  { before, change, signal }: ForkAsk,
): Promise<JournalFork> {
  const leases = leasesOf(deps)
  const saved = await savedScenario(deps, 'what the journal has')
  if (!saved.requests.some((recorded) => recorded?.cursor === before))
    throw noPlace(deps, before, saved)
  await refuseForks(deps)
  const { clock } = saved.scenario.given as { clock?: string }
  const { world } = await lease({ clock })
  try {
    const target = leases.reach(world.apiKey)
    const run = await replayJournal(target, saved, { before, change, signal })
    return { world, leftOut: saved.leftOut.map(([, what]) => what), ...run }
  } catch (error) {
    leases.release(world.id)
    throw refusalOf(error)
  }
}

/** Why nothing can be changed right before a request. */
function noPlace({ records: { journal } }: AppDeps, before: number, saved: SavedScenario) {
  const recorded = journal.all().find(({ order }) => order === before)
  if (!recorded)
    return new ServiceError('not_found', `There is no exchange ${before} to fork before`, {
      hint: 'Use an exchange of GET /_sim/journal since the last reset.',
    })
  const request = savedRequest(recorded)
  const problem = 'There is nothing to fork'
  const undone = undoneByReset([request], journal.marks(), { problem, which: '' })
  if (undone) return undone
  const reason = saved.repeated.has(before)
    ? 'accounts are created before the first step'
    : reasonNotRepeated(request, journal.marks(), before)
  const { method, url } = request
  return new ServiceError(
    'conflict',
    `Cannot fork before request ${before} (${method} ${url}), which is no step: ${reason}`,
    { hint: 'Choose a later request.' },
  )
}

/** A leased world has no forks, so it would not be the same. */
async function refuseForks({ chains }: AppDeps): Promise<void> {
  const { networks } = await chains.readiness()
  const forked = Object.entries(networks).flatMap(([name, { fork }]) => (fork ? [name] : []))
  if (forked.length === 0) return
  throw new ServiceError(
    'conflict',
    `The journal cannot be asked again: ${forked.join(', ')} is forked here`,
    {
      hint: 'The world for the replay starts offline. To go back in time, start without --fork.',
    },
  )
}

function refusalOf(error: unknown): unknown {
  if (error instanceof WrongChangeError)
    return new ServiceError('invalid_params', error.message, { cause: error })
  if (error instanceof NotTheSameError)
    return new ServiceError(
      'conflict',
      `The journal cannot be asked again as it was: ${error.message}`,
      {
        hint: 'The replay starts in an empty world, without anything from a data folder or a fork, and without what `left_out` of GET /_sim/journal/scenario lists. Older exchanges may have been dropped.',
        cause: error,
      },
    )
  return error
}
