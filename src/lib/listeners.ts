/** Those who want to be told. `add` returns the unsubscribe function. */
export function createListeners<T>() {
  const all = new Set<(told: T) => void>()
  return {
    tell(told: T): void {
      for (const listener of [...all]) listener(told)
    },
    add(listener: (told: T) => void): () => void {
      all.add(listener)
      return () => void all.delete(listener)
    },
  }
}
