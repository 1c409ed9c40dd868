import { z } from 'zod'
import { yieldFor } from '../../time/backgroundTasks.js'
import type { Wait } from '../../time/clock.js'

/** A time span of the clock, from a millisecond to a day. */
export const secondsField = z.number().min(0.001).max(86_400).meta({
  description: 'Seconds of the clock, from 0.001 to 86400; parts of a second count.',
  example: 2.5,
})

/** A time span in milliseconds, up to ten minutes; the effect says of which clock. */
export const msField = z.int().min(1).max(600_000).meta({ example: 200 })

/** For effects that last until their rule is removed, or for a while. */
export const persistentSettings = z.strictObject({
  ms: msField.optional().meta({
    description: 'Ends by itself after this many milliseconds of real time; the rule stays listed.',
    example: 1_000,
  }),
})

/** Waits until the time has passed by the clock (for ever without one) or one of the signals aborts. True when it was a signal. */
export async function waitOrGone(
  wait: Wait,
  seconds: number | undefined,
  signals: readonly AbortSignal[],
): Promise<boolean> {
  const either = AbortSignal.any([...signals])
  if (either.aborted) return true
  if (seconds !== undefined) return !(await wait(seconds * 1000, either))
  const signalled = new Promise<void>((resolve) =>
    either.addEventListener('abort', () => resolve(), { once: true }),
  )
  await yieldFor(signalled)
  return true
}
