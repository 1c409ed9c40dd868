import { sentenceOf } from '../../service/plans/execute/causeSentence.js'
import { type Mark, noteOf, type RecordedRequest } from './journal.js'
import { isOn, type Line, type Lives, livesOf } from './lives.js'
import { endCause } from './planEnds.js'

/** What of the journal belongs to one thing, and the line of history that its verdict is about. */
interface Life {
  exchanges: readonly RecordedRequest[]
  line: Line<Mark>
  /** The restore or reset that ended an earlier thing of the same id, and where that had begun; undefined for an equal request. */
  earlier?: { end: Mark; cursor: number } | undefined
}

interface Asked {
  marks: readonly Mark[]
  /** The present line has it. */
  isHere: boolean
  /** A place in the journal at which the id meant what is asked for. */
  near: number | undefined
}

const present = Number.POSITIVE_INFINITY

/**
 * Of the requests that name an id, those of one of the things that had it. A request that names a thing which is gone belongs to the last one
 * before it.
 */
export function lifeOf(
  ever: readonly RecordedRequest[],
  ids: readonly string[],
  { marks, isHere, near }: Asked,
): Life {
  const lives = livesOf(marks)
  const { hasLedTo } = lives
  const begun = ever.filter((each) => isBeginning(each, ids))
  const newest =
    near !== undefined
      ? beginningNear(begun, near, lives)
      : isHere
        ? begun.findLast(({ order }) => !lives.undoneBy(order))
        : begun.at(-1)
  const first = newest && begun.find(({ order }) => hasLedTo(order, newest.order))
  if (!first) {
    // It began before the journal: in the life of that place, and what is there now after the last reset.
    const at = isHere ? present : (near ?? ever.at(-1)?.order ?? present)
    const from = isHere ? (marks.findLast(({ snapshot }) => !snapshot)?.order ?? 0) : 0
    const isOther = (order: number) => begun.some((each) => hasLedTo(each.order, order))
    const exchanges = ever.filter(({ order }) => order > from && !isOther(order))
    return { exchanges, line: lives.lineOf(at) }
  }
  const isOwn = ({ order }: RecordedRequest): boolean => {
    if (lives.areOnOneLine(order, first.order)) return true
    if (begun.some((each) => hasLedTo(each.order, order))) return false
    const last = begun.findLast((each) => each.order <= order)
    return last !== undefined && hasLedTo(first.order, last.order)
  }
  const other = begun.findLast(({ order }) => order < first.order && !hasLedTo(order, newest.order))
  const end = other && !isRepeated(other, first, ids) ? lives.undoneBy(other.order) : undefined
  return {
    exchanges: ever.filter(isOwn),
    line: lives.lineOf(newest.order),
    earlier: end && { end, cursor: other!.order },
  }
}

/** Of several beginnings, the one whose life has a place of the journal. */
export function beginningNear(
  begun: readonly RecordedRequest[],
  near: number,
  { hasLedTo }: Lives,
) {
  return (
    begun.findLast(({ order }) => hasLedTo(order, near)) ??
    begun.findLast(({ order }) => order <= near)
  )
}

/** Whether what an id meant at a place of the journal is there no more. */
export function isGoneSince(
  near: number,
  id: string,
  { all, lives }: { all: readonly RecordedRequest[]; lives: Lives },
): boolean {
  const begun = all.filter((each) => isBeginning(each, [id]))
  return lives.undoneBy(beginningNear(begun, near, lives)?.order ?? near) !== undefined
}

/** Where a rule of that id fired in the present line, or else in the one where it fired last. */
export function lifeOfRule(
  fired: readonly RecordedRequest[],
  lives: Lives<Mark>,
  isArmed: boolean,
): Life {
  const isHere = isArmed || fired.some(({ order }) => !lives.undoneBy(order))
  const line = lives.lineOf(isHere ? present : (fired.at(-1)?.order ?? present))
  return { exchanges: fired.filter(({ order }) => isOn(line, order)), line }
}

/** Whether one of the ids began with the request. */
function isBeginning(
  { requestId, method, url, notes, answer }: RecordedRequest,
  ids: readonly string[],
): boolean {
  if (ids.includes(requestId)) return true
  if (method === 'POST' && url === '/accounts' && answer?.status === 201)
    return ids.some((id) => id.startsWith('acc_') && answer.text?.includes(id))
  return notes
    .filter(({ text }) => ids.some((id) => text.includes(id)))
    .map(noteOf)
    .some(
      (note) =>
        (note.type === 'plan' && ids.includes(note.plan_id)) ||
        (note.type === 'activity' && ids.includes(note.activity_id)) ||
        (note.type === 'activity' && ids.includes(`${note.svc_intent_id}`)),
    )
}

/** Whether a request of this id was the same in both lives, with the same consequences. */
function isRepeated(one: RecordedRequest, other: RecordedRequest, ids: readonly string[]): boolean {
  const told = ({ method, url, body, answer, notes }: RecordedRequest) =>
    JSON.stringify([method, url, body, answer?.status, answer?.text, notes.map(({ text }) => text)])
  return ids.includes(one.requestId) && told(one) === told(other)
}

export const earlierText = (id: string, { end, cursor }: NonNullable<Life['earlier']>): string =>
  `. The same id was used before, until ${sentenceOf(endCause(end))} (svc-sim why ${id} --cursor ${cursor})`
