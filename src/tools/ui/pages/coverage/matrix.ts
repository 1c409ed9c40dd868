import type { CoverageCell, ExchangeView } from '../../api/types.js'
import { errorCodeIn } from '../../parts/text.js'

/** `POST /accounts/{account_id}/plan/earn 400 no_wallet`. */
export function cellId({ method, path, status, code }: CoverageCell): string {
  return [method, path, status, code].filter((part) => part !== null).join(' ')
}

export function metBy(
  cell: CoverageCell,
  exchanges: readonly ExchangeView[],
  most: number,
): ExchangeView[] {
  const path = new RegExp(`^${cell.path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
  const isMet = ({ method, url, answer }: ExchangeView): boolean =>
    method === cell.method &&
    answer?.status === cell.status &&
    !answer.cut &&
    path.test(url) &&
    (cell.code === null || errorCodeIn(answer.body) === cell.code)
  return exchanges.filter(isMet).slice(0, most)
}

const nameOf = ({ status, code }: CoverageCell): string =>
  code === null ? 'ok' : `${status} ${code}`

/** Cells as a matrix of endpoints by responses: successes of all kinds in one column, then the others by status. */
export function matrixOf(cells: readonly CoverageCell[]) {
  const columns = [...new Set(cells.map(nameOf))]
    .map((name) => {
      const [status = '', code = ''] = name === 'ok' ? ['2xx', 'done'] : name.split(' ')
      return { name, status, code }
    })
    .sort(
      (one, other) => one.status.localeCompare(other.status) || one.code.localeCompare(other.code),
    )
  const endpointOf = ({ method, path }: CoverageCell) => `${method} ${path}`
  const rows = [...new Set(cells.map(endpointOf))].map((endpoint) => {
    const own = cells.filter((cell) => endpointOf(cell) === endpoint)
    const { method, path, source } = own[0]!
    return {
      method,
      path,
      isExtension: source === 'extension',
      seen: own.filter(({ hits }) => hits > 0).length,
      cells: new Map(own.map((cell) => [nameOf(cell), cell])),
    }
  })
  return { columns, rows }
}
