import { z } from 'zod'
import { ruleSchema, seamOf } from '../../../faults/rules/rules.js'
import { matchKeys } from '../../../faults/rules/targets.js'
import { ruleViewSchema } from '../../../faults/rules/view.js'
import { ServiceError } from '../../../lib/errors.js'
import { controlRoute, type ErrorCase, type Route } from '../../core/route.js'

const oneRule = { description: 'The rule.', schema: ruleViewSchema }
const allRules = {
  description: 'The rules.',
  schema: z.strictObject({ faults: z.array(ruleViewSchema) }).meta({ id: 'Faults' }),
}

const badRule: ErrorCase = {
  code: 'invalid_params',
  when: 'a rule is malformed, names something unknown, or can never fire; nothing was changed',
}

const held: ErrorCase = {
  code: 'conflict',
  when: 'a node that must respond for this is blocked by another rule with `chain.down`; nothing was changed',
}

export const faultRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listFaults',
    method: 'get',
    path: '/_sim/faults',
    summary: 'List the fault rules',
    description:
      'Lists the rules in the order in which they apply, with how often each matched and fired.',
    locks: 'handler',
    answer: allRules,
    handler: ({ deps }) => ({ faults: deps.faults.list() }),
  }),
  controlRoute({
    operationId: 'addFault',
    method: 'post',
    path: '/_sim/faults',
    summary: 'Add a fault rule',
    description:
      'Adds a rule that makes something fail on purpose. `on` names the seam, `effect` what happens there, and `match` selects the calls. `after` is how many of them pass first, and `times` how often the rule then fires. It applies after the existing rules. docs/faults.md lists seams and effects.',
    locks: 'handler',
    settles: 'briefly',
    body: { schema: ruleSchema },
    answer: { status: 201, ...oneRule },
    errors: [
      badRule,
      {
        code: 'conflict',
        when: `there are already 1,000 rules, or ${held.when}`,
      },
    ],
    handler: ({ deps, body }) => deps.faults.add(body),
  }),
  controlRoute({
    operationId: 'replaceFaults',
    method: 'put',
    path: '/_sim/faults',
    summary: 'Replace all fault rules',
    description:
      'Replaces all rules with those of the body, in their order: all or nothing. The old rules are removed as with DELETE.',
    locks: 'handler',
    settles: 'briefly',
    body: { schema: z.array(ruleSchema).max(1_000) },
    answer: allRules,
    errors: [badRule, held],
    handler: async ({ deps, body }) => ({ faults: await deps.faults.set(body) }),
  }),
  controlRoute({
    operationId: 'removeFaults',
    method: 'delete',
    path: '/_sim/faults',
    summary: 'Remove all fault rules',
    description: 'Everything they hold continues, and their changes to the chains are undone.',
    locks: 'handler',
    settles: 'briefly',
    answer: { ...allRules, description: 'The removed rules.' },
    async handler({ deps }) {
      const faults = deps.faults.list()
      await deps.faults.clear()
      return { faults }
    },
  }),
  controlRoute({
    operationId: 'removeFault',
    method: 'delete',
    path: '/_sim/faults/:id',
    summary: 'Remove a fault rule',
    description: 'Everything it holds continues, and its changes to the chains are undone.',
    locks: 'handler',
    settles: 'briefly',
    answer: { ...oneRule, description: 'The rule in its last state.' },
    errors: [
      {
        code: 'not_found',
        when: 'there is no such rule',
      },
      {
        code: 'conflict',
        when: 'a chain on which it must be undone is held by another rule with `chain.down` or `chain.halt`; nothing was changed',
      },
    ],
    async handler({ deps, req }) {
      const id = String(req.params.id)
      const all = deps.faults.list()
      const rule = all.find((each) => each.id === id)
      if (rule && (await deps.faults.remove(id))) return rule
      const there = all.map((each) => each.id).join(', ') || 'none'
      throw new ServiceError(
        'not_found',
        `There is no fault rule ${id.slice(0, 80)}. Existing rules: ${there.slice(0, 300)}`,
      )
    },
  }),
]

const effectSchema = z
  .strictObject({
    on: z.string().meta({ description: 'The seam: the value of `on` in a rule.' }),
    effect: z.string(),
    summary: z.string().meta({ description: 'What happens.' }),
    synthetic: z.string().nullable().meta({
      description:
        'Set when the rule itself returns the error, without a cause in the world: why, or what would cause it. Null when something causes the error.',
    }),
    matches: z.array(z.string()).meta({
      description: 'The fields of `match` that select its calls.',
    }),
    lasts: z.boolean().meta({
      description:
        'True when it applies until it is removed: `after`, `times` and `probability` do not apply.',
    }),
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON schema of its settings: an object.' }),
  })
  .meta({ id: 'Effect' })

/** Every effect with its settings. Loaded by the first request. */
async function effectList() {
  const { effects } = await import('../../../faults/effects/index.js')
  return effects.map((effect) => ({
    on: seamOf(effect),
    effect: effect.name,
    summary: effect.summary,
    synthetic: effect.synthetic ?? null,
    matches: [...matchKeys(effect)],
    lasts: effect.on === 'chain.stand',
    settings: z.toJSONSchema(effect.settings, { io: 'input' }) as Record<string, unknown>,
  }))
}

export const effectRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listEffects',
    method: 'get',
    path: '/_sim/effects',
    isUnjournaled: true,
    summary: 'List the seams and effects',
    description:
      'Every seam and effect that a fault rule can name, with the JSON schema of its settings. docs/faults.md is generated from the same data.',
    locks: 'none',
    answer: {
      description: 'The effects, seam by seam.',
      schema: z.strictObject({ effects: z.array(effectSchema) }).meta({ id: 'Effects' }),
    },
    handler: async () => ({ effects: await effectList() }),
  }),
]
