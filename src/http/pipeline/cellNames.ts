import type { Cell } from './coverage.js'

/** `409:plan_stale`, or `200` for an answer that is no error. */
export function answerOfCell({ status, code }: Pick<Cell, 'status' | 'code'>): string {
  return code === null ? `${status}` : `${status}:${code}`
}

/** `409:plan_stale@execute`, as `coverage --require` takes it. */
export function nameOfCell(cell: Cell): string {
  return `${answerOfCell(cell)}@${cell.endpoint}`
}
