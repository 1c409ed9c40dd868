import type { Moment } from '../../api/types.js'
import { groupedDigits } from '../../parts/text.js'
import { detailList, type Element, elementOf, fact, isUndone, type Tone } from './elements.js'

export interface Placed extends Element {
  index: number
  /** The middle of its row. */
  y: number
}

/** A bridge, from the deposit's row to that of its end. */
export interface Crossing {
  from: string
  to: string
  fromY: number
  toY: number
  tone: Tone
  /** It has not arrived. */
  isOpen?: true
}

interface Span {
  top: number
  bottom: number
  /** How many other requests were being served. */
  depth: number
}

export interface Names {
  networkOf(chainId: string): string
  money(network: string, token: string, raw: string): string
}

export type Layout = ReturnType<typeof layoutOf>

const heights = { one: 38, two: 52, divider: 34, margin: 14 }

const unnamed: Names = {
  networkOf: (chainId) => chainId,
  money: (_network, _token, raw) => groupedDigits(raw),
}

/** Puts the moments of a timeline below each other, each in its lane. `lanes` names all lanes in their order; by default those with a moment. */
export function layoutOf(moments: readonly Moment[], names = unnamed, lanes?: readonly string[]) {
  const deposits = depositsOf(moments, names)
  const elements: Placed[] = []
  /** Time that passed, or a restore or reset. */
  const dividers: { y: number; text: string; isEnd: boolean }[] = []
  let y = heights.margin
  let before: number | undefined
  moments.forEach((moment, index) => {
    const at = Date.parse(moment.at)
    const isEnd = moment.type === 'restore' || moment.type === 'reset'
    const gap = at - (before ?? at)
    before = at
    // Where the clock runs, everything takes its milliseconds.
    if (gap >= 1_000 || isEnd) {
      const text = isEnd ? moment.title : shownGap(gap)
      dividers.push({ y: y + heights.divider / 2, text, isEnd })
      y += heights.divider
    }
    if (isEnd) return
    const element = { ...elementOf(moment), ...arrival(moment, deposits, names) }
    const height = element.sub === undefined ? heights.one : heights.two
    elements.push({ ...element, index, y: y + height / 2 })
    y += height
  })
  const open = deposits.filter(({ isUnderWay }) => isUnderWay)
  return {
    lanes: lanes ?? [
      ...['client', 'service'],
      // Events wait in their queue until the client reads them.
      ...['events', 'cause'].filter((lane) =>
        elements.some(({ at, from }) => lane === at || lane === from),
      ),
      ...networksOf(elements, open),
    ],
    elements,
    crossings: crossingsOf(elements, deposits, y),
    spans: spansOf(elements),
    dividers,
    height: y + heights.margin,
  }
}

export function shownGap(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s later`
  const minutes = Math.floor(ms / 60_000)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} m later`
  return `${minutes} m ${Math.floor((ms % 60_000) / 1000)} s later`
}

/** In the order of their first moment. That puts sources before destinations, so bridges lead to the right. */
function networksOf(elements: readonly Placed[], open: readonly Deposit[]): string[] {
  // Of other moments, these facts are times.
  const way = (moment: Moment, end: 'from' | 'to'): string | undefined =>
    moment.type === 'bridge' ? fact(moment, end) : undefined
  const acting = elements.flatMap(({ moment }) => [fact(moment, 'network'), way(moment, 'from')])
  const planned = elements.flatMap(({ moment, planned }) => [...planned, way(moment, 'to')])
  const all = [...acting, ...planned, ...open.map(({ to }) => to)]
  return [...new Set(all.filter((network) => network !== undefined))]
}

/** A deposit that is under way leads to the end of the timeline. */
function crossingsOf(
  elements: readonly Placed[],
  deposits: readonly Deposit[],
  end: number,
): Crossing[] {
  const rowOf = (moment: Moment | undefined): number | undefined =>
    elements.find((element) => element.moment === moment)?.y
  const ended = elements.flatMap(({ moment, tone, y }): Crossing[] => {
    const [from, to] = [fact(moment, 'from'), fact(moment, 'to')]
    if (moment.type !== 'bridge' || !from || !to || isUndone(moment)) return []
    // After a failure the money, which was on its way, returns.
    const deposit = deposits.find(({ bridge }) => bridge === moment)
    return [{ from, to, fromY: rowOf(deposit?.moment) ?? y, toY: y, tone }]
  })
  const open = deposits.flatMap(({ isUnderWay, moment, from, to }): Crossing[] =>
    isUnderWay
      ? [{ from, to, fromY: rowOf(moment) ?? end, toY: end, tone: 'warn', isOpen: true }]
      : [],
  )
  return [...ended, ...open]
}

/** What a bridge has delivered: its deposit names the asset. */
function arrival(bridge: Moment, deposits: readonly Deposit[], names: Names): { sub?: string } {
  const token = deposits.find((each) => each.bridge === bridge)?.token
  const [raw, to] = [fact(bridge, 'output_amount'), fact(bridge, 'to')]
  if (token === undefined || fact(bridge, 'status') !== 'filled' || !raw || !to) return {}
  return { sub: names.money(to, token, raw) }
}

/** From each request to its response, or to the end of the timeline. */
function spansOf(elements: readonly Placed[]): Span[] {
  const spans: Span[] = []
  for (const { moment, y: top } of elements) {
    if (moment.type !== 'request') continue
    const answer = elements.find(
      (each) => each.moment.type === 'answer' && each.moment.cursor === moment.cursor,
    )
    const taken = new Set(spans.flatMap(({ bottom, depth }) => (bottom < top ? [] : [depth])))
    let depth = 0
    while (taken.has(depth)) depth++
    spans.push({ top, bottom: (answer ?? elements.at(-1)!).y, depth })
  }
  return spans
}

interface Deposit {
  moment: Moment
  from: string
  to: string
  token: string | undefined
  bridge: Moment | undefined
  isUnderWay: boolean
}

function depositsOf(moments: readonly Moment[], { networkOf }: Names): Deposit[] {
  const present = moments.filter((moment) => !isUndone(moment))
  const bridges = present.filter(({ type }) => type === 'bridge')
  return present
    .filter(({ type }) => type === 'transaction')
    .flatMap((moment) =>
      detailList(moment, 'logs').flatMap(({ event, args }): Deposit[] => {
        if (event !== 'FundsDeposited') return []
        const { depositId, outputToken, outputAmount, destinationChainId } = args as Record<
          string,
          unknown
        >
        const bridge = bridges.find(
          (deposit) =>
            fact(moment, 'network') === fact(deposit, 'from') &&
            fact(moment, 'activity_id') === fact(deposit, 'activity_id') &&
            depositId === fact(deposit, 'deposit_id'),
        )
        return [
          {
            moment,
            from: fact(moment, 'network') ?? 'service',
            to: networkOf(String(destinationChainId)),
            // A deposit names its token by 32 bytes.
            token: outputToken === undefined ? undefined : `0x${String(outputToken).slice(-40)}`,
            bridge,
            isUnderWay:
              bridge === undefined &&
              outputAmount !== undefined &&
              fact(moment, 'status') === 'mined',
          },
        ]
      }),
    )
}
