import { expect, test } from 'vitest'
import { z } from 'zod'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { byWealthy, type FaultCell, faultCells, paintedBy } from '../kit/faultCells.js'

const intro = `# Faults

Made from the register of effects and from the cells that \`test/sim/faultCells.test.ts\` drives; a test refuses drift, and
\`npx vitest run test/unit/faultsDoc.test.ts -u\` writes it anew.

A rule says at which seam (\`on\`) something happens (\`effect\`, a name or \`{name: settings}\`), for which calls (\`match\`), how many
of them pass first (\`after\`), how often it then fires (\`times\`; always without) and how likely (\`probability\`, drawn from the
seed). Instead of \`effect\`, a \`sequence\` says it call by call: \`["ok", "expired x2", "ok"]\`. \`match\` narrows by \`account_id\`,
\`kind\`, \`network\`, \`asset\`, \`path\` and \`method\`; \`*\` stands for anything. Rules come in in their order, the first outermost, and that of a
request's header before all. So an outer \`execute.dropped\` leaves an inner \`execute.stuck\` nothing to hold, though both count a
hit. What can never fire is refused with the reason.

Effects of the seam \`answer\` are no failures: they answer in another way that the interface allows as well ([other answers](answers.md)).

- \`POST /_sim/faults\` adds a rule, \`PUT\` replaces all or none, \`GET\` lists them with \`seen\` and \`hits\`, \`DELETE\` removes.
- The header \`x-svc-sim-fault\` carries one for its own request and the work that this leaves behind, as JSON or \`seam.effect\`. What it holds
  for longer than that, such as a stuck transaction, is let go by \`DELETE /_sim/faults\`.
- Answers name the rules that fired in the same header.
- \`sim.faults.add(rule)\`, \`.set(rules)\`, \`.list()\`, \`.remove(id)\`, \`.clear()\` in a test.

Removing a rule lets go what it holds and takes back what it changed on the chains. While another rule keeps one of these chains from
answering or mining, such a rule cannot be removed on its own, nor can \`chain.halt\` be added where \`chain.down\` stands: 409
\`conflict\` names the chain. Remove the other rule first, or all of them with \`DELETE /_sim/faults\`. Rules and counters are part of
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
    const { name, settings, summary, painted } = effect
    const why = painted ? ` Painted: ${painted}.` : ''
    return `| \`${seamOf(effect)}\` | \`${name}\` | ${settingsOf(settings)} | ${summary}${why} |`
  })
  return ['| Seam | Effect | Settings | What happens |', '|---|---|---|---|', ...rows].join('\n')
}

function cellRow(cell: FaultCell): string {
  const { method, path, status, code, rule, by, says } = cell
  const painted = paintedBy(cell)
  const asked = by === byWealthy ? `${by}, with ` : ''
  const met = rule ? `${asked}\`${JSON.stringify(rule)}\`` : by
  const why = painted ? ` (painted: ${painted})` : says ? `: “${says}”` : ''
  const how = `${met}${why}`
  const at = path.replace(/^\./, '/accounts/:account_id')
  return `| \`${method} ${at}\` | ${status} | \`${code}\` | ${how} |`
}

test('default: docs/faults.md is what the register and the cells say', async () => {
  const cells = [
    '| Endpoint | Status | Code | Met by |',
    '|---|---|---|---|',
    ...faultCells.map(cellRow),
  ]
  const text = `${intro}
## Effects

${effectRows()}

## Every documented error, on purpose

Each row is a test. Where it says painted, here as above, the rule gives the answer by itself, without a cause. Everything else is caused, by what is sent, by what the account has, or by a rule that makes something really go wrong. With \`request.respond\`
any of them can be painted as well.

${cells.join('\n')}
`
  await expect(text).toMatchFileSnapshot('../../docs/faults.md')
})

test('behavior: every effect has a summary that says what happens, and a name of its own at its seam', () => {
  const names = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { summary } of effects) expect(summary).toMatch(/^[A-Z0-9].{30,}\.$/)
})
