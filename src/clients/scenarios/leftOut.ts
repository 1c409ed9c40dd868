import { ServiceError } from '../../lib/errors.js'
import { lastReset, type Mark } from '../../observe/journal/journal.js'
import { isOn, isUndoable, livesOf } from '../../observe/journal/lives.js'
import { isAbandoned, isDelayed } from './requestFacts.js'
import type { SavedRequest } from './savedRun.js'

// Why a request of the journal is no part of what a saved test or a fork repeats.

const unanswered = 'it had not been answered'
const disconnected = 'its client disconnected before the response'

/** Why a call that runs scenarios, leases worlds or reads the journal is left out; undefined for others. */
export function reasonOfOtherRuns(url: string): string | undefined {
  return /^\/_sim\/(scenarios|worlds|journal)/.test(url)
    ? 'scenarios, worlds and forks are not part of a run'
    : undefined
}

/** Why a scenario cannot send a request again; undefined when it can. */
export function reasonLeftOut(request: SavedRequest): string | undefined {
  const { method, url, answer } = request
  if (!answer) return unanswered
  if (/^\/(_sim|rpc)\//.test(url)) return undefined
  const isUsual = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method)
  if (/\/stream(\?|$)/.test(url) || !isUsual) return 'scenarios have no such request'
  if (answer.status === 401) return 'the journal keeps no keys, so it is not known which was sent'
  // A play waits for every response, so it cannot repeat that a client gave up. Later requests depend on what a write changed.
  const isRead = method === 'GET'
  const isHeld = isDelayed(request) && request.of === undefined
  return isAbandoned(request) && (isRead || isHeld) ? disconnected : undefined
}

export const isControlRead = ({ method, url }: Pick<SavedRequest, 'method' | 'url'>): boolean =>
  url.startsWith('/_sim') && (method === 'GET' || method === 'HEAD')

/** Why no test sends a control call again; undefined when a test may. It has neither snapshots nor another clock. */
export function reasonNotPlayed({ method, url, answer }: SavedRequest): string | undefined {
  if (!url.startsWith('/_sim')) return undefined
  if (isControlRead({ method, url })) return 'a read of the control API changes nothing'
  if (!answer) return unanswered
  if (answer.cut) return disconnected
  if (answer.status >= 400) return 'a refused control call changes nothing'
  if (/^\/_sim\/(snapshots|reset)/.test(url)) return 'a test has no snapshots, restores and resets'
  if (/^\/_sim\/clock\/(freeze|resume|auto)/.test(url)) return 'a test has one clock mode'
  if (/^\/_sim\/clock\/(?!advance)/.test(url)) return 'a test waits by itself'
  return reasonOfOtherRuns(url)
}

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
