/**
 * The one clock. API time, plan expiry, long polls and event times read it; block times follow it.
 * Issue of fidelity: nothing else in the product may call `Date.now()` for service time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** Resolves to true when `ms` have gone by, to false as soon as `stop` is aborted. */
export type Wait = (ms: number, stop: AbortSignal) => Promise<boolean>

/** The machine's clock. */
export function realClock(): Clock {
  return { now: () => Date.now() }
}

/** Waiting by the machine's clock. */
export const realWait: Wait = (ms, stop) =>
  new Promise((resolve) => {
    if (stop.aborted) return resolve(false)
    const done = (due: boolean): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', onAbort)
      resolve(due)
    }
    const onAbort = (): void => done(false)
    const timer = setTimeout(() => done(true), ms)
    stop.addEventListener('abort', onAbort)
  })

/** Whole Unix seconds of the clock, as chains count them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** ISO 8601 in UTC with whole seconds and `Z`, as the service writes its timestamps. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
