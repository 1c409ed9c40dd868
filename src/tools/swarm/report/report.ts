import type { SearchResult } from '../search/search.js'
import type { SwarmReport } from '../types.js'

/** The result as it is reported. */
export function swarmReportOf(result: SearchResult, seed: number): SwarmReport {
  const { tookMs, cells, ...others } = result
  return {
    ...others,
    cells: cells.filter(({ hits }) => hits > 0),
    seed,
    seconds: Math.round(tookMs / 100) / 10,
  }
}
