/** There is no world for a lease now. */
export class NoWorldError extends Error {
  override name = 'NoWorldError'
}

/** Somebody who waits. */
interface Waiting<Request, Result> {
  request: Request
  /** Its wait is over; it gets what the promise does. */
  settle(result: Promise<Result>): void
}

/** Those who wait for something of which there is no more, in the order in which they came. */
export interface Queue<Request, Result> {
  /** Waits; rejects with `NoWorldError` when it takes too long, and when the request's signal is aborted. */
  wait(request: Request): Promise<Result>
  /** Refuses those who came last, until no more wait than may. */
  shorten(): void
  first(): Waiting<Request, Result> | undefined
  length(): number
  refuseAll(cause: Error): void
}

/** Makes a queue in which `most` may wait, each for `waitMs`. */
export function createQueue<Request extends { signal?: AbortSignal }, Result>({
  most,
  waitMs,
}: {
  most: number
  waitMs: number
}): Queue<Request, Result> {
  const waiting: (Waiting<Request, Result> & { refuse(cause: Error): void })[] = []
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
      while (waiting.length > most)
        waiting.at(-1)!.refuse(new NoWorldError(`${most} requests wait for one already`))
    },
    first: () => waiting[0],
    length: () => waiting.length,
    refuseAll(cause) {
      for (const one of [...waiting]) one.refuse(cause)
    },
  }
}
