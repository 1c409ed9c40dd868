import type { Moment, WhyView } from '../../api/types.js'
import { groupedDigits } from '../../parts/text.js'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'dim'

/** A moment as it is drawn: where its label stands, and where its arrow comes from. */
export interface Element {
  moment: Moment
  label: string
  sub: string | undefined
  tone: Tone
  /** The lane to which it belongs. */
  at: string
  /** The lane from which an arrow leads there. */
  from: string | undefined
  /** Whether the label stands on the arrow, halfway. */
  isBetween: boolean
  /** Networks on which a plan is going to do something. */
  planned: readonly string[]
}

/** `POST plan/earn` of `POST /accounts/acc_.../plan/earn`. */
export function shownUrl(title: string): string {
  return title.replace(/^(\w+) \/(?:accounts\/acc_[0-9A-Za-z]{12,32}\/)?/, '$1 ')
}

export function fact({ details }: Moment, name: string): string | undefined {
  const value = details[name]
  return typeof value === 'string' ? value : undefined
}

export function detailList({ details }: Moment, name: string): Record<string, unknown>[] {
  const value = details[name]
  return Array.isArray(value) ? value : []
}

const mostFindings = 6

/** What went wrong: causes first, then rules that fired and refusals. */
export function findingsOf({ timeline, verdict: { outcome } }: WhyView) {
  const isPast = /^(ready|pending|confirmed|failed)$/.test(outcome)
  const cause = isPast ? 'Cause of an earlier refusal' : 'Cause'
  const findings = timeline.flatMap((moment, index) => {
    const { type, title, cursor } = moment
    if (isUndone(moment)) return []
    if (type === 'cause')
      return [{ tone: isPast ? 'plain' : 'bad', title: cause, text: title, index }]
    if (type === 'fault') {
      const text = fact(moment, 'effect')
      return [{ tone: 'warn', title: `Fault ${fact(moment, 'rule')} fired`, text, index }]
    }
    const { status, cut } = moment.details
    if (type !== 'answer' || (cut !== true && !(Number(status) >= 400))) return []
    const isItsRequest = (each: Moment) => each.type === 'request' && each.cursor === cursor
    const asked = shownUrl(timeline.find(isItsRequest)?.title ?? 'a request')
    return [{ tone: 'bad', title: `${asked}: ${title}`, text: fact(moment, 'message'), index }]
  })
  const rank = ({ title }: { title: string }) => (title.startsWith('Cause') ? 0 : 1)
  return findings.sort((one, other) => rank(one) - rank(other)).slice(0, mostFindings)
}

/** What differs from a moment within the service. */
type Drawn = Partial<Element>

const toService = { from: 'client', isBetween: true } as const

const drawnAs: Readonly<Record<string, (moment: Moment) => Drawn>> = {
  request: ({ title }) => ({ label: shownUrl(title), ...toService }),
  answer: (moment) => {
    const events = detailList(moment, 'events')
    const sub = events.map((event) => `event: ${`${event}`.split(' is ')[1]}`).join(', ')
    const brought = events.length > 0 && { sub, from: 'events' }
    const status = Number.parseInt(moment.title, 10)
    const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
    return { tone, at: 'client', from: 'service', isBetween: true, ...brought }
  },
  plan: planLabels,
  signature: () => ({ label: 'signature valid', tone: 'good' }),
  activity: (moment) => ({ label: 'activity started', sub: fact(moment, 'activity_id') }),
  transaction: transactionLabels,
  bridge: bridgeLabels,
  event: (moment) => {
    const status = fact(moment, 'activity_status') ?? ''
    const tone = status === 'confirmed' ? 'good' : status === 'failed' ? 'bad' : 'dim'
    if (moment.details.delivered === false)
      return { label: `event: ${status}`, sub: 'not delivered', tone: 'warn' }
    return { label: `event: ${status}`, tone, at: 'events', from: 'service' }
  },
  expiry: (moment) => ({ label: 'plan expired', sub: fact(moment, 'at'), tone: 'bad' }),
  cause: causeLabels,
  reads: (moment) => ({
    label: fact(moment, 'what') ?? moment.title,
    sub: `${moment.details.times} times`,
    tone: 'dim',
    ...toService,
  }),
  fault: (moment) => ({
    label: `⚡ ${fact(moment, 'rule') ?? 'fault'}`,
    sub: fact(moment, 'effect') ?? 'blocks replaced',
    tone: 'warn',
    at: fact(moment, 'network') ?? 'service',
  }),
}

