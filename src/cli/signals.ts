import { constants } from 'node:os'

/** The signals that ask the program to stop: Ctrl-C, an ordinary kill, and the terminal being closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof stopSignals)[number]

/**
 * Signals this close together are one request. Under npx a Ctrl-C arrives twice, from the terminal and passed on by npm,
 * and the second must not cut short the saving that the first began.
 */
const oneRequestMs = 300

/** Calls `heard` at every stop signal, instead of the sudden end they would be; the answer takes that back. */
export function onStopSignal(heard: (signal: StopSignal) => void): () => void {
  for (const signal of stopSignals) process.on(signal, heard)
  return () => {
    for (const signal of stopSignals) process.off(signal, heard)
  }
}

/**
 * Resolves at the first stop signal. A second one, by somebody who does not want to wait for a clean stop, ends the program
 * with 130 at once; the watchdog then ends the nodes.
 */
export function stopRequested(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    onStopSignal((signal) => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        resolve(signal)
      } else if (performance.now() - firstAt > oneRequestMs) {
        process.exit(130)
      }
    })
  })
}

/** The exit code of a program that a signal ended, as shells count: 130 for SIGINT. */
export function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}
