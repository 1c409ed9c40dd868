import type { ClockMode } from '../../time/clock.js'
import type { SavedRequest } from './savedRun.js'

/** An execution of a saved run, with the step that repeats it. */
export interface SavedExecution {
  /** Of its step; undefined when the response was lost, so that no step has its activity. */
  name: string | undefined
  account: string
  accountId: string
  activityId: string
  /** The time of its response. */
  at: string
  notes: SavedRequest['notes']
  /** Its ends within the saved run, each by its place in the journal. */
  ends: readonly { order: number; at: string; status: string }[]
  isAwaited: boolean
  /** By how much the play had moved its clock before, in milliseconds. */
  moved: number
}

/** A moment of the run at which a client looks at executions. */
export interface SavedMoment {
  cursor: number
  /** The time of the response. */
  at: string
  clock: ClockMode
  /** The clock is frozen and has been moved since the last change, so nothing was left to do. */
  isSettled: boolean
  /** How far the play is ahead of the run, in milliseconds. */
  aheadMs: number
  /** Rules that have not been removed. */
  armed: ReadonlyMap<string, SavedRule>
}

interface SavedRule {
  /** The place from which on it was armed. */
  from: number
  times: number
  /** The network that it keeps from mining until it is removed, or `all`. */
  halts: string | undefined
}

/** @param until Ends after this place in the journal are not of the run. */
export function savedExecution(
  { url, notes, answer }: SavedRequest,
  step: Pick<SavedExecution, 'name' | 'account' | 'activityId'>,
  until: number,
): Omit<SavedExecution, 'moved'> {
  const [, , accountId = ''] = url.split('/')
  const ends = notes.flatMap(({ order, at, type, activity_id, activity_status: status }) =>
    type === 'event' && activity_id === step.activityId && status !== 'pending' && order <= until
      ? [{ order, at: String(at), status: String(status) }]
      : [],
  )
  return { ...step, accountId, at: answer!.at, notes, ends, isAwaited: false }
}

/** How long an effect keeps an execution pending, in milliseconds of the clock; a deposit is refunded ten minutes after its plan. */
const holds: Record<string, (seconds?: number) => number> = {
  'bridge.delay': (seconds = 0) => Math.min(seconds, 600) * 1_000,
  'bridge.stuck': () => 600_000,
  'execute.stuck': (seconds = Number.POSITIVE_INFINITY) => seconds * 1_000,
  'execute.dropped': (seconds = 30) => seconds * 1_000,
}

/** The rules that have held it until a place in the journal, also after its response; each as often as it did. */
function rulesThatHeld({ notes }: SavedExecution, until: number) {
  return notes.flatMap(({ type, rule, effect, settings, carried, order }) => {
    const hold = holds[String(effect)]
    if (type !== 'fault' || !hold || carried || order > until) return []
    const { seconds } = (settings ?? {}) as { seconds?: number }
    return [{ rule: String(rule), order, forMs: hold(seconds) }]
  })
}

/** A rule of a saved run, in the form of `POST /_sim/faults`. */
export function savedRule(
  { times = Number.POSITIVE_INFINITY, on, effect, match }: Fields,
  from: number,
): SavedRule {
  const { halt = effect === 'halt' ? {} : undefined } = Object(effect) as { halt?: Fields }
  const { network = 'all' } = Object(match) as { network?: string }
  const halts = on === 'chain' && halt && halt.ms === undefined ? network : undefined
  return { from, times: Number(times), halts }
}

/** How long rules will still hold it, in milliseconds of the clock. */
function heldForMs(execution: SavedExecution, { cursor, at, armed }: SavedMoment): number {
  const passed = Date.parse(at) - Date.parse(execution.at)
  const left = rulesThatHeld(execution, cursor).map(({ rule, forMs }) =>
    armed.has(rule) ? forMs - passed : 0,
  )
  const last = new Map<unknown, unknown>()
  for (const { type, order, network, status } of execution.notes)
    if (type === 'transaction' && order < cursor) last.set(network, status)
  const isHalted = [...armed.values()].some(({ halts }) =>
    [...last].some(
      ([network, status]) => status === 'sent' && (halts === 'all' || halts === network),
    ),
  )
  return Math.max(0, ...left, isHalted ? Number.POSITIVE_INFINITY : 0)
}

