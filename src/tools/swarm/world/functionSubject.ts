import type { WorldClient } from '../../../clients/remote/worldClient.js'
import { keptOutput, type Subject } from './subject.js'

/** A function that gets the world. What it goes on with after its time is not stopped: it has to listen to the signal. */
export function functionSubject(
  work: (world: WorldClient, context: { signal: AbortSignal }) => Promise<unknown>,
): Subject {
  return {
    async act({ client }, hanging, signal) {
      const begun = performance.now()
      const ending = new AbortController()
      const both = AbortSignal.any([signal, ending.signal])
      let end = (_: 'late'): void => {}
      const late = new Promise<'late'>((resolve) => {
        end = resolve
      })
      const onAbort = (): void => end('late')
      const ends = AbortSignal.any([hanging, signal])
      ends.addEventListener('abort', onAbort, { once: true })
      const working = (async () => work(client, { signal: both }))().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const ended = await Promise.race([working, late])
      ends.removeEventListener('abort', onAbort)
      ending.abort()
      const tookMs = performance.now() - begun
      if (ended === 'late') return { exit: 1, hung: !signal.aborted, tookMs, output: '' }
      const output = ended ? String((ended.error as Error)?.stack ?? ended.error) : ''
      return { exit: ended ? 1 : 0, hung: false, tookMs, output: output.slice(-keptOutput) }
    },
    async close() {},
  }
}
