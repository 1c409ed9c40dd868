import type { SwarmProgress } from '../types.js'
import { plural } from './plural.js'

/** Without a terminal, a line comes so often. Milliseconds. */
const lineEveryMs = 10_000
/** At a terminal, the line is written anew at most so often. Milliseconds. */
const redrawEveryMs = 100

/** Shows how far a search has come: one line that changes at a terminal, and a line each ten seconds elsewhere. */
export function showProgress(
  stream: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean },
  now: () => number = () => performance.now(),
) {
  let shownAt = now()
  let isOpen = false
  return {
    onProgress(progress: SwarmProgress): void {
      const every = stream.isTTY ? redrawEveryMs : lineEveryMs
      if (now() - shownAt < every) return
      shownAt = now()
      if (stream.isTTY) stream.write(`\r\u001b[K${progressText(progress)}`)
      else stream.write(`svc-sim: ${progressText(progress)}\n`)
      isOpen = stream.isTTY ?? false
    },
    /** Leaves the line, so that something else can be written. */
    end(): void {
      if (isOpen) stream.write('\r\u001b[K')
      isOpen = false
    },
  }
}

function progressText({ runs, findings, examining, elapsedMs, cells }: SwarmProgress): string {
  const each = (runs / (elapsedMs / 1000)).toFixed(1)
  const shrinking = examining > 0 ? `, shrinking ${examining}` : ''
  return `${plural(runs, 'run')}, ${plural(findings, 'finding')}${shrinking}, ${each} runs/s, ${plural(cells, 'documented error')} met`
}