/** A restore took it back. */
export const isUndone = ({ details }: Moment): boolean => details.undone_by !== undefined

export function elementOf(moment: Moment): Element {
  return {
    moment,
    label: moment.title,
    sub: undefined,
    tone: 'plain',
    at: 'service',
    from: undefined,
    isBetween: false,
    planned: [],
    ...drawnAs[moment.type]?.(moment),
    ...(isUndone(moment) && { sub: 'undone by a restore', tone: 'dim' }),
  }
}

function planLabels(moment: Moment): Drawn {
  const operations = detailList(moment, 'operations')
  const networks = operations.flatMap(({ network }) =>
    typeof network === 'string' ? [network] : [],
  )
  return {
    label: `plan ${fact(moment, 'kind') ?? ''}`,
    sub: operations.length === 1 ? '1 operation' : `${operations.length || 'many'} operations`,
    planned: [...new Set(networks)],
  }
}

function transactionLabels(moment: Moment): Drawn {
  const status = fact(moment, 'status') ?? 'sent'
  const gas = fact(moment, 'gas_used')
  const failed = /^(reverted|not mined|dropped|replaced)/.test(status)
  return {
    label: callOf(moment) ?? status,
    sub: failed
      ? [status, fact(moment, 'reason')].filter(Boolean).join(': ')
      : [status, gas && `${groupedDigits(gas)} gas`].filter(Boolean).join(', '),
    tone: failed ? 'bad' : status === 'mined' ? 'good' : 'plain',
    at: fact(moment, 'network') ?? 'service',
    from: 'service',
  }
}

/** The function that its first operation calls, and how many more operations there are. */
function callOf(moment: Moment): string | undefined {
  const [first, ...more] = detailList(moment, 'operations')
  const called = first?.function
  if (typeof called !== 'string') return undefined
  return more.length > 0 ? `${called} +${more.length}` : called
}

function bridgeLabels(moment: Moment): Drawn {
  const status = fact(moment, 'status')
  const partial = moment.details.partial as { arrived: string; expected: string } | undefined
  const amount = fact(moment, 'output_amount')
  const came = partial ? `${partial.arrived} of ${partial.expected}` : groupedDigits(amount ?? '')
  return {
    label: `bridge ${status}`,
    sub: status === 'failed' ? fact(moment, 'reason') : came,
    tone: status === 'filled' ? 'good' : 'bad',
    at: (status !== 'failed' ? fact(moment, 'to') : fact(moment, 'from')) ?? 'service',
  }
}

const culprits: Readonly<Record<string, string>> = {
  plan: 'another plan',
  fault: 'fault rule',
  faucet: 'the faucet',
  rewards: 'rewards',
  rpc: 'a write over /rpc',
  bridge: 'a bridge',
  liquidation: 'a liquidation',
  price: 'a price',
  clock: 'the clock',
  reorganisation: 'a reorganisation',
  restore: 'a restore',
  reset: 'a reset',
  expired: 'its time was over',
  executed: 'the execution of',
}

function causeLabels(moment: Moment): Drawn {
  const name = fact(moment, 'by_plan') ?? fact(moment, 'rule')
  const culprit = culprits[fact(moment, 'cause') ?? ''] ?? 'unknown'
  const [what, before, after] = ['changed', 'before', 'after'].map((each) => fact(moment, each))
  return {
    label: name === undefined ? culprit : `${culprit} ${name}`,
    sub: before === undefined ? what : `${what}: ${before} → ${after}`,
    tone: 'bad',
    at: 'cause',
  }
}
