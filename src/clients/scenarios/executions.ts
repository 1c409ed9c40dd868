import type { ClockMode } from '../../time/clock.js'
import type { SavedRequest } from './savedRun.js'

/** An execution of a saved run, with the step that repeats it. */
export interface SavedExecution {
  name: string
  account: string
  accountId: string
  activityId: string
  /** The time of its response. */
  at: string
  notes: SavedRequest['notes']
  /** Its ends within the saved run, each by its place in the journal. */
  ends: readonly { order: number; at: string; status: string }[]
  isAwaited: boolean
}

/** A moment of the run at which a client looks at executions. */
export interface SavedMoment {
  cursor: number
  /** The time of the response. */
  at: string
  clock: ClockMode
  /** The clock is frozen and has been moved since the last change, so nothing was left to do. */
  isSettled: boolean
  /** Rules that have not been removed, with how often they have held an execution. */
  armed: ReadonlyMap<string, { hits: number; times: number }>
}

/** @param until Ends after this place in the journal are not of the run. */
export function savedExecution(
  { url, notes, answer }: SavedRequest,
  step: Pick<SavedExecution, 'name' | 'account' | 'activityId'>,
  until: number,
): SavedExecution {
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
export function rulesThatHeld({ notes }: Pick<SavedExecution, 'notes'>, until: number) {
  return notes.flatMap(({ type, rule, effect, settings, carried, order }) => {
    const hold = holds[String(effect)]
    if (type !== 'fault' || !hold || carried || order > until) return []
    const { seconds } = (settings ?? {}) as { seconds?: number }
    return [{ rule: String(rule), forMs: hold(seconds) }]
  })
}

/** How much slower than the recorded run a play with a running clock may be. */
const toleranceMs = 30_000

/**
 * Whether an execution has the same state at this moment of every play. One that has ended has been awaited. One under way may end a little
 * earlier or later than in the recorded run, unless a rule holds it or nothing was left to do.
 */
function isCertain(execution: SavedExecution, moment: SavedMoment): boolean {
  const { at, ends, notes } = execution
  const { cursor, clock, isSettled, armed } = moment
  const last = notes.findLast(
    (note) => note.type === 'event' && isOf(execution, note) && note.order < cursor,
  )
  if (last && last.activity_status !== 'pending')
    return !isChangedAfter(execution, moment) && (clock === 'frozen' || ends.length === 1)
  if (clock === 'auto') return false
  const passed = Date.parse(moment.at) - Date.parse(at)
  const tolerated = clock === 'frozen' ? 0 : toleranceMs
  return (
    isSettled ||
    rulesThatHeld(execution, cursor).some(
      ({ rule, forMs }) => armed.has(rule) && forMs - passed > tolerated,
    )
  )
}

/** Of executions under way at the end of a run: that rules have held them, and that they still wait, where every play finds it so. */
export function heldChecks(executed: readonly SavedExecution[], end: SavedMoment): object[] {
  if (end.clock === 'auto') return []
  const underWay = executed.filter(({ ends }) => ends.length === 0)
  const hits = underWay.flatMap((each) =>
    rulesThatHeld(each, end.cursor).flatMap(({ rule }) => {
      const { hits: all = 0, times = 0 } = end.armed.get(rule) ?? {}
      return all > 0 ? [[rule, Math.min(all, times)] as const] : []
    }),
  )
  // The hits come first: their check waits until everything that is due is done.
  return [
    ...(hits.length > 0 ? [{ hits: Object.fromEntries(hits) }] : []),
    ...underWay
      .filter((each) => isCertain(each, end))
      .map(({ name }) => ({ activity: { of: name, status: 'pending' } })),
  ]
}

type Fields = Record<string, unknown>

/** What a read showed of executions and every play finds again: places of its response, as `expect.where` has them. */
export function statesIn(
  { url, answer }: Pick<SavedRequest, 'url' | 'answer'>,
  executed: readonly SavedExecution[],
  moment: SavedMoment,
): readonly object[] {
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
  const state = (at: unknown[], { activity_status: is }: Fields) =>
    is === undefined ? [] : [{ at: [...at, 'activity_status'], is }]
  if (/^\/activities\//.test(path)) return isKnown(shown) ? state([], shown) : []
  const [, accountId, list] = /^\/accounts\/(\w+)\/(activities|events)$/.exec(path) ?? []
  const { activities = [], events } = shown
  if (list === 'activities')
    return activities
      .filter(isKnown)
      .flatMap((each) => state([list, { activity_id: each.activity_id }], each))
  if (list !== 'events' || !events) return []
  const own = executed.filter((each) => each.accountId === accountId)
  const areOwn = events.every(({ data: { activity_id: id } }) => id === undefined || of(id))
  return areOwn && own.every((each) => areEventsCertain(each, moment))
    ? [
        { at: [list], length: events.length },
        ...events.flatMap(({ data }, i) => state([list, i, 'data'], data)),
      ]
    : []
}

/** Whether its events are the same, too. */
function areEventsCertain(execution: SavedExecution, moment: SavedMoment): boolean {
  const hasEnded = execution.ends.some(({ order }) => order < moment.cursor)
  return (
    moment.clock === 'frozen' &&
    (hasEnded || moment.isSettled) &&
    isCertain(execution, moment) &&
    !isChangedAfter(execution, moment)
  )
}

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
