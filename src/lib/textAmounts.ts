/** The JSON form of a value: every `bigint` is a decimal string. */
export type TextAmounts<T> = T extends bigint
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : { -readonly [Key in keyof T]: TextAmounts<T[Key]> }

/** Schemas with amounts parse the copy back to the same value. */
export function withTextAmounts<T>(value: T): TextAmounts<T> {
  return JSON.parse(
    JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? item.toString() : item)),
  )
}
