import { getAddress, isAddress } from 'viem/utils'
import { type ZodError, ZodObject, type ZodType, z } from 'zod'
import { type NetworkName, networkNames, networkOf } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { fieldsNaming } from '../../service/plans/model/fields.js'

const maxProblems = 8
const maxShown = 80

type RawIssue = z.core.$ZodRawIssue
type Issue = z.core.$ZodIssue
type Fields = Readonly<Record<string, unknown>>

/** Parses a body or query. Throws 400 `invalid_params` with one sentence that names every problem. */
export function parse<T>(schema: ZodType<T>, input: unknown, where: 'body' | 'query'): T {
  const result = schema.safeParse(input, { error: describeIssue })
  if (result.success) return result.data
  const hints = [
    ...refusedSlips(result.error.issues, input),
    fieldList(schema, where),
    // A strict schema has refused them already.
    isStrict(result.error) ? undefined : unknownFieldHint(schema, input, where),
  ]
  throw new ServiceError('invalid_params', describeZodError(result.error, input, where), {
    hint: hints.filter((hint) => hint !== undefined).join(' ') || undefined,
  })
}

function isStrict({ issues }: ZodError): boolean {
  return issues.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0)
}

/** For routes without a query or body. */
const nothing = z.object({})

/** Hints on unknown fields of a request, query first. */
export function strangersIn(
  route: { query?: ZodType; body?: { schema: ZodType } },
  query: unknown,
  body: unknown,
): string[] {
  const hints = [
    unknownFieldHint(route.query ?? nothing, query, 'query'),
    unknownFieldHint(route.body?.schema ?? nothing, body, 'body'),
  ]
  return hints.filter((hint) => hint !== undefined)
}

/** A hint on fields that were ignored because the schema does not know them. */
export function unknownFieldHint(
  schema: ZodType,
  input: unknown,
  where: 'body' | 'query',
): string | undefined {
  if (!(schema instanceof ZodObject) || !isRecord(input)) return undefined
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(schema.shape, key))
  if (unknown.length === 0) return undefined
  const names = unknown.slice(0, maxProblems).map((name) => name.slice(0, maxShown))
  return `Ignored in the ${where}, because not known: ${names.join(', ')}.`
}

/** Hints on an accepted request: unknown fields, and values that may mean something else. */
export function hintsOn(
  route: { query?: ZodType; body?: { schema: ZodType } },
  sent: { query: Fields; body: unknown },
  symbols: () => readonly string[],
): string[] {
  return [
    ...strangersIn(route, sent.query, sent.body),
    ...acceptedSlips(sent, route.body?.schema, symbols),
  ]
}

/** From here on, a number of seconds would be in the year 33658: it counts milliseconds. */
const surelyMilliseconds = 1e12

/**
 * Hints for accepted values that may not mean what the caller thinks: a cursor in milliseconds, an address whose casing is not its checksum,
 * an asset in another casing. `symbols` are those of all assets.
 */
export function acceptedSlips(
  { query, body }: { query: Fields; body: unknown },
  schema: ZodType | undefined,
  symbols: () => readonly string[],
): string[] {
  const fields = Object.entries((body ?? {}) as Fields)
  const assets = schema === undefined ? [] : fieldsNaming('asset', schema)
  return [
    Number(query.since) >= surelyMilliseconds
      ? 'since looks like milliseconds: cursors count seconds. Pass the cursor of the last response.'
      : [],
    fields.flatMap(([name, value]) => checksumHint(name, value) ?? []),
    fields
      .filter(([name]) => assets.includes(name))
      .flatMap(([name, value]) => casingHint(name, value, symbols) ?? []),
  ].flat()
}

/** Skips the signer, which has its own hint. */
function checksumHint(name: string, value: unknown): string | undefined {
  if (name === 'signer_address' || typeof value !== 'string') return undefined
  const isMixed = /^0x[0-9a-fA-F]{40}$/.test(value) && /[a-f]/.test(value) && /[A-F]/.test(value)
  if (!isMixed || isAddress(value)) return undefined
  const right = getAddress(value.toLowerCase())
  return `The casing of ${name} is not its EIP-55 checksum (${right}); check for a typing error.`
}

function casingHint(
  name: string,
  value: unknown,
  symbols: () => readonly string[],
): string | undefined {
  if (typeof value !== 'string') return undefined
  const all = symbols()
  if (all.includes(value)) return undefined
  const meant = all.find((symbol) => symbol.toLowerCase() === value.toLowerCase())
  return meant && `${name} was read as ${meant}; responses spell it so.`
}

