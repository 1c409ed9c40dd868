import type { Moment } from '../../api/types.js'
import { groupedDigits } from '../../parts/text.js'
import { detailList, type Element, elementOf, fact, type Tone } from './elements.js'
import { shownGap } from './words.js'

export interface Placed extends Element {
  /** Its number among the moments. */
  index: number
  /** The middle of its row. */
  y: number
}

/** Where something passes over a bridge: from the deposit's row to that of what became of it. */
export interface Crossing {
  from: string
  to: string
  fromY: number
  toY: number
  tone: Tone
  /** Of what has not arrived: an open curve. */
  isOpen?: true
}

export interface Span {
  top: number
  bottom: number
  /** How many others were being served beside it. */
  depth: number
}

/** A line through all lanes: time that passed, or the end of a life. */
export interface Divider {
  y: number
  text: string
  isEnd: boolean
}

/** Everything in its place, from top to bottom. */
export interface Layout {
  lanes: readonly string[]
  elements: readonly Placed[]
  crossings: readonly Crossing[]
  spans: readonly Span[]
  dividers: readonly Divider[]
  height: number
}

/** Where the lanes are, from left to right. */
export interface Lanes {
  /** The middle of a lane. */
  x(lane: string): number
  /** How wide the label of an element is. */
  widthOf(element: Placed): number
  laneWidth: number
  width: number
}

const heights = { one: 38, two: 52, divider: 34, margin: 14 }

const unnamed: Names = {
  networkOf: (chainId) => chainId,
  money: (_network, _token, raw) => groupedDigits(raw),
}

/** Puts the moments of a timeline below each other, each in its lane. `lanes` names all of them in their order; by default those that it needs. */
export function layoutOf(
  moments: readonly Moment[],
  names = unnamed,
  lanes?: readonly string[],
): Layout {
  const flights = flightsOf(moments, names.networkOf)
  const elements: Placed[] = []
  const dividers: Divider[] = []
  let y = heights.margin
  let before: number | undefined
  moments.forEach((moment, index) => {
    const at = Date.parse(moment.at)
    const isEnd = moment.type === 'restore' || moment.type === 'reset'
    const gap = at - (before ?? at)
    before = at
    // Where the clock runs, everything takes its milliseconds.
    if (gap >= 1_000 || isEnd) {
      dividers.push({
        y: y + heights.divider / 2,
        text: isEnd ? moment.title : shownGap(gap),
        isEnd,
      })
      y += heights.divider
    }
    if (isEnd) return
    const element = { ...elementOf(moment), ...arrival(moment, moments, names) }
    const height = element.sub === undefined ? heights.one : heights.two
    elements.push({ ...element, index, y: y + height / 2 })
    y += height
  })
  return {
    lanes: lanes ?? [
      ...['client', 'service'],
      // Events wait in their queue until the client reads them.
      ...['events', 'cause'].filter((lane) =>
        elements.some(({ at, from }) => lane === at || lane === from),
      ),
      ...networksOf(elements, flights),
    ],
    elements,
    crossings: [...crossingsOf(elements), ...openCrossings(elements, flights, y)],
    spans: spansOf(elements),
    dividers,
    height: y + heights.margin,
  }
}

/** In the order in which they come in, which is sources before destinations: bridges lead to the right. */
function networksOf(elements: readonly Placed[], flights: readonly Flight[]): string[] {
  // Of other moments, these facts are times.
  const way = (moment: Moment, end: 'from' | 'to'): string | undefined =>
    moment.type === 'bridge' ? fact(moment, end) : undefined
  const acting = elements.flatMap(({ moment }) => [fact(moment, 'network'), way(moment, 'from')])
  const planned = elements.flatMap(({ moment, planned }) => [...planned, way(moment, 'to')])
  const all = [...acting, ...planned, ...flights.map(({ to }) => to)].filter(
    (network) => network !== undefined,
  )
  return [...new Set(all)]
}

