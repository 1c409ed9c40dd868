/**
 * A timeout that lets pending events cancel it: when the process was suspended (busy machine, debugger), Node would run its timers before
 * the events that arrived meanwhile. Milliseconds of the machine; does not keep the program alive.
 *
 * @returns Cancels it.
 */
export function coarseTimeout(ms: number, onOver: () => void): () => void {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // Node handles arrived events between the two immediates; it may run the first one before that.
    turn = setImmediate(() => {
      turn = setImmediate(onOver)
    })
  }, ms).unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}

/** `coarseTimeout` as the `customTimers` of `pTimeout`. The handle of a timer is its cancel function. */
export const coarseTimers = {
  setTimeout: ((onOver: () => void, ms: number) =>
    coarseTimeout(ms, onOver)) as unknown as typeof setTimeout,
  clearTimeout: ((cancel?: () => void) => cancel?.()) as unknown as typeof clearTimeout,
}
