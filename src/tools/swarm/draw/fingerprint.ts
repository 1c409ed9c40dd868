import type { Schedule } from './draw.js'
import { effectOf } from './profiles.js'

/** Faults that are one and the same to the client: all was done, and it was not told so. */
const lostAnswers: readonly string[] = [
  'request.reset_after',
  'request.truncate',
  'execute.response_lost',
]

/** What an effect is to the client: many faults look alike from there. */
export function familyOf(effect: string, isDone = false): string {
  return isDone || lostAnswers.includes(effect) ? 'lost_answer' : effect
}

/** What findings of one cause have in common: the kind, and what it takes to bring it about, wherever it comes in. */
export function fingerprint({ kind }: { kind: string }, schedule: Schedule): string {
  const effects = schedule.map((rule) => {
    const { name, settings } = effectOf(rule)
    const family = familyOf(`${rule.on}.${name}`, settings.done === true)
    const detail = family === 'lost_answer' ? undefined : (settings.error ?? settings.by)
    return [family, detail].filter(Boolean).join('.')
  })
  return [kind, ...[...new Set(effects)].sort()].join(' ')
}
