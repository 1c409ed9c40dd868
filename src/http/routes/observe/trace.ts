import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import { controlRoute, type Route } from '../../core/route.js'

const traceSchema = z
  .strictObject({
    trace: z
      .strictObject({
        file: z.string(),
        made_by: z.string().meta({ description: 'The version of svc-sim that wrote it.' }),
        ended_at: z.string().meta({ description: 'The service time at its end; ISO 8601.' }),
        accounts_left_out: count.meta({
          description: 'Number of accounts omitted because there were too many.',
        }),
        worlds_left_out: count.meta({
          description: 'Number of leased worlds omitted for lack of room.',
        }),
      })
      .nullable(),
  })
  .meta({ id: 'TraceInfo' })

export const traceRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getTrace',
    method: 'get',
    path: '/_sim/trace',
    isUnjournaled: true,
    summary: 'Check whether this is a trace',
    description:
      'Returns null for a running simulator. `svc-sim ui FILE` serves a file that `--trace FILE` has written. There, every change returns `conflict`, and `/_sim/worlds/ID/...` serves what leased worlds did.',
    answer: {
      description: 'The trace that is served, or null.',
      schema: traceSchema,
    },
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
