/** How a clock starts. Frozen or auto, it is at 2026-01-01T00:00:00Z (or the chains' time where that is later) unless a time is given. */
export type ClockOption = string | { frozenAt: string | Date }

/** The option as `--clock` and the control API take it. */
export function clockText(clock: ClockOption): string {
  if (typeof clock === 'string') return clock
  const { frozenAt } = clock
  return `frozen@${typeof frozenAt === 'string' ? frozenAt : frozenAt.toISOString()}`
}

/** What ids and chances are drawn from: a whole number, 0 or more, in any form that holds it. */
export type SeedOption = bigint | number | string
