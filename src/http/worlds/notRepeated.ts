import { reasonLeftOut, reasonNotPlayed } from '../../clients/scenarios/requestFacts.js'
import type { SavedRequest } from '../../clients/scenarios/savedRun.js'
import { ServiceError } from '../../lib/errors.js'
import { lastReset, type Mark } from '../../observe/journal/journal.js'
import { isOn, isUndoable, livesOf } from '../../observe/journal/lives.js'

// Why a request of the journal is no part of what a saved test or a fork repeats.

const timeOf = ({ ms }: Mark): string => new Date(ms).toISOString().slice(11, 19)

/** Why a play does not repeat one of the requests that it was to repeat. `play`: a place in its run. */
export function reasonNotRepeated(
  request: SavedRequest,
  marks: readonly Mark[],
  play: number,
): string {
  const { cursor, url } = request
  const general = reasonNotPlayed(request)
  if (general !== undefined) return general
  const reset = lastReset(marks)
  const lives = livesOf(marks)
  const isBefore = reset !== undefined && cursor <= reset.order
  if (isBefore || !isOn(lives.lineOf(play), cursor)) {
    const end = isUndoable(request) ? lives.undoneBy(cursor) : undefined
    if (end?.snapshot)
      return `undone when snapshot ${end.snapshot.id} was restored at ${timeOf(end)}`
    if (end) return `undone by the reset at ${timeOf(end)}`
    return isBefore ? `it came before the reset at ${timeOf(reset)}` : 'it belongs to another run'
  }
  const own = reasonLeftOut(request)
  if (own !== undefined) return own
  if (url.startsWith('/_sim/faults')) return 'its rules hit no request of the test'
  if (url.startsWith('/_sim/clock')) return 'the test begins after it'
  if (url.startsWith('/rpc/')) return 'it changed nothing'
  return 'it concerns no account of the test'
}

/** The refusal of requests that are all from before the last reset; undefined when one is not. */
export function undoneByReset(
  all: readonly SavedRequest[],
  marks: readonly Mark[],
  { problem, which }: { problem: string; which: string },
): ServiceError | undefined {
  const reset = lastReset(marks)
  const [first] = all
  if (!first || !reset || all.some(({ cursor }) => cursor > reset.order)) return undefined
  const subject =
    all.length === 1
      ? `request ${first.cursor} (${first.method} ${first.url})`
      : `all ${all.length} requests ${which}`
  const isReset = all.length === 1 && first.request_id === reset.requestId
  return new ServiceError(
    'conflict',
    `${problem}: ${subject} ${isReset ? 'is' : 'came before'} the reset at ${timeOf(reset)}, which undid everything before it`,
    { hint: 'Choose a request after that reset, or send these again.' },
  )
}
