/** No world can be leased now. */
export class NoWorldError extends Error {
  override name = 'NoWorldError'
}

/** A request in the queue. */
interface Waiting<Wanted, Result> {
  request: Wanted
  /** Ends the wait; the caller's promise follows `result`. */
  settle(result: Promise<Result>): void
}

/** Requests that wait for a resource that has run out, in the order of their arrival. */
export interface Queue<Wanted, Result> {
  /** Waits; rejects with `NoWorldError` when it takes too long, and when the request's signal is aborted. */
  wait(request: Wanted): Promise<Result>
  /** Refuses the latest requests until at most `max` wait. */
  shorten(): void
  first(): Waiting<Wanted, Result> | undefined
  length(): number
  refuseAll(cause: Error): void
}

/** Makes a queue in which `max` requests may wait, each for `waitMs`. */
export function createQueue<Wanted extends { signal?: AbortSignal }, Result>({
  max,
  waitMs,
}: {
  max: number
  waitMs: number
}): Queue<Wanted, Result> {
  const waiting: (Waiting<Wanted, Result> & { refuse(cause: Error): void })[] = []
  return {
    wait: (request) =>
      new Promise((resolve, reject) => {
        const { signal } = request
        const leave = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          const at = waiting.indexOf(one)
          if (at >= 0) waiting.splice(at, 1)
        }
        const one = {
          request,
          settle(result: Promise<Result>) {
            leave()
            result.then(resolve, reject)
          },
          refuse(cause: Error) {
            leave()
            reject(cause)
          },
        }
        const onAbort = (): void => one.refuse(new NoWorldError('the caller has disconnected'))
        const timer = setTimeout(
          () => one.refuse(new NoWorldError(`none was released within ${waitMs / 1000} s`)),
          waitMs,
        ).unref()
        signal?.addEventListener('abort', onAbort)
        waiting.push(one)
        if (signal?.aborted) onAbort()
      }),
    shorten() {
      while (waiting.length > max)
        waiting.at(-1)!.refuse(new NoWorldError(`${max} requests wait for one already`))
    },
    first: () => waiting[0],
    length: () => waiting.length,
    refuseAll(cause) {
      for (const one of [...waiting]) one.refuse(cause)
    },
  }
}
