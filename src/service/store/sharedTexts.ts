/** More texts are not remembered: then it begins anew, so that what comes only once takes no memory for long. */
const maxTexts = 4096

/** Longer ones are hashes and data, which do not come again. An address has 42 characters. */
const longest = 42

const known = new Map<string, string>()

/**
 * Puts one copy of each text into the place of those that are equal to it, in this value and in all that were given before: records name the
 * same addresses, kinds and moments again and again, and each read from JSON has copies of its own. Changes the value, and returns it.
 */
export function shareTexts<T>(value: T): T {
  return share(value) as T
}

function share(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longest ? value : shared(value)
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = share(value[i])
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    for (const key of Object.keys(record)) {
      const inside = record[key]
      if (typeof inside === 'string' || typeof inside === 'object') record[key] = share(inside)
    }
  }
  return value
}

function shared(text: string): string {
  const one = known.get(text)
  if (one !== undefined) return one
  if (known.size >= maxTexts) known.clear()
  known.set(text, text)
  return text
}
