import type { Wait } from '../../time/clock.js'
import type { EventRecord, Store } from '../store/store.js'

/**
 * Events of the account with a cursor above `since`, oldest first: at once when there are some, otherwise as soon as
 * the next one comes. Answers an empty list when `timeoutMs` pass without one, by the clock, or when `signal` aborts.
 */
export async function waitForEvents(
  store: Store,
  accountId: string,
  since: number,
  options: { timeoutMs: number; wait: Wait; signal?: AbortSignal },
): Promise<EventRecord[]> {
  const { timeoutMs, wait, signal } = options
  const answered = new AbortController()
  // With a reason of its own: the default one is an error with its stack.
  const stopWaiting = (): void => answered.abort('answered')
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = () => {
      // Nobody waits for the clock from here on.
      stopWaiting()
      resolve()
    }
  })
  // Listening begins before reading, so an event that comes in between is not missed.
  const unsubscribe = store.onEvent(accountId, (event) => {
    if (event.cursor > since) wake()
  })
  wait(timeoutMs, answered.signal).then(wake)
  signal?.addEventListener('abort', wake)
  try {
    const present = await store.events(accountId, since)
    if (present.length > 0) return present
    if (!signal?.aborted) await woken
    return signal?.aborted ? [] : await store.events(accountId, since)
  } finally {
    unsubscribe()
    stopWaiting()
    signal?.removeEventListener('abort', wake)
  }
}
