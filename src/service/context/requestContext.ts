import { AsyncLocalStorage } from 'node:async_hooks'
import type { Note } from './notes.js'

/**
 * The request on whose behalf code runs. It follows every `await`, and also the work that a request leaves behind when it
 * has been answered: relaying its transactions, filling its bridges.
 */
export interface RequestScope {
  readonly requestId: string
  /** Its turn has come: what it waited for has happened before it. */
  begun?(): void
  /** What happened on behalf of the request, in order; the journal keeps it. */
  note(note: Note): void
  /** Cuts the connection without another byte; a no-op when the answer is out. */
  cut(): void
  /** Tells in the answer's header, as long as it is not out, that a fault rule fired. */
  faulted?(ruleId: string): void
}

const storage = new AsyncLocalStorage<RequestScope>()

/** Runs `work`, and all that it leaves behind, on behalf of the request. */
export function inScope<T>(scope: RequestScope, work: () => T): T {
  return storage.run(scope, work)
}

/** The request on whose behalf the caller runs; undefined for what the simulator does by itself. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore()
}

/** Notes what happened, when there is a request that it belongs to. */
export function note(entry: Note): void {
  storage.getStore()?.note(entry)
}
