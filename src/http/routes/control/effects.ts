import { z } from 'zod'
import { seamOf } from '../../../faults/rules/rules.js'
import { controlRoute, type Route } from '../../core/route.js'

const effectSchema = z
  .strictObject({
    on: z.string().meta({ description: 'The seam: the value of `on` in a rule.' }),
    effect: z.string(),
    summary: z.string().meta({ description: 'What happens.' }),
    synthetic: z.string().nullable().meta({
      description:
        'Set when the rule itself returns the error, without a cause in the world: why, or what would cause it. Null when something causes the error.',
    }),
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON schema of its settings: an object.' }),
  })
  .meta({ id: 'Effect' })

/** Every effect there is, with what can be set. Only who asks loads them. */
async function effectList() {
  const { effects } = await import('../../../faults/effects/index.js')
  return effects.map((each) => ({
    on: seamOf(each),
    effect: each.name,
    summary: each.summary,
    synthetic: each.synthetic ?? null,
    settings: z.toJSONSchema(each.settings, { io: 'input' }) as Record<string, unknown>,
  }))
}

export const effectRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listEffects',
    method: 'get',
    path: '/_sim/effects',
    summary: 'List the seams and effects',
    description:
      'Every seam and effect that a fault rule can name, with the JSON schema of its settings. docs/faults.md is generated from the same data.',
    locks: 'none',
    answer: {
      description: 'The effects, seam by seam.',
      schema: z.strictObject({ effects: z.array(effectSchema) }).meta({ id: 'Effects' }),
      example: {
        effects: [
          {
            on: 'request',
            effect: 'hang',
            summary: 'Nothing is done and no response comes until the client gives up.',
            synthetic: null,
            settings: { type: 'object', properties: {}, additionalProperties: false },
          },
        ],
      },
    },
    handler: async () => ({ effects: await effectList() }),
  }),
]