function crossingsOf(elements: readonly Placed[]): Crossing[] {
  return elements.flatMap((element) => {
    const { moment, tone, y } = element
    const from = fact(moment, 'from')
    const to = fact(moment, 'to')
    if (moment.type !== 'bridge' || !from || !to) return []
    const deposit = elements.find((each) => depositFor(moment, each.moment) !== undefined)
    // What fails comes back: the money was on its way, and returns to where it was.
    return [{ from, to, fromY: deposit?.y ?? y, toY: y, tone }]
  })
}

/** Deposits of which nothing has come yet: their curves end open at the end of what has happened. */
function openCrossings(
  elements: readonly Placed[],
  flights: readonly Flight[],
  end: number,
): Crossing[] {
  return flights.map(({ moment, from, to }) => {
    const fromY = elements.find((element) => element.moment === moment)?.y ?? end
    return { from, to, fromY, toY: end, tone: 'warn', isOpen: true }
  })
}

/** How much a bridge has delivered, of which asset: its deposit says so. */
function arrival(bridge: Moment, moments: readonly Moment[], names: Names): { sub?: string } {
  if (bridge.type !== 'bridge' || fact(bridge, 'status') !== 'filled') return {}
  for (const moment of moments) {
    const deposit = depositFor(bridge, moment)
    const raw = fact(bridge, 'output_amount')
    const to = fact(bridge, 'to')
    if (deposit?.outputToken !== undefined && raw && to)
      return { sub: names.money(to, tokenOf(deposit), raw) }
  }
  return {}
}

/** From each request to its answer; to the end for one that has none. */
function spansOf(elements: readonly Placed[]): Span[] {
  const spans: (Span & { requestId: string | null })[] = []
  const open = new Set<Span>()
  for (const { moment, y } of elements) {
    if (moment.type === 'request') {
      const taken = new Set([...open].map(({ depth }) => depth))
      let depth = 0
      while (taken.has(depth)) depth++
      const span = { top: y, bottom: elements.at(-1)!.y, depth, requestId: moment.request_id }
      spans.push(span)
      open.add(span)
    } else if (moment.type === 'answer') {
      const span = spans.find(({ requestId }) => requestId === moment.request_id)
      if (!span) continue
      span.bottom = y
      open.delete(span)
    }
  }
  return spans.map(({ top, bottom, depth }) => ({ top, bottom, depth }))
}

/** A deposit whose funds have neither arrived nor come back. */
interface Flight {
  /** The transaction that made the deposit. */
  moment: Moment
  from: string
  to: string
}

/** What is known beside the timeline: names of networks, and amounts in whole units. */
export interface Names {
  networkOf(chainId: string): string
  money(network: string, token: string, raw: string): string
}

/** The bridges that are under way at the end of a timeline. */
function flightsOf(moments: readonly Moment[], networkOf: Names['networkOf']): Flight[] {
  const ended = moments.filter(({ type }) => type === 'bridge')
  return moments.flatMap((moment) => {
    if (moment.type !== 'transaction' || fact(moment, 'status') !== 'mined') return []
    return depositsOf(moment).flatMap((deposit) =>
      deposit.outputAmount === undefined ||
      ended.some((bridge) => depositFor(bridge, moment) === deposit)
        ? []
        : [
            {
              moment,
              from: fact(moment, 'network') ?? 'service',
              to: networkOf(String(deposit.destinationChainId)),
            },
          ],
    )
  })
}

type Deposit = Record<string, unknown>

/** The address within the 32 bytes that a deposit names its token by. */
function tokenOf(deposit: Deposit): string {
  return `0x${String(deposit.outputToken).slice(-40)}`
}

function depositsOf(moment: Moment): Deposit[] {
  return detailList(moment, 'logs').flatMap(({ event, args }) =>
    event === 'FundsDeposited' ? [args as Deposit] : [],
  )
}

/** The deposit of a bridge, when this transaction made it: the bridge's log says its number. */
function depositFor(bridge: Moment, moment: Moment): Deposit | undefined {
  if (moment.type !== 'transaction') return undefined
  if (fact(moment, 'network') !== fact(bridge, 'from')) return undefined
  if (fact(moment, 'activity_id') !== fact(bridge, 'activity_id')) return undefined
  return depositsOf(moment).find(({ depositId }) => depositId === fact(bridge, 'deposit_id'))
}
