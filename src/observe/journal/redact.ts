/**
 * Masks secrets in text: each becomes its public part and `***`. Finds them also where characters are written as in URLs (`%71`, once
 * or more often) or as in JSON (`\u0071`), all of them or some.
 */
export type Redactor = (text: string) => string

/** Compiles the patterns of the secrets once, so keep it for as long as the secrets are in use. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const masks = secrets.map((secret) => ({
    pattern: new RegExp(Array.from(secret, spellingsOf).join(''), 'g'),
    mask: maskOf(secret),
  }))
  return (text) =>
    masks.reduce((clean, { pattern, mask }) => clean.replace(pattern, () => mask), text)
}

/** The JSON value with secrets masked in its texts and in the names of its fields. */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, item]) => [redact(name), redactJson(item, redact)]))
}

/** One character in all its spellings. No two of them begin alike, so nothing is tried twice. */
function spellingsOf(character: string): string {
  const plain = character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25)*${anyCase(byte, 2)}`)
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const escaped = units.map((unit) => `\\\\u${anyCase(unit, 4)}`)
  return `(?:${plain}|${bytes.join('')}|${escaped.join('')})`
}

/** A pattern of hex digits in upper or lower case. */
function anyCase(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0')
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/** `qk_local0_***` of a key with a public part (service-facts 1), `***` of any other. */
function maskOf(secret: string): string {
  return /^qk_[^_]+_/.exec(secret)?.[0].concat('***') ?? '***'
}
