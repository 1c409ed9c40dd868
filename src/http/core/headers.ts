import type { ServerResponse } from 'node:http'

/** On every response: the request's id in the log and the journal. */
export const requestIdHeader = 'x-svc-sim-request-id'

/** On responses: what was wrong, what to do next. */
export const hintHeader = 'x-svc-sim-hint'

/** On requests: a fault rule for this request alone, as JSON or `seam.effect`. On answers: the ids of the rules that fired. */
export const faultHeader = 'x-svc-sim-fault'

/** On every answer: what the machine's clock says, as an HTTP date. `Date` has the simulated time. */
export const realDateHeader = 'x-svc-sim-real-date'

/**
 * On reads by the dashboard, which is no client: request faults ignore them, and the journal, the timelines, the saved tests and the coverage
 * omit them.
 */
export const viewerHeader = 'x-svc-sim-viewer'

const maxHintLength = 600

/** Adds a hint to the answer, after the ones already there. */
export function addHint(res: ServerResponse, hint: string): void {
  const before = res.getHeader(hintHeader)
  const text = typeof before === 'string' ? `${before} ${hint}` : hint
  res.setHeader(hintHeader, headerSafe(text))
}

/** One line of printable ASCII of bounded length: header values allow no more without an encoding. */
export function headerSafe(text: string): string {
  const ascii = text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/…/g, '...')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()
  return ascii.length <= maxHintLength ? ascii : `${ascii.slice(0, maxHintLength - 3)}...`
}
