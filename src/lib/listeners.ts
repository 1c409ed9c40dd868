/** Those who want to be told. `add` returns the unsubscribe function. */
export function createListeners<T>() {
  const all = new Set<(message: T) => void>()
  return {
    publish(message: T): void {
      for (const listener of [...all]) listener(message)
    },
    add(listener: (message: T) => void): () => void {
      all.add(listener)
      return () => void all.delete(listener)
    },
  }
}
