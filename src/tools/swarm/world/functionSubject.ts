import type { WorldFace } from '../../../clients/remote/worldFace.js'
import { keptOutput, type Subject } from './subject.js'

/** A function that gets the world. What it goes on with after its time is not stopped: it has to listen to the signal. */
export function functionSubject(
  work: (world: WorldFace, context: { signal: AbortSignal }) => Promise<unknown>,
): Subject {
  return {
    async act({ face }, timeoutMs, signal) {
      const begun = performance.now()
      const ending = new AbortController()
      const both = AbortSignal.any([signal, ending.signal])
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), timeoutMs)
        signal.addEventListener('abort', () => resolve('late'), { once: true })
      })
      const working = (async () => work(face, { signal: both }))().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const ended = await Promise.race([working, late])
      clearTimeout(timer)
      ending.abort()
      const tookMs = performance.now() - begun
      if (ended === 'late') return { exit: 1, hung: !signal.aborted, tookMs, output: '' }
      const output = ended ? String((ended.error as Error)?.stack ?? ended.error) : ''
      return { exit: ended ? 1 : 0, hung: false, tookMs, output: output.slice(-keptOutput) }
    },
    async close() {},
  }
}
