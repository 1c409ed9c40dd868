/**
 * Text without secrets: what follows the public part of each becomes `***`. Also where its characters are written as in URLs
 * (`%71`, once or more often) or as in JSON (`\u0071`), all of them or some.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => clean.replace(patternOf(secret), () => maskOf(secret)),
    text,
  )
}

/** The same for a whole JSON value: its texts and the names of its fields, and nothing else. */
export function redactJson(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets)
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(
    fields.map(([name, item]) => [redact(name, secrets), redactJson(item, secrets)]),
  )
}

/** A cache: a pattern follows from its secret alone, and every line of the log needs those of the same few. */
const patterns = new Map<string, RegExp>()

function patternOf(secret: string): RegExp {
  const known = patterns.get(secret)
  if (known) return known
  const pattern = new RegExp(Array.from(secret, spellingsOf).join(''), 'g')
  patterns.set(secret, pattern)
  return pattern
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
