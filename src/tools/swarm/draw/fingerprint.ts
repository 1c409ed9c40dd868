import type { Schedule } from './draw.js'
import { effectOf } from './profiles.js'

/** Faults that are one and the same to the client: all was done, and it was not told so. */
const lostAnswers: readonly string[] = [
  'request.reset_after',
  'request.truncate',
  'execute.response_lost',
]

/** Requests that were not carried out, and may be sent again. */
const refusals: readonly string[] = [
  'request.respond',
  'request.reset_before',
  'request.rate_limit',
  'folio.timeout',
]

/**
 * What an effect is to the client: many faults look alike from there. A client that gives up may do so at one kind of refusal alone; one that
 * does a thing twice does so after any of them.
 */
export function familyOf(
  effect: string,
  { kind, isDone }: { kind: string; isDone: boolean },
): string {
  if (isDone || lostAnswers.includes(effect)) return 'lost_answer'
  return kind === 'moved_twice' && refusals.includes(effect) ? 'refused_request' : effect
}

/** What findings of one cause have in common: the kind, and what it takes to bring it about, wherever it comes in. */
export function fingerprint({ kind }: { kind: string }, schedule: Schedule): string {
  const effects = schedule.map((rule) => {
    const { name, settings } = effectOf(rule)
    const effect = `${rule.on}.${name}`
    const family = familyOf(effect, { kind, isDone: settings.done === true })
    const detail = family === effect ? (settings.error ?? settings.by) : undefined
    return [family, detail].filter(Boolean).join('.')
  })
  return [kind, ...[...new Set(effects)].sort()].join(' ')
}
