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
    return [{ rule: String(rule), effect: String(effect), order, forMs: hold(seconds) }]
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

/** The effect that will hold it longest, and how long, in milliseconds of the clock; undefined when no rule holds it. */
function holdOf(execution: SavedExecution, { cursor, at, armed }: SavedMoment) {
  const passed = Date.parse(at) - Date.parse(execution.at)
  const holding = rulesThatHeld(execution, cursor)
    .filter(({ rule, forMs }) => armed.has(rule) && forMs > passed)
    .map(({ effect, forMs }) => ({ effect, forMs: forMs - passed }))
  const last = new Map<unknown, unknown>()
  for (const { type, order, network, status } of execution.notes)
    if (type === 'transaction' && order < cursor) last.set(network, status)
  const isHalted = [...armed.values()].some(({ halts }) =>
    [...last].some(
      ([network, status]) => status === 'sent' && (halts === 'all' || halts === network),
    ),
  )
  if (isHalted) holding.push({ effect: 'chain.halt', forMs: Number.POSITIVE_INFINITY })
  return holding.toSorted((a, b) => b.forMs - a.forMs)[0]
}

const heldForMs = (execution: SavedExecution, moment: SavedMoment): number =>
  holdOf(execution, moment)?.forMs ?? 0

/** How much slower than the recorded run a play with a running clock may be. */
const toleranceMs = 30_000

/** An `auto` clock skips whatever ends by itself. */
const isHeld = (execution: SavedExecution, moment: SavedMoment): boolean =>
  heldForMs(execution, moment) >
  { frozen: 0, real: latenessOf(moment), auto: Number.MAX_VALUE }[moment.clock]

const isUnderWay = ({ ends }: SavedExecution, { cursor }: SavedMoment): boolean =>
  ends.every(({ order }) => order >= cursor)

/** The executions that rules hold at this moment of every play. */
export const heldAt = (executed: readonly SavedExecution[], moment: SavedMoment) =>
  executed.filter((each) => isUnderWay(each, moment) && isHeld(each, moment))

/**
 * Why an execution may have another state at this moment of a play; undefined when every play finds the same. One that has ended has been
 * awaited. One under way may end a little earlier or later than in the recorded run, unless a rule holds it or nothing was left to do.
 */
function doubtOf(execution: SavedExecution, moment: SavedMoment): string | undefined {
  const { ends, notes, isAwaited } = execution
  const { cursor, clock, isSettled } = moment
  const last = notes.findLast(
    (note) => isEvent(note) && note.activity_id === execution.activityId && note.order < cursor,
  )
  if (last && last.activity_status !== 'pending') {
    if (!isAwaited) return 'the response of its execution was lost, so the test cannot wait for it'
    if (isBeingReplaced(execution))
      return 'chain.reorg had not ended, and the test may read it later'
    const isChanged =
      isChangedAfter(execution, moment, isEvent) || (clock === 'auto' && ends.length !== 1)
    return isChanged ? 'it changed again, and the test may read it later' : undefined
  }
  if (isSettled || isHeld(execution, moment)) return undefined
  const effect = holdOf(execution, moment)?.effect
  if (effect === undefined)
    return 'no fault held it then, so the test may read it before or after its end'
  return clock === 'auto'
    ? `an auto clock skips the time for which ${effect} held it`
    : endsTooSoon(effect, moment)
}

/** Whether the saved run ended before a reorganisation had come to its end: each follows a confirmation, and leads to another. */
export const isBeingReplaced = ({ ends, notes }: SavedExecution): boolean =>
  notes.filter(
    ({ effect, settings }) =>
      effect === 'chain.reorg' && (settings as { keep?: boolean } | undefined)?.keep !== true,
  ).length >= Math.max(1, ends.filter(({ status }) => status === 'confirmed').length)

/** How late a play with a running clock may be, in milliseconds. */
const latenessOf = ({ aheadMs }: SavedMoment): number => toleranceMs + aheadMs

const endsTooSoon = (effect: string, moment: SavedMoment): string =>
  `${effect} had less than ${Math.ceil(latenessOf(moment) / 1_000)} s left, and the test may read as much later`

const isCertain = (execution: SavedExecution, moment: SavedMoment): boolean =>
  doubtOf(execution, moment) === undefined

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

/** A place of a response, as `expect.where` has it. With a `doubt`, a play may find something else there: what was read, and why. */
interface SavedState {
  at: readonly unknown[]
  is?: unknown
  length?: number
  doubt?: string
}

