import type { CoverageCell, ExchangeView } from '../../api/types.js'
import { errorCodeIn } from '../../parts/text.js'

/** `POST /accounts/{account_id}/plan/earn 400 no_wallet`. */
export function cellId({ method, path, status, code }: CoverageCell): string {
  return [method, path, status, code].filter((part) => part !== null).join(' ')
}

/** The newest exchanges whose answer was this one. */
export function metBy(
  cell: CoverageCell,
  exchanges: readonly ExchangeView[],
  most: number,
): ExchangeView[] {
  const path = new RegExp(`^${cell.path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
  const found: ExchangeView[] = []
  for (const exchange of exchanges) {
    const { method, url, answer } = exchange
    if (method !== cell.method || answer?.status !== cell.status || answer.cut) continue
    if (path.test(url) && (cell.code === null || errorCodeIn(answer.body) === cell.code))
      found.push(exchange)
    if (found.length === most) break
  }
  return found
}

export interface CoverageRow {
  method: string
  path: string
  isExtension: boolean
  seen: number
  cells: ReadonlyMap<string, CoverageCell>
}

/** A column: a status with its code; successes of all kinds stand in one. */
export interface CoverageColumn {
  name: string
  status: string
  code: string
}

const nameOf = ({ status, code }: CoverageCell): string =>
  code === null ? 'ok' : `${status} ${code}`

/** Cells as a matrix of endpoints by answers: successes first, then by status. */
export function matrixOf(cells: readonly CoverageCell[]): {
  columns: CoverageColumn[]
  rows: CoverageRow[]
} {
  const names = [...new Set(cells.map(nameOf))]
  const columns = names
    .map((name) => {
      const [status = '', code = ''] = name.split(' ')
      return { name, status: name === 'ok' ? '2xx' : status, code: name === 'ok' ? 'done' : code }
    })
    .sort(
      (one, other) => one.status.localeCompare(other.status) || one.code.localeCompare(other.code),
    )
  const rows = new Map<string, CoverageRow & { cells: Map<string, CoverageCell> }>()
  for (const cell of cells) {
    const { method, path } = cell
    const key = `${method} ${path}`
    const row = rows.get(key) ?? {
      method,
      path,
      isExtension: cell.source === 'extension',
      seen: 0,
      cells: new Map<string, CoverageCell>(),
    }
    row.cells.set(nameOf(cell), cell)
    rows.set(key, { ...row, seen: row.seen + (cell.hits > 0 ? 1 : 0) })
  }
  return { columns, rows: [...rows.values()] }
}
