import type { SearchResult } from '../search/search.js'
import type { SwarmReport } from '../types.js'

/** The result as it is reported. */
export function swarmReportOf(result: SearchResult, seed: number): SwarmReport {
  const { baseline, runs, findings, cells, unreached, tookMs } = result
  return {
    baseline,
    runs,
    findings,
    cells: cells.filter(({ hits }) => hits > 0),
    unreached,
    seed,
    seconds: Math.round(tookMs / 100) / 10,
  }
}