/** What a read showed of executions. */
export function statesIn(
  { url, answer }: Pick<SavedRequest, 'url' | 'answer'>,
  executed: readonly SavedExecution[],
  moment: SavedMoment,
): readonly SavedState[] {
  const [path = ''] = url.split('?')
  const shown = (answer?.body ?? {}) as Fields & Shown
  const of = (id: unknown) => executed.find(({ activityId }) => activityId === id)
  const place = (id: unknown, i: number) => (of(id)?.name === undefined ? i : { activity_id: id })
  const state = (at: unknown[], { activity_status: is }: Fields) =>
    is === undefined ? [] : [{ at: [...at, 'activity_status'], is }]
  const known = (at: unknown[], each: Fields): SavedState[] => {
    const execution = of(each.activity_id)
    const why = execution ? doubtOf(execution, moment) : notRepeated
    const what = [...(at.length > 0 ? [each.activity_id] : []), each.activity_status].join(' ')
    return state(at, each).map((one) => ({
      ...one,
      ...(why && { doubt: `GET ${url}: ${what}: ${why}` }),
    }))
  }
  if (/^(\/accounts\/\w+)?\/activities\//.test(path)) return known([], shown)
  const [, accountId, list] = /^\/accounts\/(\w+)\/(activities|events)$/.exec(path) ?? []
  const { activities = [], events } = shown
  if (list === 'activities')
    return activities.flatMap((each, i) => known([list, place(each.activity_id, i)], each))
  if (list !== 'events' || !events) return []
  const own = executed.filter((each) => each.accountId === accountId)
  const areOwn = events.every(({ data: { activity_id: id } }) => id === undefined || of(id))
  const isWhole = !/[?&]since=(?!0(&|$))/.test(url)
  const why = areOwn
    ? own.map((each) => doubtOfEvents(each, moment, isWhole)).find((each) => each !== undefined)
    : notRepeated
  const { length } = events
  if (why !== undefined)
    return [
      {
        at: [list],
        length,
        doubt: `GET ${url}: ${length} event${length === 1 ? '' : 's'}: ${why}`,
      },
    ]
  return [
    { at: [list], length },
    ...events.flatMap(({ data }, i) => state([list, i, 'data'], data)),
  ]
}

const notRepeated = 'the test does not repeat its execution'

/** Like `doubtOf`, about the events of an execution. Cursors follow the clock. */
function doubtOfEvents(
  execution: SavedExecution,
  moment: SavedMoment,
  isWhole: boolean,
): string | undefined {
  const { ends, isAwaited, notes } = execution
  const { clock, cursor } = moment
  if (clock === 'auto') return 'an auto clock skips time, so the test may find more events'
  const hasEnded = isAwaited && ends.some(({ order }) => order < cursor)
  if (!hasEnded && !(clock === 'frozen' && moment.isSettled))
    return 'an execution was under way, so the test may find more events or fewer'
  const isSparse = notes.some(({ effect }) => effect === 'answer.sparse_cursors')
  if (!isWhole && (clock !== 'frozen' || isSparse))
    return 'the cursors of the test are others, so `since` may select other events'
  const delayed = clock === 'real' ? delayedEvents(execution, moment) : []
  if (delayed.some(({ leftMs }) => leftMs <= 0))
    return 'events.delay held back events, and the test may read before or after their delivery'
  if (delayed.some(({ leftMs }) => leftMs <= latenessOf(moment)))
    return endsTooSoon('events.delay', moment)
  const held = new Set(delayed.map(({ event }) => event))
  const isTold = isChangedAfter(
    execution,
    moment,
    ({ type, of }) => type === 'event' || (type === 'delivery' && !held.has(of)),
  )
  return doubtOf(execution, moment) ?? (isTold ? 'more events came later' : undefined)
}

/** The events that a rule had held back before this moment, each with how long it still holds them, in milliseconds; 0 of a removed rule. */
const delayedEvents = ({ notes }: SavedExecution, { cursor, at: now, armed }: SavedMoment) =>
  notes.flatMap(({ effect, order, rule, settings, event, at }) => {
    if (effect !== 'events.delay' || order > cursor) return []
    const { seconds } = settings as { seconds: number }
    const endMs = Date.parse(String(at)) + seconds * 1_000
    return [{ event, leftMs: armed.has(String(rule)) ? endMs - Date.parse(now) : 0 }]
  })

type Note = SavedExecution['notes'][number]

const isEvent = ({ type }: Note): boolean => type === 'event'

/** Whether more of this happened to it although the clock stood, or at any time with a clock that runs. */
function isChangedAfter(
  { activityId, notes }: SavedExecution,
  { cursor, at, clock }: SavedMoment,
  isChange: (note: Note) => boolean,
): boolean {
  return notes.some(
    (note) =>
      isChange(note) &&
      note.activity_id === activityId &&
      note.order > cursor &&
      (clock !== 'frozen' || Date.parse(String(note.at)) <= Date.parse(at)),
  )
}
