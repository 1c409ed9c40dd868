import { errorCases } from '../../src/http/core/route.js'
import { recordAnswers } from './answers.js'
import { recordErrors } from './errors.js'
import { allRoutes, recorded } from './recorder.js'

/** The file with what the documents show. */
export async function files(): Promise<Record<string, string>> {
  await recordAnswers()
  await recordErrors()
  const common = commonErrors()
  expectAll()
  const operations = allRoutes.map(({ operationId }) => {
    const { path, body, answers, errors } = recorded[operationId]!
    const own = Object.entries(errors).filter(([code, text]) => common[code] !== text)
    const lines = [
      ...(path ? [`    path: ${JSON.stringify(path)},`] : []),
      ...(body === undefined ? [] : [`    body: ${JSON.stringify(body)},`]),
      '    answers: {',
      ...Object.entries(answers).map(
        ([status, answer]) => `      ${status}: ${JSON.stringify(answer)},`,
      ),
      '    },',
      ...(own.length === 0 ? ['    errors: {},'] : []),
      ...(own.length > 0 ? ['    errors: {', ...own.map(lineOf), '    },'] : []),
    ]
    return `  ${operationId}: {\n${lines.join('\n')}\n  },`
  })
  const text = `// Recorded by scripts/openapi.mjs; never edited by hand. \`npm run openapi\` records it anew.

/** What a simulator was asked for an operation, and what it returned: answers by status, error texts by code. Long lists are shortened. */
export interface Recorded {
  path?: Record<string, string>
  body?: unknown
  answers: Record<number, unknown>
  errors: Record<string, string>
}

/** Texts of errors that most operations share. */
export const commonErrors: Readonly<Record<string, string>> = ${JSON.stringify(common, undefined, 2)}

/** By operation. An error that is not here has the common text. */
export const recorded: Readonly<Record<string, Recorded>> = {
${operations.join('\n')}
}
`
  return { 'src/http/openapi/recorded.ts': text }
}

const lineOf = ([code, text]: [string, string]) => `      ${code}: ${JSON.stringify(text)},`

/** For each code, the text that most operations return. */
function commonErrors(): Record<string, string> {
  const codes = new Map<string, Map<string, number>>()
  for (const { errors } of Object.values(recorded))
    for (const [code, text] of Object.entries(errors)) {
      const texts = codes.get(code) ?? new Map<string, number>()
      codes.set(code, texts.set(text, (texts.get(text) ?? 0) + 1))
    }
  const common: Record<string, string> = {}
  for (const [code, texts] of [...codes].toSorted(([a], [b]) => a.localeCompare(b)))
    for (const [text, count] of [...texts].toSorted(([, a], [, b]) => b - a).slice(0, 1))
      if (count > 1) common[code] = text
  return common
}

/** Nothing that a document shows may be missing. */
function expectAll(): void {
  const missing = allRoutes.flatMap((route) => {
    const { answers, errors } = recorded[route.operationId] ?? { answers: {}, errors: {} }
    const body = route.body && recorded[route.operationId]?.body === undefined ? ['body'] : []
    return [
      ...body,
      ...route.answers.map(({ status }) => status).filter((status) => !(status in answers)),
      ...errorCases(route)
        .map(({ code }) => code)
        .filter((code) => !(code in errors)),
    ].map((what) => `${route.operationId} ${what}`)
  })
  if (missing.length > 0) throw new Error(`Not recorded: ${missing.join(', ')}`)
}
