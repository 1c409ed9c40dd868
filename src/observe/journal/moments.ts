import type { AddressBook } from '../../deployments/addressBook.js'
import { effectText } from '../../faults/rules/view.js'
import { jsonOrText } from '../../lib/json.js'
import type { RecordedNote } from '../../service/context/requestContext.js'
import { sentenceOf } from '../../service/plans/execute/causeSentence.js'
import type { ActivityRecord } from '../../service/store/store.js'
import { deliveredEvents, returnedEvents } from './eventMoments.js'
import type { OrderedMoment } from './foldReads.js'
import {
  answerTitle,
  type Journal,
  type Mark,
  noteOf,
  problemIn,
  type RecordedRequest,
  type TimedNote,
} from './journal.js'
import { isOn, type Lives, livesOf } from './lives.js'
import type { WhySources } from './whySchema.js'

/**
 * What happened on behalf of these requests, in order, with the causes that rules were; of the events only those of the activities `own`, or
 * all of them.
 */
export async function momentsIn(
  exchanges: readonly RecordedRequest[],
  { book, journal }: { book: AddressBook; journal: Journal },
  own?: ReadonlySet<unknown>,
): Promise<OrderedMoment[]> {
  const [{ noteDetails }, { withCauses }] = await Promise.all([
    import('./decode.js'),
    import('./activityVerdict.js'),
  ])
  const details = (note: RecordedNote) => noteDetails(note, book)
  const lives = livesOf(journal.marks())
  const happened = inOrderOfCause(
    exchanges.flatMap((recorded) =>
      withUndone(momentsOf(recorded, details), recorded.order, lives),
    ),
    journal.marks(),
    lives,
  )
  const moments = [...happened, ...marksAfter(happened, journal)].sort((a, b) => a.order - b.order)
  const queued = deliveredEvents(withoutFallen(moments))
  return withCauses(returnedEvents(queued, exchanges, own), lives)
}

/** Names the restore that took back what a request of the present state had led to. */
function withUndone(
  moments: readonly OrderedMoment[],
  order: number,
  lives: Lives<Mark>,
): readonly OrderedMoment[] {
  if (lives.undoneBy(order)) return moments
  return moments.map((moment) => {
    const snapshot = lives.undoneBy(moment.order)?.snapshot
    if (!snapshot || moment.type === 'answer') return moment
    const title = `${moment.title} (undone: snapshot ${snapshot.id} was restored)`
    return { ...moment, title, details: { ...moment.details, undone_by: snapshot.id } }
  })
}

/** A transaction that a reorganisation took off the chain is not mined any more. */
function withoutFallen(moments: readonly OrderedMoment[]): OrderedMoment[] {
  const fallen = new Set(
    moments.flatMap<unknown>(({ details }) => ('fallen' in details ? [details.fallen] : [])),
  )
  return moments.map((moment) => {
    const { type, title, details } = moment
    if (type !== 'transaction' || details.status !== 'mined' || !fallen.has(details.hash))
      return moment
    const status = 'replaced by a reorganisation'
    return { ...moment, title: title.replace('mined', status), details: { ...details, status } }
  })
}

/**
 * A culprit is listed where it acted: a restore or reset where the journal has it, anything else after everything until then, and before the
 * request that it caused to be refused. Times are compared only on the line that led there: a restore takes the clock back.
 */
function inOrderOfCause(
  moments: readonly OrderedMoment[],
  marks: readonly Mark[],
  lives: Lives<Mark>,
): OrderedMoment[] {
  return moments.map((moment) => {
    const { type, of = 0, at, details } = moment
    if (type !== 'cause') return moment
    const mark = marks.findLast(
      ({ order, ms, snapshot }) =>
        order < of && snapshot?.id === details.snapshot && new Date(ms).toISOString() === at,
    )
    if (mark && (details.cause === 'restore' || details.cause === 'reset'))
      return { ...moment, order: mark.order + 0.5 }
    const line = lives.lineTo(of)
    const later = moments.filter(
      (each) => each.type !== 'cause' && each.at > at && isOn(line, each.order),
    )
    return { ...moment, order: Math.min(of, ...later.map(({ order }) => order)) - 0.5 }
  })
}

/** The ends of the lives in which something of it happened, so that undone events are separate from present ones. */
function marksAfter(happened: readonly OrderedMoment[], journal: Journal): OrderedMoment[] {
  const first = Math.min(...happened.map(({ order }) => order))
  return journal
    .marks()
    .filter(({ order }) => order > first)
    .map(({ order, ms, snapshot, requestId }) => ({
      order,
      at: new Date(ms).toISOString(),
      request_id: requestId ?? null,
      type: snapshot ? 'restore' : 'reset',
      title: snapshot
        ? `restored snapshot ${snapshot.id}${snapshot.name === undefined ? '' : ` (${snapshot.name})`}`
        : 'reset to the start',
      details: {},
    }))
}