/** How much slower than the recorded run a play with a running clock may be. */
const toleranceMs = 30_000

/** An `auto` clock skips whatever ends by itself. */
const isHeld = (execution: SavedExecution, moment: SavedMoment): boolean =>
  heldForMs(execution, moment) >
  { frozen: 0, real: toleranceMs + moment.aheadMs, auto: Number.MAX_VALUE }[moment.clock]

const isUnderWay = ({ ends }: SavedExecution, { cursor }: SavedMoment): boolean =>
  ends.every(({ order }) => order >= cursor)

/** The executions that rules hold at this moment of every play. */
export const heldAt = (executed: readonly SavedExecution[], moment: SavedMoment) =>
  executed.filter((each) => isUnderWay(each, moment) && isHeld(each, moment))

/**
 * Whether an execution has the same state at this moment of every play. One that has ended has been awaited. One under way may end a little
 * earlier or later than in the recorded run, unless a rule holds it or nothing was left to do.
 */
function isCertain(execution: SavedExecution, moment: SavedMoment): boolean {
  const { ends, notes, isAwaited } = execution
  const { cursor, clock, isSettled } = moment
  const last = notes.findLast(
    (note) => note.type === 'event' && isOf(execution, note) && note.order < cursor,
  )
  if (last && last.activity_status !== 'pending')
    return (
      isAwaited && !isChangedAfter(execution, moment) && (clock !== 'auto' || ends.length === 1)
    )
  return isSettled || isHeld(execution, moment)
}

/** A bridge without a fault has filled after this time. Seconds. */
const proofSeconds = 60

/** How long a play has to wait at the end of a run, so that without the rules the executions that they hold would have ended. */
export function secondsOfProof(executed: readonly SavedExecution[], end: SavedMoment): number {
  const left = executed
    .filter((each) => each.ends.length === 0 && isCertain(each, end))
    .map((each) => heldForMs(each, end))
  const enough = proofSeconds * 1_000 + toleranceMs
  return !end.isSettled && left.length > 0 && Math.min(...left) > enough ? proofSeconds : 0
}

/** Of executions under way at this moment: that rules have held them, and that they still wait, where every play finds it so. */
export function heldChecks(executed: readonly SavedExecution[], moment: SavedMoment): object[] {
  const { cursor, armed } = moment
  const underWay = executed.filter((each) => isUnderWay(each, moment))
  const heldBy = (all: readonly SavedExecution[]): string[] =>
    all.flatMap((each) =>
      rulesThatHeld(each, cursor).flatMap(({ rule, order }) =>
        order > (armed.get(rule)?.from ?? cursor) ? [rule] : [],
      ),
    )
  const all = heldBy(executed)
  const hits = heldBy(underWay).map((rule) => {
    const count = all.filter((each) => each === rule).length
    return [rule, Math.min(count, armed.get(rule)!.times)] as const
  })
  // The hits come first: their check waits until everything that is due is done.
  return [
    ...(hits.length > 0 ? [{ hits: Object.fromEntries(hits) }] : []),
    ...underWay
      .filter((each) => each.name !== undefined && isCertain(each, moment))
      .map(({ name }) => ({ activity: { of: name, status: 'pending' } })),
  ]
}

type Fields = Record<string, unknown>

interface Shown extends Fields {
  activities?: Fields[]
  events?: { data: Fields }[]
}

