import { answerOf, type ControlClient } from '../../../clients/control/controlClient.js'
import { junitXml } from '../../../clients/testing/junit.js'
import { answerOfCell, type Cell, nameOfCell } from '../../../http/pipeline/coverage.js'
import { ConfigError, reporterOf } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { controlOf } from '../process/control.js'
import { print, say } from '../process/output.js'

/**
 * `svc-sim coverage`: which documented responses clients have received since the simulator started, also from leased worlds. With
 * `--require STATUS:CODE@ENDPOINT` (or `STATUS@ENDPOINT`) it resolves to 1 when one of those was never received.
 */
export async function coverage(values: OptionValues): Promise<number> {
  const { met, documented, cells } = await askCoverage(controlOf(values))
  const required = cellsNamed(values.require, cells)
  const missed = missedOf(required)
  const reported = required.length > 0 ? required : cells
  const report = reporterOf(values, {
    ...{ pretty: table, tap, junit },
    json: () => `${JSON.stringify({ met, documented, cells: reported })}\n`,
  })
  await print(report(reported, required.length > 0))
  say(`seen ${met} of ${documented} documented responses`)
  if (missed === undefined) return 0
  say(missed)
  return 1
}

function table(cells: readonly Cell[]): string {
  const lines = cells.map(
    (cell) =>
      `${cell.hits > 0 ? 'seen ' : '     '}  ${String(cell.hits).padStart(6)}  ${nameOfCell(cell)}`,
  )
  return `${lines.join('\n')}\n`
}

/** An answer that was never seen fails when it was required; otherwise it is skipped. */
function tap(cells: readonly Cell[], areRequired: boolean): string {
  const missed = areRequired ? ['not ok', ''] : ['ok', ' # SKIP never seen']
  const lines = cells.map((cell, i) => {
    const [outcome, remark] = cell.hits > 0 ? ['ok', ''] : missed
    return `${outcome} ${i + 1} - ${nameOfCell(cell)}${remark}`
  })
  return ['TAP version 14', `1..${cells.length}`, ...lines, ''].join('\n')
}

function junit(cells: readonly Cell[], areRequired: boolean): string {
  const missed = areRequired ? { failure: { message: 'never seen' } } : { skipped: 'never seen' }
  const cases = cells.map((cell) => ({
    name: nameOfCell(cell),
    classname: 'svc-sim coverage',
    ...(cell.hits === 0 && missed),
  }))
  return junitXml({ 'svc-sim coverage': cases })
}

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
  const cellOfAnswer = there.find((cell) => answerOfCell(cell) === answer)
  if (cellOfAnswer) return cellOfAnswer
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
