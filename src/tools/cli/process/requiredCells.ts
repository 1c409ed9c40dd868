import { answerOf, type ControlClient } from '../../../clients/control/controlClient.js'
import { answerOfCell, type Cell, nameOfCell } from '../../../http/pipeline/coverage.js'
import { ConfigError } from '../options/config.js'

/** What clients of a simulator have received, in leased worlds as well. */
export function askCoverage(control: ControlClient) {
  return answerOf(control.GET('/coverage', { params: { query: { worlds: true } } }))
}

/** The cells that `--require` names: `409:plan_stale@execute`, `201@POST accounts`. */
export function cellsNamed(texts: readonly string[], cells: readonly Cell[]): Cell[] {
  return texts.map((text) => cellNamed(text, cells))
}

function cellNamed(text: string, cells: readonly Cell[]): Cell {
  const [answer = '', endpoint = ''] = text.split('@')
  const there = cells.filter((cell) =>
    [cell.endpoint, `${cell.method} ${cell.path}`].includes(endpoint),
  )
  const found = there.find((cell) => answerOfCell(cell) === answer)
  if (found) return found
  const allowed =
    there.length > 0
      ? `${endpoint} has ${there.map(nameOfCell).join(', ')}`
      : `endpoints: ${[...new Set(cells.map((cell) => cell.endpoint))].join(', ')}`
  throw new ConfigError(`--require ${text} is not a documented response; ${allowed}.`)
}

/** Names those that no client has received; undefined when there is none. */
export function missedOf(required: readonly Cell[]): string | undefined {
  const missed = required.filter(({ hits }) => hits === 0)
  return missed.length === 0 ? undefined : `never seen: ${missed.map(nameOfCell).join(', ')}`
}
