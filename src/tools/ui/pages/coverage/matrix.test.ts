import { expect, test } from 'vitest'
import { matrixOf } from './matrix.js'

const cell = (path: string, status: number, code: string | null, hits: number) => ({
  endpoint: path.slice(1),
  method: 'GET',
  path,
  status,
  code,
  source: 'interface' as const,
  hits,
})

test('default: endpoints by answers, successes first, each cell in its place', () => {
  const { columns, rows } = matrixOf([
    cell('/folio', 408, 'timeout', 0),
    cell('/folio', 200, null, 3),
    cell('/plan', 201, null, 0),
    cell('/plan', 400, 'plan_failed', 2),
    cell('/plan', 400, 'no_wallet', 0),
  ])
  expect(columns.map(({ name }) => name)).toEqual([
    'ok',
    '400 no_wallet',
    '400 plan_failed',
    '408 timeout',
  ])
  expect(rows.map(({ path, seen, cells }) => [path, seen, [...cells.keys()]])).toEqual([
    ['/folio', 1, ['408 timeout', 'ok']],
    ['/plan', 1, ['ok', '400 plan_failed', '400 no_wallet']],
  ])
})
