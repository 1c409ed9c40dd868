/** `add` returns the unsubscribe function. */
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

/** Like `createListeners`, with separate listeners for each key. */
export function createKeyedListeners<T>() {
  const all = new Map<string, Set<(message: T) => void>>()
  return {
    publish(key: string, message: T): void {
      for (const listener of [...(all.get(key) ?? [])]) listener(message)
    },
    add(key: string, listener: (message: T) => void): () => void {
      const own = all.get(key) ?? new Set()
      all.set(key, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && all.get(key) === own) all.delete(key)
      }
    },
  }
}
