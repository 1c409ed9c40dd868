/** Copies of JSON values, with something changed on the way. */

/** An object of an answer. */
export type JsonObject = Record<string, unknown>

/** The place of a value: the keys that lead to it, `[]` for an element of a list. */
export type JsonPlace = readonly string[]

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy in which `change` has replaced every object, innermost first. */
export function mapObjects(
  value: unknown,
  change: (object: JsonObject, place: JsonPlace) => JsonObject,
  place: JsonPlace = [],
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change, [...place, '[]']))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inside]) => [
    key,
    mapObjects(inside, change, [...place, key]),
  ])
  return change(Object.fromEntries(entries), place)
}

/** A copy in which `change` has replaced every text. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key, mapTexts(inside, change)]),
  )
}

/** Whether the keys of the object there are data: symbols, networks, or keys of the folio. Its values are alike, so no other may stand among them. */
export function isTable(object: JsonObject, place: JsonPlace): boolean {
  const keys = Object.keys(object)
  return (
    ['assets', 'networks', 'collaterals', 'supplies'].includes(place.at(-1) ?? '') ||
    keys.some((key) => key.includes('/')) ||
    (place.at(-2) === 'folio' && keys.length === 0)
  )
}

/** Only these fields of an object, as far as it has them. */
export function pick(object: unknown, fields: readonly string[]): JsonObject {
  if (!isObject(object)) return {}
  return Object.fromEntries(Object.entries(object).filter(([key]) => fields.includes(key)))
}
