import { readFileSync, statSync } from 'node:fs'
import { isNode, LineCounter, parseDocument } from 'yaml'
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

/** Scenarios are written by hand; a file beyond this is no scenario. */
const maxBytes = 1024 * 1024

/** Reads a scenario file. Throws `ScenarioFileError` naming file, line and path of every problem. */
export function loadScenario(file: string): Scenario {
  let text: string
  try {
    const { size } = statSync(file)
    if (size > maxBytes) throw new Error(`it has ${size} bytes; at most ${maxBytes} are read`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ScenarioFileError([`${file}: cannot be read: ${(error as Error).message}`])
  }
  return parseScenario(text, file)
}

/** Parses the text of a scenario; `file` is for the messages. */
export function parseScenario(text: string, file: string): Scenario {
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
  const parsed = scenarioSchema.safeParse(plainOf(document, file))
  if (parsed.success) return checkNames(parsed.data, (path, why) => problem(path, why))
  throw new ScenarioFileError(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => problem([...issue.path, key], unknownKey(issue.path, key)))
        : [problem(issue.path, issue.message)],
    ),
  )

  function problem(path: readonly PropertyKey[], why: string): string {
    return `${place(offsetOf(path))} ${path.map(String).join('.') || '(file)'}: ${why}`
  }

  /** Where the value stands; of a missing one, what would hold it. */
  function offsetOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length) as string[], true)
      if (isNode(node) && node.range) return node.range[0]
    }
    return 0
  }
}

/** The document as plain values; aliases that lead nowhere, or blow up, are the file's fault. */
function plainOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new ScenarioFileError([`${file}:1:1 ${(error as Error).message}`])
  }
}

/** The allowed keys beside an unknown one, from the schema itself. */
function unknownKey(path: readonly PropertyKey[], key: string): string {
  const allowed = keysAt(scenarioSchema, path)
  return `"${key}" is unknown here${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}` : ''}`
}

interface Inner {
  def?: {
    innerType?: Inner
    element?: Inner
    valueType?: Inner
    keyType?: { def?: { entries?: Record<string, string> } }
    shape?: Record<string, Inner>
  }
}

/** Walks the schema along the path of a value and lists the keys that an object there may have. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = unwrap(schema as Inner)
  for (const part of path) {
    const { shape, element, valueType } = at?.def ?? {}
    at = unwrap(shape?.[String(part)] ?? element ?? valueType)
  }
  return Object.keys(at?.def?.shape ?? at?.def?.keyType?.def?.entries ?? {})
}

function unwrap(schema: Inner | undefined): Inner | undefined {
  let inner = schema
  while (inner?.def?.innerType) inner = inner.def.innerType
  return inner
}

/** Every name that a step uses must have been given before it: an account, or an earlier step's `as`. */
function checkNames(
  scenario: Scenario,
  problem: (path: readonly PropertyKey[], why: string) => string,
): Scenario {
  const accounts = Object.keys(scenario.given.accounts)
  const results: string[] = []
  const problems: string[] = []
  const use = (kind: 'account' | 'step', name: string | undefined, path: PropertyKey[]): void => {
    const known = kind === 'account' ? accounts : results
    if (name === undefined || known.includes(name)) return
    const have = known.length > 0 ? known.join(', ') : 'none'
    problems.push(
      problem(
        path,
        `"${name}" is not the name of ${kind === 'account' ? 'an account in given.accounts' : 'an earlier step (as)'}; there are: ${have}`,
      ),
    )
  }
  const useInCheck = (item: (typeof scenario.then)[number], path: PropertyKey[]): void => {
    for (const [key, value] of Object.entries(item)) {
      const { account, of } = value as { account?: string; of?: string }
      use('account', account, [...path, key, 'account'])
      use('step', of, [...path, key, 'of'])
    }
  }
  scenario.given.positions.forEach(({ account }, i) => {
    use('account', account, ['given', 'positions', i, 'account'])
  })
  scenario.when.forEach((step, i) => {
    const at: PropertyKey[] = ['when', i]
    if (step.join !== undefined) use('step', step.join, [...at, 'join'])
    if (step.check) useInCheck(step.check, [...at, 'check'])
    for (const [key, value] of Object.entries(step)) {
      if (typeof value !== 'object' || value === null || key === 'check') continue
      const { account, plan, activity, as, background } = value as Record<
        string,
        string | undefined
      >
      if (key !== 'price') use('account', account, [...at, key, 'account'])
      if (key === 'execute') use('step', plan, [...at, key, 'plan'])
      if (key === 'wait') use('step', activity, [...at, key, 'activity'])
      if (background && as === undefined)
        problems.push(problem([...at, key], 'a background step needs a name: as'))
      if (as !== undefined) results.push(as)
    }
  })
  scenario.then.forEach((item, i) => {
    useInCheck(item, ['then', i])
  })
  if (problems.length > 0) throw new ScenarioFileError(problems)
  return scenario
}
