import type { OrderedMoment } from './foldReads.js'
import type { RecordedRequest } from './journal.js'

/** An event with each of its deliveries, and the rules of the seam `events` that it met. */
interface EventDeliveries {
  event: OrderedMoment
  deliveries: OrderedMoment[]
  rules: string[]
}

/**
 * Puts events where they were delivered, once for each delivery, and says when they had happened. What was not delivered stays where it
 * happened. Moments in their order.
 */
export function deliveredEvents(moments: readonly OrderedMoment[]): OrderedMoment[] {
  const sent: EventDeliveries[] = []
  const latest = new Map<string, EventDeliveries>()
  const others = moments.filter((moment) => {
    const { account_id, cursor, of, event: met, rule, effect } = moment.details
    if (moment.type === 'event') {
      const begun: EventDeliveries = { event: moment, deliveries: [], rules: [] }
      sent.push(begun)
      latest.set(`${account_id} ${cursor}`, begun)
    } else if (moment.type === 'delivery')
      latest.get(`${account_id} ${of}`)?.deliveries.push(moment)
    else if (met) latest.get(`${account_id} ${met}`)?.rules.push(`${rule} (${effect})`)
    return moment.type !== 'event' && moment.type !== 'delivery'
  })
  const inOrder = sent
    .flatMap(deliveredMoments)
    .sort((one, other) => one.moment.order - other.moment.order)
  const furthest = new Map<unknown, Delivered>()
  const lives = others.filter(({ type }) => type === 'reset' || type === 'restore')
  const events = inOrder.map((delivered) => {
    const { details, order } = delivered.moment
    const known = furthest.get(details.account_id)
    const isOver = lives.some((end) => known && known.moment.order < end.order && end.order < order)
    const before = isOver ? undefined : known
    if (!before || delivered.of > before.of) furthest.set(details.account_id, delivered)
    return withDelivery(delivered, before)
  })
  return [...others, ...events].sort((one, other) => one.order - other.order)
}

interface Delivered {
  moment: OrderedMoment
  /** Its position among the events as they happened. */
  of: number
  /** How its delivery differs from the usual one. */
  notes: string[]
}

function deliveredMoments({ event, deliveries, rules }: EventDeliveries): Delivered[] {
  const of = event.details.cursor as number
  if (deliveries.length === 0) {
    if (rules.length === 0) return [{ moment: event, of, notes: [] }]
    const details = { ...event.details, delivered: false }
    return [{ moment: { ...event, details }, of, notes: [`not delivered: ${rules.join(', ')}`] }]
  }
  return deliveries.map(({ order, at, request_id, of: read, details: { cursor } }, place) => {
    const title = event.title.replace(/^event \d+/, `event ${cursor}`)
    const details = { ...event.details, cursor }
    // Without a rule, the event was delivered as it happened; noting that takes a moment.
    const isUsual = rules.length === 0 && place === 0
    const when = isUsual ? {} : { order, at, request_id, ...(read !== undefined && { of: read }) }
    const notes = [
      ...(isUsual || at === event.at ? [] : [`created at ${event.at.slice(11, 23)}`]),
      ...(place > 0 ? ['the same event again'] : []),
    ]
    return { moment: { ...event, ...when, title, details }, of, notes }
  })
}

/** `event 7: activity act_1 is pending (created at 12:00:01.000, delivered after event 6)`. */
function withDelivery(
  { moment, of, notes }: Delivered,
  before: Delivered | undefined,
): OrderedMoment {
  const isOvertaken = before !== undefined && of < before.of && moment.details.delivered !== false
  const all = isOvertaken
    ? [...notes, `delivered after event ${before.moment.details.cursor}`]
    : notes
  return all.length === 0 ? moment : { ...moment, title: `${moment.title} (${all.join(', ')})` }
}

interface EventsRead {
  since: number
  cursor: number
  events: { timestamp?: number; data?: { activity_id?: string; activity_status?: string } }[]
}

/** Says with each event which read returned it first, and with each read which events it was the first to return. `own` as in `momentsIn`. */
export function returnedEvents(
  moments: readonly OrderedMoment[],
  exchanges: readonly RecordedRequest[],
  own?: ReadonlySet<unknown>,
): OrderedMoment[] {
  const isOwn = (activity: unknown): boolean => own === undefined || own.has(activity)
  const queued = moments.filter(
    ({ type, details }) => type === 'event' && details.delivered !== false,
  )
  const readOf = new Map<OrderedMoment, string>()
  const broughtBy = new Map<number | undefined, string[]>()
  const unrecorded = new Set<string>()
  for (const exchange of exchanges) {
    const { since, cursor, events } = eventsRead(exchange)
    const here = new Set<OrderedMoment>()
    const isNew = ({ timestamp, data }: EventsRead['events'][number]): boolean => {
      const candidates = queued.filter(
        ({ order, details }) =>
          order < exchange.answer!.order &&
          Number(details.cursor) > since &&
          Number(details.cursor) <= cursor &&
          exchange.url.includes(String(details.account_id)) &&
          details.activity_id === data?.activity_id &&
          details.activity_status === data?.activity_status,
      )
      // After a restore, other events may have the same cursors.
      const latest = new Map(candidates.map((event) => [event.details.cursor, event]))
      const event = [...latest.values()].find((each) => !here.has(each))
      if (event) {
        here.add(event)
        if (readOf.has(event)) return false
        readOf.set(event, exchange.requestId)
        return true
      }
      // It happened before the journal began, or a fault made it up.
      const text = `${exchange.url.split('?')[0]} ${timestamp} ${JSON.stringify(data)}`
      return unrecorded.size < unrecorded.add(text).size
    }
    const brought = events
      .filter(({ data }) => isOwn(data?.activity_id))
      .filter(isNew)
      .map(({ data }) => `${data?.activity_id} is ${data?.activity_status}`)
    if (brought.length > 0) broughtBy.set(exchange.order, brought)
  }
  return moments.flatMap((moment) => {
    const { type, details, of } = moment
    if (type === 'event' && !isOwn(details.activity_id)) return []
    const events = type === 'answer' ? broughtBy.get(of) : undefined
    if (events) return { ...moment, details: { ...details, events } }
    const returned_by = readOf.get(moment)
    return returned_by === undefined ? moment : { ...moment, details: { ...details, returned_by } }
  })
}

/** What a read of events returned; nothing for any other request. */
function eventsRead({ method, url, answer }: RecordedRequest): EventsRead {
  const none = { since: 0, cursor: 0, events: [] }
  if (method !== 'GET' || !eventsPath.test(url) || answer?.status !== 200 || answer.cut) return none
  const since = Number(new URL(url, 'http://localhost').searchParams.get('since') ?? 0)
  try {
    return { ...none, ...JSON.parse(answer.text ?? '{}'), since }
  } catch {
    return none
  }
}

const eventsPath = /^\/accounts\/[^/?]+\/events(\?|$)/
