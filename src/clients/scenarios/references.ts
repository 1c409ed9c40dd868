/** What references can name: accounts and the results of steps, by their names. */
export type ReferenceValues = ReadonlyMap<string, unknown>

const whole = /^\{\{\s*([^{}]+?)\s*\}\}$/
const inside = /\{\{\s*([^{}]+?)\s*\}\}/g

/** A reference to something that does not exist; the message says where it stopped. */
class BadReference extends Error {
  override name = 'BadReference'
}

/**
 * Replaces every `{{name.field.0}}` in the texts of a JSON value by what it leads to: names of accounts and steps, then fields
 * and list positions. A text that is nothing but one reference becomes the value itself. Only looks up, evaluates nothing.
 */
export function resolve<T>(value: T, known: ReferenceValues): T {
  if (typeof value === 'string') {
    const only = whole.exec(value)
    if (only) return lookUp(only[1]!, known) as T
    return value.replace(inside, (_, path: string) => String(lookUp(path, known))) as T
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, known)) as T
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [
      resolve(key, known),
      resolve(item, known),
    ])
    return Object.fromEntries(entries)
  }
  return value
}

/** Every reference in a JSON value with its path; a reference in a key has the path of the value. */
export function referencesIn(
  value: unknown,
  at: readonly PropertyKey[] = [],
): { reference: string; path: readonly PropertyKey[] }[] {
  const ofText = (text: string, path: readonly PropertyKey[]) =>
    [...text.matchAll(inside)].map(([, reference]) => ({ reference: reference!, path }))
  if (typeof value === 'string') return ofText(value, at)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    return [...ofText(key, path), ...referencesIn(item, path)]
  })
}

function lookUp(path: string, known: ReferenceValues): unknown {
  const [name = '', ...fields] = path.split('.')
  if (!known.has(name)) {
    throw new BadReference(
      `{{${path}}}: there is no "${name}"; known: ${[...known.keys()].join(', ')}`,
    )
  }
  return fields.reduce((value: unknown, field, i) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, field)) {
      return (value as Record<string, unknown>)[field]
    }
    const reached = [name, ...fields.slice(0, i)].join('.')
    const has =
      typeof value === 'object' && value !== null
        ? `it has ${Object.keys(value).join(', ')}`
        : `it is ${JSON.stringify(value)}`
    throw new BadReference(`{{${path}}}: "${reached}" has no "${field}"; ${has}`)
  }, known.get(name))
}
