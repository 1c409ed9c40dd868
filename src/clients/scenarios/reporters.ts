import { type JUnitCase, junitXml } from '../testing/junit.js'
import type { Result } from './run.js'

/** `begin` and `end` surround the results; each text ends its lines. */
export interface Reporter {
  begin(count: number): string
  result(result: Result, index: number): string
  end(results: readonly Result[]): string
}

/** Why a scenario that was only prepared counts neither as passed nor as failed. */
const preparedOnly = 'prepares a world for your own client; no steps to play'

/** Prepared as it should be; one whose preparation went wrong has failed. */
function isPrepared(result: Result): boolean {
  return result.isPrepared && result.failure === undefined
}

function sumsOf(results: readonly Result[]) {
  const failed = results.filter(({ failure }) => failure !== undefined).length
  const prepared = results.filter(isPrepared).length
  return { failed, prepared, passed: results.length - failed - prepared }
}

const pretty: Reporter = {
  begin: (count) => `${count} ${count === 1 ? 'scenario' : 'scenarios'}\n`,
  result(result) {
    const { name, failure, durationMs, file, seed } = result
    if (isPrepared(result)) return `  ready ${name}: ${preparedOnly}\n`
    if (failure === undefined) return `  ok    ${name} (${durationMs} ms)\n`
    return `  FAIL  ${name}\n        ${file}, seed ${seed}\n        ${failure.where}: ${failure.message}\n`
  },
  end(results) {
    const { passed, prepared, failed } = sumsOf(results)
    return `${passed} passed, ${failed} failed${prepared > 0 ? `, ${prepared} prepared` : ''}\n`
  },
}

const tap: Reporter = {
  begin: (count) => `TAP version 14\n1..${count}\n`,
  result(result, index) {
    const { name, failure, file, seed, durationMs } = result
    const title = name.replace(/[\\#]/g, '\\$&')
    if (isPrepared(result)) return `ok ${index + 1} - ${title} # SKIP ${preparedOnly}\n`
    if (failure === undefined) return `ok ${index + 1} - ${title}\n`
    const details = { file, seed, where: failure.where, message: failure.message, durationMs }
    const lines = Object.entries(details).map(
      ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
    )
    return `not ok ${index + 1} - ${title}\n  ---\n${lines.join('\n')}\n  ...\n`
  },
  end: () => '',
}

const json: Reporter = {
  begin: () => '',
  result: () => '',
  end(results) {
    const scenarios = results.map((result) => {
      const { name, file, seed, durationMs, failure } = result
      const outcome = failure ? 'failed' : isPrepared(result) ? 'prepared' : 'passed'
      return { name, file, seed, outcome, duration_ms: durationMs, failure }
    })
    return `${JSON.stringify({ ...sumsOf(results), scenarios })}\n`
  },
}

/** Everything is written at the end, since the sums come first. */
const junit: Reporter = {
  begin: () => '',
  result: () => '',
  end(results) {
    const cases = results.map((result): JUnitCase => {
      const { name, file, seed, durationMs, failure } = result
      const text = failure && `${failure.where}: ${failure.message}\nseed ${seed}`
      return {
        name,
        classname: file,
        seconds: durationMs / 1000,
        ...(failure && { failure: { message: failure.message, text: text! } }),
        ...(isPrepared(result) && { skipped: preparedOnly }),
      }
    })
    const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return junitXml({ 'svc-sim scenarios': cases }, { seconds: total / 1000 })
  },
}

export const reporters = { pretty, json, tap, junit } as const
