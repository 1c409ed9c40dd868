import type { JournalPage } from '../../../observe/journal/page.js'

/** A request of the journal, with times by the machine's clock. */
export type Exchange = JournalPage['exchanges'][number]

/** Everything else is the simulator's own. */
export function isOfService({ url }: Pick<Exchange, 'url'>): boolean {
  return /^\/(accounts|activities|networks|assets|markets|prime_account)\b/.test(url)
}

/** The path of a request as rules match it: ids are `*`. */
export function routeOf(url: string): string {
  const [path = ''] = url.split('?')
  return path
    .split('/')
    .map((part) => (/^((acc|act|pln|qi)_.*|\d+)$/.test(part) ? '*' : part))
    .join('/')
}

export function accountInUrl(url: string): string | undefined {
  return /^\/accounts\/(acc_[^/?]+)/.exec(url)?.[1]
}

export function isExecute({ method, url }: Pick<Exchange, 'method' | 'url'>): boolean {
  return method === 'POST' && routeOf(url) === '/accounts/*/plan/execute'
}

/** `a cut connection`, `no answer`, or status and code, such as `409 plan_stale`. */
export function answerText({ answer }: Exchange): string {
  if (!answer) return 'no answer'
  if (answer.cut) return 'a cut connection'
  const { error } = (answer.body ?? {}) as { error?: string }
  return error === undefined ? String(answer.status) : `${answer.status} ${error}`
}

/** The faults that fired at a request. */
export function firedAt({ notes }: Exchange): { rule: string; effect: string }[] {
  return notes.flatMap((note) =>
    note.type === 'fault' && typeof note.effect === 'string'
      ? [{ rule: String(note.rule), effect: note.effect }]
      : [],
  )
}

export function isCrash({ on, effect }: { on?: string; effect?: unknown }): boolean {
  const name = typeof effect === 'string' ? effect : Object.keys(effect ?? {})[0]
  return `${on}.${name}` === crashEffect
}

/** Whether a fault killed the client at this request. */
export function isKilledAt(exchange: Exchange): boolean {
  return firedAt(exchange).some(({ effect }) => effect === crashEffect)
}

const crashEffect = 'request.crash'

/** When the response was sent, by the machine's clock; infinite while there is none. */
export function answeredMs({ received_ms, answer }: Exchange): number {
  return answer ? received_ms! + (answer.took_ms ?? 0) : Number.POSITIVE_INFINITY
}

/** A request with its answer: `GET /networks (500 internal_error)`. */
export function callText(exchange: Exchange): string {
  return `${exchange.method} ${exchange.url} (${answerText(exchange)})`
}

export function isTrouble(exchange: Exchange): boolean {
  return isRefused(exchange) || firedAt(exchange).length > 0
}

/** Whether the client got no whole response, or an error. */
export function isRefused({ answer }: Exchange): boolean {
  return !answer || answer.cut || answer.status >= 400
}

/** The same method and path; queries may differ. */
export function isSameCall(exchange: Exchange, other: Exchange): boolean {
  return exchange.method === other.method && pathOf(exchange) === pathOf(other)
}

export function pathOf({ url }: Exchange): string {
  return url.split('?')[0]!
}
