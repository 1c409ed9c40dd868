/**
 * Queues by key: work of one key runs one at a time, in the order of the calls; work of different keys runs side by side.
 * A rejection reaches its own caller and does not stop the queue. A key is forgotten when its queue is empty.
 */
export function serialQueues<Key>() {
  const last = new Map<Key, Promise<unknown>>()
  return <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, result)
    const forget = (): void => {
      if (last.get(key) === result) last.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}

/** One queue: work runs one at a time, in the order of the calls. A rejection reaches its own caller and does not stop the queue. */
export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = serialQueues<'all'>()
  return (work) => inTurn('all', work)
}
