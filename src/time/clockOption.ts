/** How a clock starts. Without a time, a frozen or auto clock starts at 2026-01-01T00:00:00Z, or at the chains' time if that is later. */
export type ClockOption = string | { frozenAt: string | Date }

/** The text form that `--clock` and the control API take. */
export function clockText(clock: ClockOption): string {
  if (typeof clock === 'string') return clock
  const { frozenAt } = clock
  return `frozen@${typeof frozenAt === 'string' ? frozenAt : frozenAt.toISOString()}`
}

/** The seed of ids and random choices: a whole number, 0 or more. */
export type SeedOption = bigint | number | string
