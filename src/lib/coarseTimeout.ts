/**
 * Timers for what may have come already. A process that stood still (a busy machine, a debugger) finds its timers due before it
 * hears what has happened meanwhile. These let it hear that first, so that what has come can still cancel them.
 */

/**
 * Calls back after so many milliseconds of the machine, unless it is cancelled before. Keeps no program alive.
 *
 * @returns How to cancel it.
 */
export function coarseTimeout(ms: number, onOver: () => void): () => void {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // Node looks for what has come between the two; it may run the first one before that.
    turn = setImmediate(() => {
      turn = setImmediate(onOver)
    })
  }, ms).unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}

/** The same for `pTimeout`, as its `customTimers`: the handle of a timer is the function that cancels it. */
export const coarseTimers = {
  setTimeout: ((onOver: () => void, ms: number) =>
    coarseTimeout(ms, onOver)) as unknown as typeof setTimeout,
  clearTimeout: ((cancel?: () => void) => cancel?.()) as unknown as typeof clearTimeout,
}
