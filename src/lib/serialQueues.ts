/**
 * Queues by key: work of one key runs one at a time, in the order of the calls; work of different keys runs side by side.
 * A rejection reaches its own caller and does not stop the queue. Keys are held weakly, so a queue goes with its key.
 */
export function serialQueues<Key extends object>() {
  const last = new WeakMap<Key, Promise<unknown>>()
  return <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work, work)
    last.set(
      key,
      result.catch(() => {}),
    )
    return result
  }
}
