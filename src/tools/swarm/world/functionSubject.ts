import type { WorldClient } from '../../../clients/remote/worldClient.js'
import { keptOutput, type Subject } from './subject.js'

/** A function that gets the world. What it goes on with after its time is not stopped: it has to listen to the signal. */
export function functionSubject(
  work: (world: WorldClient, context: { signal: AbortSignal }) => Promise<unknown>,
): Subject {
  return {
    async act({ client }, end) {
      const begun = performance.now()
      const ending = new AbortController()
      let onAbort = (): void => {}
      const late = new Promise<'late'>((resolve) => {
        onAbort = () => resolve('late')
      })
      end.addEventListener('abort', onAbort, { once: true })
      const working = (async () => work(client, { signal: ending.signal }))().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const ended = await Promise.race([working, late])
      end.removeEventListener('abort', onAbort)
      ending.abort()
      const tookMs = performance.now() - begun
      if (ended === 'late') return { exit: 1, tookMs, output: '' }
      const output = ended ? String((ended.error as Error)?.stack ?? ended.error) : ''
      return { exit: ended ? 1 : 0, tookMs, output: output.slice(-keptOutput) }
    },
    async close() {},
  }
}
