import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import { defineRoute, type Route } from '../../core/route.js'

const traceSchema = z
  .strictObject({
    trace: z
      .strictObject({
        file: z.string(),
        made_by: z.string().meta({ description: 'The version of svc-sim that wrote it.' }),
        ended_at: z.string().meta({ description: 'The service time at its end; ISO 8601.' }),
        accounts_left_out: count.meta({
          description: 'So many accounts are not in it: there were too many.',
        }),
        worlds_left_out: count.meta({
          description: 'So many leased worlds are not in it: there was no room.',
        }),
      })
      .nullable(),
  })
  .meta({ id: 'TraceInfo' })

export const traceRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Control',
    access: 'control',
    source: 'extension',
    operationId: 'getTrace',
    method: 'get',
    path: '/_sim/trace',
    summary: 'Whether this is a trace',
    description:
      'Null for a simulator that runs. `svc-sim ui FILE` serves what `--trace FILE` has written: everything that changes something is `conflict` there. What leased worlds did is served at `/_sim/worlds/ID/...`, as it was.',
    answers: [
      {
        status: 200,
        description: 'The trace that is served, or null.',
        schema: traceSchema,
        example: { trace: null },
      },
    ],
    errors: [],
    handler({ deps: { trace } }) {
      if (!trace) return { trace: null }
      const { file, madeBy, endedAt, accountsLeftOut, worldsLeftOut } = trace
      return {
        trace: {
          file,
          made_by: madeBy,
          ended_at: endedAt,
          accounts_left_out: accountsLeftOut,
          worlds_left_out: worldsLeftOut,
        },
      }
    },
  }),
]