function momentsOf(
  request: RecordedRequest,
  details: (note: RecordedNote) => OrderedMoment['details'],
): OrderedMoment[] {
  const { order: of, requestId: request_id, method, url, body, answer } = request
  const at = (ms: number): string => new Date(ms).toISOString()
  const moments: OrderedMoment[] = [
    {
      order: of,
      at: at(request.ms),
      request_id,
      of,
      type: 'request',
      title: `${method} ${url}`,
      details: { method, url, ...(body === undefined ? {} : { body: jsonOrText(body) }) },
    },
    ...request.notes.flatMap((timed): OrderedMoment[] => {
      const { order, ms } = timed
      const note = noteOf(timed)
      // The response says it.
      if (note.type === 'short' || note.type === 'beyond' || note.type === 'missigned') return []
      if (note.type === 'stale') {
        const { at: acted = at(ms) } = note
        const facts = details(note)
        const title = titleOf(note)
        return [{ order, at: acted, request_id, of, type: 'cause', title, details: facts }]
      }
      const common = { order, at: at(ms), request_id, of }
      return [{ ...common, type: note.type, title: titleOf(note), details: details(note) }]
    }),
  ]
  if (answer) {
    const { status, headers, cut } = answer
    const problem = status >= 400 ? problemIn(answer.text) : undefined
    moments.push({
      order: answer.order,
      at: at(answer.ms),
      request_id,
      of,
      type: 'answer',
      title: answerTitle(answer),
      details: {
        ...(cut ? { cut } : { status }),
        ...(problem ? { message: problem.message } : {}),
        ...(headers['x-svc-sim-hint'] ? { hint: headers['x-svc-sim-hint'] } : {}),
        ...(headers['x-svc-sim-fault'] ? { fault: headers['x-svc-sim-fault'] } : {}),
      },
    })
  }
  return moments
}

/** `many operations` if they were too large for the journal. */
function countOf(operations: readonly unknown[] | undefined): string {
  return operations?.length === 1 ? '1 operation' : `${operations?.length ?? 'many'} operations`
}

/** Describes a note in one line. */
function titleOf(note: Exclude<RecordedNote, { type: 'short' | 'beyond' | 'missigned' }>): string {
  switch (note.type) {
    case 'plan':
      return `plan ${note.plan_id} of kind ${note.kind}, ${countOf(note.operations)}`
    case 'expiry':
      return `plan ${note.plan_id} expired at ${note.at}, because of fault rule ${note.rule} (${note.effect})`
    case 'signature':
      return `signature of ${note.plan_id} is valid`
    case 'activity':
      return `activity ${note.activity_id} is ${note.status}`
    case 'transaction':
      return `transaction on ${note.network}: ${note.status}${'hash' in note ? ` ${note.hash}` : ''}${reasonOf(note)}`
    case 'bridge':
      return `bridge ${note.from} -> ${note.to}: ${note.status}${'partial' in note ? `, ${note.partial.arrived} of ${note.partial.expected}` : ''}${reasonOf(note)}${'refund' in note ? `, refunded in ${note.refund}` : ''}`
    case 'event':
      return `event ${note.cursor}: activity ${note.activity_id} is ${note.activity_status}`
    case 'delivery':
      return `event ${note.cursor}: activity ${note.activity_id} is ${note.activity_status}`
    case 'stale':
      return sentenceOf(note)
    case 'rpc':
      return `${note.method} on ${note.network}${note.sender ? ` from ${note.sender}` : ''}${note.hash ? ` in transaction ${note.hash}` : ''}`
    case 'rule_end':
      return `fault rule ${note.rule} ended by itself`
    case 'release':
      return `fault rule ${note.rule} (${note.effect}) no longer holds transaction ${note.hash}`
    case 'fault':
      return 'effect' in note
        ? `fault rule ${note.rule} fired: ${effectText(note.effect, note.settings)}`
        : `fault rule ${note.rule} replaced blocks of ${note.network}`
  }
}

function reasonOf(note: object & { reason?: string }): string {
  return note.reason ? ` (${note.reason})` : ''
}

/** Every moment of an activity of the present line. */
export async function momentsOfActivity(
  { activityId, planId, intentId }: ActivityRecord,
  sources: WhySources,
) {
  const lives = livesOf(sources.journal.marks())
  const ids = [activityId, planId, intentId].filter((id) => id !== null)
  const isPresent = ({ order }: { order: number }): boolean => !lives.undoneBy(order)
  const named = sources.journal.all().filter((each) => isPresent(each) && isAboutOneOf(each, ids))
  return (await momentsIn(named, sources)).filter(isPresent)
}

/** Whether a request, its response or its notes name one of the ids. */
export function isAboutOneOf(request: RecordedRequest, ids: readonly string[]): boolean {
  const { requestId, url, body, notes, answer } = request
  if (ids.includes(requestId)) return true
  const named = (text: string | undefined): boolean =>
    text !== undefined && ids.some((id) => hasWord(text, id))
  if (named(url) || named(answer?.text) || named(body)) return true
  // A refusal belongs to the plan that was refused, not to the one that made it stale.
  return notes.some((timed) => named(timed.text) && !isOfOther(timed, ids))
}

/** Whether the text has the id, and not only as the beginning of a longer one. */
function hasWord(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!/^\w/.test(text.charAt(at + id.length))) return true
  return false
}

function isOfOther(timed: TimedNote, ids: readonly string[]): boolean {
  const note = timed.text.includes('"type":"stale"') ? noteOf(timed) : undefined
  return note?.type === 'stale' && !ids.includes(note.plan_id)
}
