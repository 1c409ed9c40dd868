import type { JournalPage } from '../../../observe/journal/page.js'

/** A recorded request of the journal, with the machine's times. */
export type Exchange = JournalPage['exchanges'][number]

/** Whether a request went to the service: everything else is the simulator's own. */
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

/** The account that a request names in its path. */
export function accountInUrl(url: string): string | undefined {
  return /^\/accounts\/(acc_[^/?]+)/.exec(url)?.[1]
}

/** Whether a request executes a plan. */
export function isExecute({ method, url }: Pick<Exchange, 'method' | 'url'>): boolean {
  return method === 'POST' && routeOf(url) === '/accounts/*/plan/execute'
}

/** What the client got: `cut`, `none` for an unanswered request, or status and code, such as `409 plan_stale`. */
export function answerText({ answer }: Exchange): string {
  if (!answer) return 'no answer'
  if (answer.cut) return 'a cut connection'
  const { error } = (answer.body ?? {}) as { error?: string }
  return error === undefined ? String(answer.status) : `${answer.status} ${error}`
}

/** The effects that fired at a request, with the ids of their rules. */
export function firedAt({ notes }: Exchange): { rule: string; effect: string }[] {
  return notes.flatMap((note) =>
    note.type === 'fault' && typeof note.effect === 'string'
      ? [{ rule: String(note.rule), effect: note.effect }]
      : [],
  )
}

/** Whether a rule kills the client. */
export function isCrash({ on, effect }: { on?: string; effect?: unknown }): boolean {
  const name = typeof effect === 'string' ? effect : Object.keys(effect ?? {})[0]
  return `${on}.${name}` === crashEffect
}

/** Whether the client was killed at a request. */
export function isLast(exchange: Exchange): boolean {
  return firedAt(exchange).some(({ effect }) => effect === crashEffect)
}

const crashEffect = 'request.crash'

/** When its answer was out, by the machine's clock; never for one that is still open. */
export function answeredMs({ received_ms, answer }: Exchange): number {
  return answer ? received_ms! + (answer.took_ms ?? 0) : Number.POSITIVE_INFINITY
}

/** A request with its answer: `GET /networks (500 internal_error)`. */
export function callText(exchange: Exchange): string {
  return `${exchange.method} ${exchange.url} (${answerText(exchange)})`
}

/** Whether it was refused or cut, or a fault fired at it. */
export function isTrouble(exchange: Exchange): boolean {
  return isRefused(exchange) || firedAt(exchange).length > 0
}

/** Whether it brought no whole answer, or an error. */
export function isRefused({ answer }: Exchange): boolean {
  return !answer || answer.cut || answer.status >= 400
}

/** The same method and path; queries may differ. */
export function isSameCall(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && pathOf(one) === pathOf(other)
}

/** Its URL without the query. */
export function pathOf({ url }: Exchange): string {
  return url.split('?')[0]!
}
