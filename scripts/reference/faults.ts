import { z } from 'zod'
import { effects } from '../../src/faults/effects/index.js'
import { ruleSchema, seamOf } from '../../src/faults/rules/rules.js'
import { byWealthy, type FaultCell, faultCells, syntheticBy } from '../../test/kit/faultCells.js'

const intro = `# Faults

\`interface.md\` and "the interface document" on this page mean the service's own description of its API, which we may not distribute; the
[routes](reference/routes.md) and the OpenAPI document say what svc-sim takes from it.

To make something fail, add a fault rule: in a test with \`sim.faults.add(rule)\`, from anywhere with \`POST /_sim/faults\`.
[Cause failures](guides/break-it.md) has examples. A rule has these fields:

- \`on\` is the seam at which it happens.
- \`effect\` is what happens: a name, or \`{name: settings}\`. Alternatively, a \`sequence\` names it for each call: \`["ok", "expired x2", "ok"]\`.
- \`match\` selects the calls by \`account_id\`, \`kind\`, \`network\`, \`asset\`, \`path\` and \`method\`; \`*\` matches anything.
- \`after\` is how many of these calls pass first, and \`times\` how often the rule then fires (without it, always).
- \`probability\` is how likely it fires, drawn from the seed.

Rules apply in order, the first outermost; a rule in a request's header comes before all others. If an outer \`execute.dropped\` removes a
transaction, an inner \`execute.stuck\` has no transaction left to delay, but both count a hit. A rule that can never fire is refused with the reason.

A rule fires when its effect comes about. If the request fails before that, the rule counts no hit and waits for the next call, which meets the
same step of a \`sequence\`: no plan becomes stale when planning was refused, and no transaction is stuck when execution was. The same holds
for a rule behind one that has responded already. An event or a deposit is a hit of each rule that it meets.

Effects of the seam \`answer\` are not failures: they respond in another way that the interface also allows ([other answers](answers.md)). Such a
rule fires only when it changes the response: \`hits\` counts the responses that it changed, and \`seen\` those that it met.

- \`POST /_sim/faults\` adds a rule, \`PUT\` replaces all or none, \`GET\` lists them with \`seen\` and \`hits\`, \`DELETE\` removes.
- The header \`x-svc-sim-fault\` carries a rule for its own request and the background work of that request, as JSON or \`seam.effect\`. If the
  rule still holds something after that, such as a stuck transaction, \`DELETE /_sim/faults\` releases it.
- Responses name the rules that fired in the same header.
- In a test, use \`sim.faults.add(rule)\`, \`.set(rules)\`, \`.list()\`, \`.remove(id)\`, \`.clear()\`.

Removing a rule releases what it holds and reverts what it changed on the chains. While another rule keeps one of these chains from
responding or mining, such a rule cannot be removed on its own. Nor can \`chain.halt\` be added while \`chain.down\` is active. In both cases
409 \`conflict\` names the chain. Remove the other rule first, or all of them with \`DELETE /_sim/faults\`. Rules and counters are part of
snapshots. [A restart](guides/data.md#fault-rules-after-a-restart) with a data folder restores them.
`

interface Setting {
  type?: string
  enum?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
}

/** For example ` from 1 to 30`; Zod gives integers the bounds of what a number can hold exactly, which say nothing. */
function rangeOf({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Setting): string {
  if (minimum === undefined || maximum === Number.MAX_SAFE_INTEGER) return ''
  return ` from ${minimum} to ${maximum}`
}

/** For example `ms`: integer from the effect's own schema. */
function settingsOf(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, Setting>
    required?: string[]
  }
  const fields = Object.entries(properties).map(([name, setting]) => {
    const { type, enum: words, default: usual } = setting
    const what = words ? words.join(', ') : `${type ?? 'any'}${rangeOf(setting)}`
    const unless = usual === undefined ? '' : `, else ${JSON.stringify(usual)}`
    return `\`${name}\`${required.includes(name) ? '' : '?'}: ${what}${unless}`
  })
  return fields.join('; ') || '-'
}

function effectRows(): string {
  const rows = effects.map((effect) => {
    const { name, settings, summary, synthetic } = effect
    const why = synthetic ? ` Synthetic: ${synthetic}.` : ''
    return `| \`${seamOf(effect)}\` | \`${name}\` | ${settingsOf(settings)} | ${summary}${why} |`
  })
  return ['| Seam | Effect | Settings | What happens |', '|---|---|---|---|', ...rows].join('\n')
}

function cellRow(cell: FaultCell): string {
  const { method, path, status, code, rule, by, says } = cell
  const asked = by === byWealthy ? `${by}, with ` : ''
  const cause = rule ? `${asked}\`${JSON.stringify(rule)}\`` : by
  const why = syntheticBy(cell) ? ' (synthetic)' : says ? `: “${says}”` : ''
  const how = `${cause}${why}`
  const at = path.replace(/^\./, '/accounts/:account_id')
  return `| \`${method} ${at}\` | ${status} | \`${code}\` | ${how} |`
}

/** docs/faults.md: the effects, and how to cause each documented error. */
export function faultsPage(): string {
  const cells = [
    '| Endpoint | Status | Code | Caused by |',
    '|---|---|---|---|',
    ...faultCells.map(cellRow),
  ]
  return `${intro}
## Effects

${effectRows()}

## Every documented error, on purpose

Each row is a test. "Synthetic", here and above, means that the rule itself returns the error, without a cause. Every other error has a real
cause: the request, the state of the account, or a rule that makes something go wrong. \`request.respond\` can also return any of them.

${cells.join('\n')}

<!-- Generated from the effects and from test/kit/faultCells.ts: \`npm run docs:reference\` rewrites this page. -->
`
}

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

/** The types of fault rules, from the schemas. */
export function faultTypes(): string {
  const { properties = {} } = jsonSchema(ruleSchema)
  const { on: _, effect: __, sequence: ___, ...shared } = properties
  const seams = [...new Set(effects.map(seamOf))]
  return [
    '// Made from the schemas of fault rules by scripts/reference/faults.ts; never edited by hand.',
    '// `npm run docs:reference` writes it anew.',
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
