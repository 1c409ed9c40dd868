import { readFileSync, statSync } from 'node:fs'
import { isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { nameProblems, type Vocabulary } from './names.js'
import { type Scenario, scenarioSchema } from './schema.js'

/** A scenario file cannot be used. Each line of the message is one problem: `FILE:LINE:COLUMN PATH: what is wrong`. */
export class ScenarioFileError extends Error {
  override name = 'ScenarioFileError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** A larger file is not a scenario. */
const maxBytes = 1024 * 1024

/**
 * Throws `ScenarioFileError` with file, line and path of every problem. With the vocabulary of a simulator, unknown kinds and effects are
 * problems too.
 */
export function loadScenario(file: string, words?: Vocabulary): Scenario {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > maxBytes) throw new Error(`it has ${size} bytes; at most ${maxBytes} are read`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ScenarioFileError([`${file}: cannot be read: ${(error as Error).message}`])
  }
  return parseScenario(text, file, words)
}

export function parseScenario(text: string, file: string, words?: Vocabulary): Scenario {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
  })
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  if (document.errors.length > 0) {
    throw new ScenarioFileError(
      document.errors.map((error) => `${place(error.pos[0])} ${error.message}`),
    )
  }
  const numbers = hexNumbersIn(document)
  if (numbers.length > 0)
    throw new ScenarioFileError(
      numbers.map(({ path, source }) =>
        problem(path, `${source.slice(0, 80)} must be in quotes: YAML reads it as a number`),
      ),
    )
  const parsed = scenarioSchema.safeParse(plainOf(document, file), { error: inPlainWords })
  if (parsed.success) {
    const wrong = nameProblems(parsed.data, words)
    if (wrong.length === 0) return parsed.data
    throw new ScenarioFileError(wrong.map(({ path, why }) => problem(path, why)))
  }
  throw new ScenarioFileError(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => problem([...issue.path, key], unknownKey(issue.path, key)))
        : [problem(issue.path, withMeaning(issue))],
    ),
  )

  function problem(path: readonly PropertyKey[], why: string): string {
    return `${place(offsetOf(path))} ${path.map(String).join('.') || '(file)'}: ${why}`
  }

  /** The offset of a value; of the place that lacks it when it is missing. */
  function offsetOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length) as string[], true)
      if (isNode(node) && node.range) return node.range[0]
    }
    return 0
  }
}

/** YAML reads hex without quotes as numbers. */
function hexNumbersIn(document: ReturnType<typeof parseDocument>) {
  const hexNumbers: { path: PropertyKey[]; source: string }[] = []
  visit(document, {
    Scalar(key, { value, source = '' }, ancestors) {
      if (typeof value !== 'number' || !/^[-+]?0x/i.test(source)) return
      const places = [...ancestors, key]
      const path = places.flatMap((place, i): PropertyKey[] => {
        if (isPair(place)) return [String(isScalar(place.key) ? place.key.value : place.key)]
        const inside = places[i + 1]
        if (!isSeq(place)) return []
        return [typeof inside === 'number' ? inside : place.items.indexOf(inside)]
      })
      hexNumbers.push({ path, source })
    },
  })
  return hexNumbers
}

/** Undefined aliases and alias bombs are errors of the file. */
function plainOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new ScenarioFileError([`${file}:1:1 ${(error as Error).message}`])
  }
}

const nouns: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map (name: value)',
  record: 'a map (name: value)',
  null: 'empty',
}

function nounOf(value: unknown): string {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return nouns[type] ?? type
}

/** Messages for types, where the schema has none. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'nonoptional') return 'is missing'
  const wanted = `must be ${nouns[issue.expected] ?? issue.expected}`
  return issue.input === undefined
    ? `is missing; it ${wanted}`
    : `${wanted}, but is ${nounOf(issue.input)}`
}

/** Adds the description of a missing value. */
function withMeaning({ path, message }: z.core.$ZodIssue): string {
  const meaning = message.startsWith('is missing') && schemaAt(scenarioSchema, path)?.description
  return meaning ? `${message}: ${meaning}` : message
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const allowed = keysAt(scenarioSchema, path)
  return `"${key}" is unknown here${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}` : ''}`
}

interface Inner {
  description?: string
  def?: {
    innerType?: Inner
    element?: Inner
    valueType?: Inner
    keyType?: { def?: { entries?: Record<string, string> } }
    shape?: Record<string, Inner>
  }
}

function schemaAt(schema: unknown, path: readonly PropertyKey[]): Inner | undefined {
  let at = unwrap(schema as Inner)
  for (const part of path) {
    const { shape, element, valueType } = at?.def ?? {}
    at = unwrap(shape?.[String(part)] ?? element ?? valueType)
  }
  return at
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const { shape, keyType } = schemaAt(schema, path)?.def ?? {}
  return Object.keys(shape ?? keyType?.def?.entries ?? {})
}

function unwrap(schema: Inner | undefined): Inner | undefined {
  let inner = schema
  while (inner?.def?.innerType) inner = inner.def.innerType
  return inner
}
