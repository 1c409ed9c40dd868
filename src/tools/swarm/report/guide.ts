import { shownPackageFile } from '../../../lib/files/packageFile.js'
import { afterLostExecution } from '../../../service/plans/execute/advice.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import { afterRestart, lostResponse } from '../judge/cause.js'
import type { FindingKind } from '../judge/finding.js'
import { rewoundCursor } from '../judge/misused.js'
import type { ReportedFinding } from '../types.js'

/** The page that shows what a good client does, without its `.md`. */
const pages: Readonly<Record<FindingKind, string>> = {
  moved_twice: 'guides/lost-answer',
  claimed_success: 'start/first-plan',
  gave_up: 'client',
  left_behind: 'start/first-plan',
  hung: 'guides/timeouts',
  hammered: 'client',
  misused: 'guides/plan-stale',
  impatient: 'guides/timeouts',
  lost_track: 'start/first-plan',
}

/** Where the user can read how to fix a finding: the file in the installed package, and the page that a running simulator serves. */
export function guideTo(finding: Pick<ReportedFinding, 'kind' | 'cause' | 'rules'>): string {
  const page = pageFor(finding)
  const file = shownPackageFile(`docs/${page}.md`)
  return `${file} (or http://127.0.0.1:${defaultPort}/_sim/docs/${page} while svc-sim start runs)`
}

/** What the hint of the service and `svc-sim why` say, too; none where the message of the finding says it. */
export function adviceOn({ cause }: Pick<ReportedFinding, 'cause'>): string[] {
  if (cause === lostResponse) return [afterLostExecution]
  if (cause !== afterRestart) return []
  return [
    `write the plan_id to disk before you execute a plan, and after a restart ${afterLostExecution}`,
  ]
}

function pageFor({
  kind,
  cause,
  rules,
}: Pick<ReportedFinding, 'kind' | 'cause' | 'rules'>): string {
  if (cause === lostResponse || cause === afterRestart) return 'guides/lost-answer'
  if (cause.includes('plan_stale')) return 'guides/plan-stale'
  if (cause === rewoundCursor) return 'client'
  const losesMoney = kind === 'claimed_success' || kind === 'left_behind' || kind === 'lost_track'
  if (losesMoney && rules.some(({ on }) => on === 'bridge')) return 'guides/bridge'
  return pages[kind]
}
