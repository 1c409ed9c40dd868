import type { OrderedMoment } from './foldReads.js'

/** An event with each of its deliveries, and the rules of the seam `events` that it met. */
interface Told {
  event: OrderedMoment
  deliveries: OrderedMoment[]
  rules: string[]
}

/**
 * Puts events where they were delivered, once for each delivery, and says when they had happened. What was not delivered stays where it
 * happened. Moments in their order.
 */
export function deliveredEvents(moments: readonly OrderedMoment[]): OrderedMoment[] {
  const told: Told[] = []
  const latest = new Map<string, Told>()
  const others = moments.filter((moment) => {
    const { account_id, cursor, of, event: met, rule, effect } = moment.details
    if (moment.type === 'event') {
      const begun: Told = { event: moment, deliveries: [], rules: [] }
      told.push(begun)
      latest.set(`${account_id} ${cursor}`, begun)
    } else if (moment.type === 'delivery')
      latest.get(`${account_id} ${of}`)?.deliveries.push(moment)
    else if (met) latest.get(`${account_id} ${met}`)?.rules.push(`${rule} (${effect})`)
    return moment.type !== 'event' && moment.type !== 'delivery'
  })
  const inOrder = told.flatMap(tellings).sort((one, other) => one.moment.order - other.moment.order)
  const furthest = new Map<unknown, Telling>()
  const lives = others.filter(({ type }) => type === 'reset' || type === 'restore')
  const events = inOrder.map((telling) => {
    const { details, order } = telling.moment
    const known = furthest.get(details.account_id)
    const isOver = lives.some((end) => known && known.moment.order < end.order && end.order < order)
    const before = isOver ? undefined : known
    if (!before || telling.of > before.of) furthest.set(details.account_id, telling)
    return withDelivery(telling, before)
  })
  return [...others, ...events].sort((one, other) => one.order - other.order)
}

interface Telling {
  moment: OrderedMoment
  /** Where it stands among the events as they happened. */
  of: number
  /** Says how its delivery differs from the usual one. */
  notes: string[]
}

function tellings({ event, deliveries, rules }: Told): Telling[] {
  const of = event.details.cursor as number
  if (deliveries.length === 0) {
    if (rules.length === 0) return [{ moment: event, of, notes: [] }]
    const details = { ...event.details, delivered: false }
    return [{ moment: { ...event, details }, of, notes: [`not delivered: ${rules.join(', ')}`] }]
  }
  return deliveries.map(({ order, at, request_id, details: { cursor } }, place) => {
    const title = event.title.replace(/^event \d+/, `event ${cursor}`)
    const details = { ...event.details, cursor }
    // What no rule has met was delivered as it happened; to note that takes a moment.
    const isUsual = rules.length === 0 && place === 0
    const when = isUsual ? {} : { order, at, request_id }
    const notes = [
      ...(isUsual || at === event.at ? [] : [`created at ${event.at.slice(11, 23)}`]),
      ...(place > 0 ? ['the same event again'] : []),
    ]
    return { moment: { ...event, ...when, title, details }, of, notes }
  })
}

/** `event 7: activity act_1 is pending (created at 12:00:01.000, delivered after event 6)`. */
function withDelivery({ moment, of, notes }: Telling, before: Telling | undefined): OrderedMoment {
  const isOvertaken = before !== undefined && of < before.of && moment.details.delivered !== false
  const all = isOvertaken
    ? [...notes, `delivered after event ${before.moment.details.cursor}`]
    : notes
  return all.length === 0 ? moment : { ...moment, title: `${moment.title} (${all.join(', ')})` }
}