/** The first of these activities of the play that a read lists, and its place in the response. */
export function activityIn(
  { method, answer }: SavedRequest,
  ids: ReadonlySet<string>,
  executed: readonly SavedExecution[],
): [id: string, place: string] | [] {
  const { activities = [], events = [] } = (
    method === 'GET' && answer?.body ? answer.body : {}
  ) as Shown
  const all = [
    ...activities.map(
      ({ activity_id: id }, i) => [String(id), `activities.${i}.activity_id`] as const,
    ),
    ...events.map(
      ({ data }, i) => [String(data.activity_id), `events.${i}.data.activity_id`] as const,
    ),
  ]
  const [id, place] =
    all.find(([each]) => ids.has(each) && executed.some(({ activityId }) => activityId === each)) ??
    []
  return id && place ? [id, place] : []
}

/** What a read showed of executions and every play finds again: places of its response, as `expect.where` has them. */
export function statesIn(
  { url, answer }: Pick<SavedRequest, 'url' | 'answer'>,
  executed: readonly SavedExecution[],
  moment: SavedMoment,
): readonly { at: readonly unknown[]; is?: unknown; length?: number }[] {
  const [path = ''] = url.split('?')
  const shown = (answer?.body ?? {}) as Fields & {
    activities?: Fields[]
    events?: { data: Fields }[]
  }
  const of = (id: unknown) => executed.find(({ activityId }) => activityId === id)
  const isKnown = ({ activity_id: id }: Fields): boolean => {
    const execution = of(id)
    return execution !== undefined && isCertain(execution, moment)
  }
  const place = (id: unknown, i: number) => (of(id)?.name === undefined ? i : { activity_id: id })
  const state = (at: unknown[], { activity_status: is }: Fields) =>
    is === undefined ? [] : [{ at: [...at, 'activity_status'], is }]
  if (/^(\/accounts\/\w+)?\/activities\//.test(path)) return isKnown(shown) ? state([], shown) : []
  const [, accountId, list] = /^\/accounts\/(\w+)\/(activities|events)$/.exec(path) ?? []
  const { activities = [], events } = shown
  if (list === 'activities')
    return activities.flatMap((each, i) =>
      isKnown(each) ? state([list, place(each.activity_id, i)], each) : [],
    )
  if (list !== 'events' || !events) return []
  const own = executed.filter((each) => each.accountId === accountId)
  const areOwn = events.every(({ data: { activity_id: id } }) => id === undefined || of(id))
  const isWhole = !/[?&]since=(?!0(&|$))/.test(url)
  const areSame = (each: SavedExecution): boolean =>
    areEventsCertain(each, moment) && (isWhole || areCursorsCertain(each, moment))
  return areOwn && own.every(areSame)
    ? [
        { at: [list], length: events.length },
        ...events.flatMap(({ data }, i) => state([list, i, 'data'], data)),
      ]
    : []
}

function areEventsCertain(execution: SavedExecution, moment: SavedMoment): boolean {
  const { ends, isAwaited, notes } = execution
  const hasEnded = isAwaited && ends.some(({ order }) => order < moment.cursor)
  const isTimed = notes.some(({ effect }) => effect === 'events.delay')
  const isKnown =
    moment.clock === 'frozen'
      ? hasEnded || moment.isSettled
      : moment.clock === 'real' && hasEnded && !isTimed
  return isKnown && isCertain(execution, moment) && !isChangedAfter(execution, moment)
}

/** Cursors follow the clock. */
const areCursorsCertain = ({ notes }: SavedExecution, { clock }: SavedMoment): boolean =>
  clock === 'frozen' && !notes.some(({ effect }) => effect === 'answer.sparse_cursors')

const isOf = ({ activityId }: SavedExecution, note: SavedExecution['notes'][number]): boolean =>
  ['event', 'delivery'].includes(note.type) && note.activity_id === activityId

/** Whether more happened to it although the clock stood, or at any time with a clock that runs. */
function isChangedAfter(execution: SavedExecution, { cursor, at, clock }: SavedMoment): boolean {
  return execution.notes.some(
    (note) =>
      isOf(execution, note) &&
      note.order > cursor &&
      (clock !== 'frozen' || Date.parse(String(note.at)) <= Date.parse(at)),
  )
}