/** One readable sentence for all problems of a parse: field, what is allowed, what was received. */
function describeZodError({ issues }: ZodError, input: unknown, where: 'body' | 'query'): string {
  const shown = issues.slice(0, maxProblems).map((issue) => describeProblem(issue, input, where))
  const more = issues.length - maxProblems
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function describeProblem(issue: Issue, input: unknown, where: 'body' | 'query'): string {
  const path = issue.path.map(String).join('.').slice(0, maxShown)
  const received = valueAt(input, issue.path)
  if (path === '') {
    if (issue.code === 'custom') return issue.message
    return `the ${where} ${issue.message}, ${input === undefined ? 'but there is none' : `received ${show(input)}`}`
  }
  if (received === undefined) return `${path} is missing: it ${issue.message}`
  return `${path} ${issue.message}, received ${show(received)}`
}

/** Default messages for schemas without one. Each continues a sentence that starts with the field. */
function describeIssue(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${['object', 'record'].includes(issue.expected) ? 'JSON object' : issue.expected}`
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value)).join(', ')
      return issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}`
    }
    case 'too_small':
      if (issue.inclusive === false) return `must be greater than ${issue.minimum}`
      return `must have at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must have at most ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_union': {
      const types = issue.errors.flat().map((each) => describeIssue(each as RawIssue))
      return [...new Set(types.filter((text) => text !== undefined))].join(' or ') || undefined
    }
    case 'invalid_format':
      return `must have the format ${issue.pattern ?? issue.format}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, maxProblems).join(', ')}${allowedKeys(issue.inst)}`
    default:
      return undefined
  }
}

function allowedKeys(schema: unknown): string {
  const keys = schema instanceof ZodObject ? Object.keys(schema.shape) : []
  return keys.length === 0 ? '' : ` (allowed: ${keys.join(', ')})`
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' || origin === 'set' ? ' items' : ' as its value'
}

/** The received value as JSON, cut to a bounded length. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    const cut = value.length > maxShown
    return JSON.stringify(cut ? `${value.slice(0, maxShown)}…` : value)
  }
  let text: string
  try {
    text = JSON.stringify(value) ?? String(value)
  } catch {
    // JSON text may nest deeper than the stack that would be needed to write it again.
    return 'a deeply nested value'
  }
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

/** The fields that a schema takes, for the hint; undefined for schemas that are not plain objects. */
function fieldList(schema: ZodType, where: 'body' | 'query'): string | undefined {
  if (!(schema instanceof ZodObject)) return undefined
  const names = Object.entries(schema.shape as Record<string, ZodType>).map(([name, field]) =>
    field.safeParse(undefined).success ? `${name} (optional)` : name,
  )
  return `Fields of the ${where}: ${names.join(', ')}. See /docs.`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type SlipIssue = Pick<Issue, 'path' | 'code'> & { expected?: string }

/** Other names of networks, each with the name that requests use. */
const networkAliases = new Map<string, NetworkName>(
  Object.entries({
    ...Object.fromEntries(networkNames.map((name) => [name, name])),
    ...Object.fromEntries(networkNames.map((name) => [networkOf(name).folioName, name])),
    ...Object.fromEntries(networkNames.map((name) => [String(networkOf(name).chainId), name])),
    ...({ eth: 'mainnet', 'arbitrum one': 'arbitrum', arb: 'arbitrum' } as const),
    ...({ op: 'optimism', 'op mainnet': 'optimism', matic: 'polygon' } as const),
  }),
)

/** Hints for values that were refused and look like a known slip; each says what to send. */
export function refusedSlips(issues: readonly SlipIssue[], input: unknown): string[] {
  const hints = issues.flatMap(({ path: [name], expected }) => {
    if (typeof name !== 'string') return []
    const value = (input as Fields | undefined)?.[name]
    if (typeof value === 'number') return expected === 'string' ? numberHint(name, value) : []
    return refusedSlip(name, value) ?? []
  })
  return [...new Set(hints)]
}

function refusedSlip(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (name === 'network') return networkHint(value)
  if (/^(true|false)$/i.test(value)) return `Write ${name} in lower case: ${value.toLowerCase()}.`
  const digits = plainDigits(value)
  if (digits === undefined) return undefined
  // A caller that sends a fraction may mean whole tokens.
  const unit = value.includes('.') ? ' It counts the smallest unit: 1 USDC is "1000000".' : ''
  return `Write ${name} as plain digits: "${digits}".${unit}`
}

function numberHint(name: string, value: number): string {
  return Number.isSafeInteger(value)
    ? `Send ${name} as text: "${value}".`
    : `Send ${name} as text: a JSON number does not carry it exactly.`
}

function networkHint(value: string): string | undefined {
  const name = networkAliases.get(value.toLowerCase())
  if (name === undefined) return undefined
  const { folioName } = networkOf(name)
  const inFolio = folioName === name ? '' : ` Folio keys call it ${folioName}.`
  return `Did you mean "${name}"?${inFolio}`
}

/** The integer that a text such as `1e6`, `5.00` or `1,000` means; undefined when it means none. */
function plainDigits(text: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d{1,78})(?:\.(\d{1,78}))?(?:e\+?(\d{1,2}))?$/i.exec(
      text.replace(/(?<=\d)[_,](?=\d{3})/g, ''),
    ) ?? []
  if (whole === undefined) return undefined
  const places = Number(exponent)
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > places) return undefined
  const digits = (whole + kept.padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  return digits === text ? undefined : digits
}
