import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { effects } from '../../src/faults/effects/index.js'
import { ruleSchema, seamOf } from '../../src/faults/rules/rules.js'

interface Schema {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  description?: string
}

/** Of a schema that has a name, the definition is behind a reference. */
function jsonSchema(schema: z.ZodType): Schema {
  const { $defs, $ref, ...own } = z.toJSONSchema(schema, { io: 'input' })
  const named = $ref === undefined ? undefined : $defs?.[$ref.replace('#/$defs/', '')]
  return (named ?? own) as Schema
}

/** A JSON schema as a type. What it does not say, such as bounds, the simulator checks. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map(typeOf))].join(' | ')
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
      return schema.type
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`
    case 'object':
      return schema.properties ? objectOf(schema) : 'Record<string, unknown>'
    default:
      return 'unknown'
  }
}

function objectOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

function written(): string {
  const { properties = {} } = jsonSchema(ruleSchema)
  const { on: _, effect: __, sequence: ___, ...shared } = properties
  const seams = [...new Set(effects.map(seamOf))]
  return [
    '// Made from the schemas of fault rules by test/unit/faultTypes.test.ts; never edited by hand.',
    '// `npx vitest run test/unit/faultTypes.test.ts -u` writes it anew.',
    '',
    '/** The settings of each effect, by seam. */',
    'export interface FaultSettings {',
    ...seams.flatMap((seam) => [
      `  ${seam}: {`,
      ...effects
        .filter((effect) => seamOf(effect) === seam)
        .flatMap(({ name, summary, settings }) => [
          `    /** ${summary.replaceAll('*/', '*\\/')} */`,
          `    ${name}: ${typeOf(jsonSchema(settings))}`,
        ]),
      '  }',
    ]),
    '}',
    '',
    '/** What a rule says besides its seam and its effect. */',
    'interface RuleFields {',
    ...Object.entries(shared).flatMap(([name, schema]) => [
      ...(schema.description ? [`  /** ${schema.description} */`] : []),
      `  ${name}?: ${typeOf(schema)}`,
    ]),
    '}',
    '',
    '/** An effect by its name, or as `{ name: settings }`; the name alone will do when nothing has to be set. */',
    'type Step<Effects> = {',
    '  [Name in keyof Effects & string]:',
    '    | { [N in Name]: Effects[Name] }',
    '    | ({} extends Effects[Name] ? Name : never)',
    '}[keyof Effects & string]',
    '',
    `type Counted<Effects> = \`\${'ok' | (keyof Effects & string)} x\${number}\``,
    '',
    '/** A fault rule: at which seam something happens, what, for which calls, and how often. docs/faults.md describes every effect. */',
    'export type FaultRuleInput = {',
    '  [Seam in keyof FaultSettings]: RuleFields & { on: Seam } & (',
    '      | { effect: Step<FaultSettings[Seam]>; sequence?: never }',
    '      | {',
    "          sequence: ('ok' | Step<FaultSettings[Seam]> | Counted<FaultSettings[Seam]>)[]",
    '          effect?: never',
    '        }',
    '    )',
    '}[keyof FaultSettings]',
    '',
  ].join('\n')
}

test('default: the types of fault rules are what the schemas say', async () => {
  await expect(written()).toMatchFileSnapshot('../../src/faults/rules/faultRuleInput.ts')
})

test('behavior: each seam is called in the file that Seams names, and nowhere else', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))
  const text = (path: string): string => readFileSync(`${src}${path}`, 'utf8')
  const [, table = ''] =
    /interface Seams \{([\s\S]*?)\n\}/.exec(text('faults/rules/effect.ts')) ?? []
  const named = [...table.matchAll(/\/\*\* (\S+) \*\/\n {2}'?([\w.]+)'?:/g)].map(
    ([, path, seam]) => `${seam} in ${path}`,
  )
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const calls = files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...text(path).matchAll(/\bintercept\(\s*'([\w.]+)'/g)].map(
        ([, seam]) => `${seam} in ${path}`,
      ),
    )
  expect(named).toHaveLength(12)
  expect([...new Set(calls)].sort()).toEqual(named.sort())
})
