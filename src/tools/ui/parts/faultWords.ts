import type { Fault } from '../api/types.js'
import { asText } from './text.js'

/** What an effect does to each thing that it meets, by seam and effect. */
const outcomes: Readonly<Record<string, string>> = {
  'request.latency': 'waits first',
  'request.hang': 'gets no answer',
  'request.respond': 'gets an error',
  'request.reset_before': 'is cut before anything is done',
  'request.reset_after': 'is carried out, and its response is cut',
  'request.truncate': 'gets half of its response',
  'request.rate_limit': 'is refused as one too many',
  'request.outage': 'is refused for a while',
  'request.crash': 'is the last of a client that dies',
  'folio.latency': 'takes longer',
  'folio.timeout': 'times out',
  'folio.serve_stale': 'is an old one',
  'quote.unavailable': 'gets no answer, since the connection closes',
  'quote.http_error': 'fails',
  'quote.timeout': 'gets no answer',
  'quote.malformed': 'comes cut in half',
  'quote.expired': 'comes expired',
  'quote.slippage': 'is worse when it is executed',
  'quote.drain': 'finds the exchange empty',
  'plan.stale': 'becomes stale',
  'plan.expire': 'expires at once',
  'plan.fail': 'fails',
  'plan.no_wallet': 'is refused for want of a wallet',
  'execute.reject_signature': 'is refused for its signature',
  'execute.revert': 'reverts',
  'execute.stuck': 'waits in the pool',
  'execute.dropped': 'is dropped from the pool',
  'execute.response_lost': 'succeeds, and its response is lost',
  'execute.duplicate': 'is sent twice',
  'bridge.delay': 'takes longer',
  'bridge.stuck': 'stays unfilled',
  'bridge.refund': 'is refunded',
  'bridge.partial': 'brings less',
  'events.delay': 'comes late',
  'events.drop': 'is lost',
  'events.duplicate': 'comes twice',
  'events.reorder': 'comes out of order',
  'chain.down': 'does not answer',
  'chain.halt': 'mines no blocks',
  'chain.slow': 'answers slowly',
  'chain.reorg': 'replaces its newest blocks',
}

/** What a seam meets, where its name is not the word for it. */
const subjects: Readonly<Record<string, string>> = {
  execute: 'execution',
  events: 'event',
  chain: 'network',
}

/** What a fault rule does, in words: `Every plan of acc_… becomes stale (by nonce)`. */
export function faultWords({ on, effect, sequence, match, after, times }: Fault): string {
  const { network, ...others } = match
  const isOneNetwork = on === 'chain' && network !== undefined && network !== '*'
  const each = times === undefined ? 'Every' : times === 1 ? 'One' : `Each of ${times}`
  const noun = `${subjects[on] ?? on}${(times ?? 1) > 1 ? 's' : ''}`
  const subject = isOneNetwork ? `The network ${network}` : `${each} ${noun}`
  const narrowed = Object.entries(isOneNetwork ? others : match)
    .filter(([, value]) => value !== '*')
    .map(([name, value]) => ` ${prepositions[name] ?? name} ${value}`)
  const often = [
    ...(after > 0 ? [`after the first ${after}`] : []),
    ...(isOneNetwork && times ? [times === 1 ? 'once' : `${times} times`] : []),
  ]
  const outcome =
    effect === undefined
      ? `goes by turns: ${(sequence ?? []).map(nameOf).join(', ')}`
      : outcomeOf(on, effect)
  return [`${subject}${narrowed.join('')} ${outcome}`, ...often].join(', ')
}

const prepositions: Readonly<Record<string, string>> = {
  account_id: 'of',
  kind: 'of kind',
  network: 'on',
  asset: 'of',
  path: 'to',
  method: 'with',
}

type Step = NonNullable<Fault['effect']>

const nameOf = (step: Step): string =>
  typeof step === 'string' ? step : Object.keys(step).join(', ')

function outcomeOf(on: string, step: Step): string {
  const name = nameOf(step)
  const words = name.replaceAll('_', ' ')
  const outcome = outcomes[`${on}.${name}`] ?? (on === 'answer' ? `has ${words}` : `meets ${words}`)
  const settings = typeof step === 'string' ? {} : ((Object.values(step)[0] ?? {}) as object)
  const said = Object.entries(settings).map(([key, value]) => `${key} ${asText(value)}`)
  return said.length === 0 ? outcome : `${outcome} (${said.join(', ')})`
}
