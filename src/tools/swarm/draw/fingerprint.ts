import type { Schedule } from './draw.js'
import { effectOf } from './profiles.js'

/** What findings of one cause have in common: the kind, and what it takes to bring it about, wherever it comes in. */
export function fingerprint({ kind }: { kind: string }, schedule: Schedule): string {
  const effects = schedule.map((rule) => {
    const { name, settings } = effectOf(rule)
    return [rule.on, name, settings.error ?? settings.by].filter(Boolean).join('.')
  })
  return [kind, ...[...new Set(effects)].sort()].join(' ')
}
