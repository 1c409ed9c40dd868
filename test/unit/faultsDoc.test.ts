import { expect, test } from 'vitest'
import { z } from 'zod'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { byWealthy, type FaultCell, faultCells, syntheticBy } from '../kit/faultCells.js'

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
snapshots.
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

test('default: docs/faults.md is what the register and the cells say', async () => {
  const cells = [
    '| Endpoint | Status | Code | Caused by |',
    '|---|---|---|---|',
    ...faultCells.map(cellRow),
  ]
  const text = `${intro}
## Effects

${effectRows()}

## Every documented error, on purpose

Each row is a test. "Synthetic", here and above, means that the rule itself returns the error, without a cause. Every other error has a real
cause: the request, the state of the account, or a rule that makes something go wrong. \`request.respond\` can also return any of them.

${cells.join('\n')}

<!-- Generated from the effects and from test/kit/faultCells.ts: \`npm run docs:reference\` rewrites this page. -->
`
  await expect(text).toMatchFileSnapshot('../../docs/faults.md')
})

test('behavior: every effect has a summary that says what happens, and a name of its own at its seam', () => {
  const names = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { summary } of effects) expect(summary).toMatch(/^[A-Z0-9].{30,}\.$/)
})
