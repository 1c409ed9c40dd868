import { z } from 'zod'
import { problems } from '../../lib/errors.js'
import { count, httpStatus } from '../../lib/scalars.js'
import { answerKey, type Coverage } from '../../observe/metrics/answerCounts.js'
import { errorCases, type Route } from '../core/route.js'

export const cellSchema = z
  .strictObject({
    // `execute`, `earn`, `folio`; with the method where two endpoints end alike: `GET accounts`.
    endpoint: z.string(),
    method: z.string(),
    // In the document's spelling: `/accounts/{account_id}/folio`.
    path: z.string(),
    status: httpStatus,
    // Null for an answer that is no error.
    code: z.string().nullable(),
    // `interface` when interface.md shows the endpoint, `extension` when it is ours.
    source: z.enum(['interface', 'extension']),
    hits: count,
  })
  .meta({ id: 'Cell' })

export type Cell = z.infer<typeof cellSchema>

/** Every documented cell of the service, from the same routes that the document is made of, with how often it was met. */
export function cellsOf(counts: Coverage, serviceRoutes: readonly Route[]): Cell[] {
  const routes = serviceRoutes.filter(({ tag }) => tag !== 'Simulator')
  const names = routes.map((route) => lastWord(route.path))
  return routes.flatMap((route, i) => {
    const method = route.method.toUpperCase()
    const isAlone = names.filter((name) => name === names[i]).length === 1
    const endpoint = isAlone ? names[i]! : `${method} ${names[i]}`
    const answers = route.answers.map(({ status }) => ({ status, code: null }))
    const errors = errorCases(route).map(({ code }) => ({ status: problems[code].status, code }))
    return [...answers, ...errors].map(
      ({ status, code }): Cell => ({
        endpoint,
        method,
        path: route.path.replace(/:(\w+)/g, '{$1}'),
        status,
        code,
        source: route.source,
        hits: counts.get(answerKey(route.method, route.path, status, code ?? '')) ?? 0,
      }),
    )
  })
}

/** `/accounts/:account_id/plan/earn` -> `earn`, `/accounts/:account_id` -> `account`. */
function lastWord(path: string): string {
  const last = path.split('/').at(-1)!
  return last.startsWith(':') ? last.slice(1).replace(/_id$/, '') : last
}

/** `409:plan_stale`, or `200` for an answer that is no error. */
export function answerOfCell({ status, code }: Pick<Cell, 'status' | 'code'>): string {
  return code === null ? `${status}` : `${status}:${code}`
}

/** `409:plan_stale@execute`, as `coverage --require` takes it. */
export function nameOfCell(cell: Cell): string {
  return `${answerOfCell(cell)}@${cell.endpoint}`
}
