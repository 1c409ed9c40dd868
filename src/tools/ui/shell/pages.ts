import { computed } from '@preact/signals'
import type { ComponentType } from 'preact'
import { noFilter } from '../../../observe/journal/filter.js'
import { isReadOnly } from '../api/live.js'

export interface PageProps {
  rest: readonly string[]
}

export interface Page {
  name: string
  title: string
  /** Whether it is of no use without a simulator that runs: a trace has no such page. */
  needsSimulator?: true
  /** Whether only links lead there: the navigation leaves it out. */
  isLinked?: true
  /** What its URL may have behind the path, apart by spaces. */
  takes: string
  load(): Promise<{ default: ComponentType<PageProps> }>
}

/** The pages in the order of the navigation; the first is where one begins. */
export const pages: readonly Page[] = [
  page('Overview', () => import('../pages/overview/Overview.js'), 'for'),
  page('Accounts', () => import('../pages/accounts/Accounts.js'), 'q after'),
  page('Plan', () => import('../pages/plan/Plan.js'), '', { needsSimulator: true }),
  page('Journal', () => import('../pages/journal/Journal.js'), Object.keys(noFilter).join(' ')),
  page('Timeline', () => import('../pages/timeline/Timeline.js'), 'cursor moment reads events'),
  page('Faults', () => import('../pages/faults/Faults.js'), 'account settings match often'),
  page('Scenarios', () => import('../pages/scenarios/Scenarios.js'), 'q', { needsSimulator: true }),
  page('Coverage', () => import('../pages/coverage/Coverage.js'), 'show cell'),
  page('Worlds', () => import('../pages/worlds/Worlds.js')),
  page('Plans', () => import('../pages/plans/Plans.js'), 'q'),
  page('Chain', () => import('../pages/chain/Chain.js'), '', { isLinked: true }),
  page('Transaction', () => import('../pages/transaction/Transaction.js'), '', { isLinked: true }),
]

export const shownPages = computed(() =>
  pages.filter((page) => !(page.needsSimulator && isReadOnly.value)),
)

function page(title: string, load: Page['load'], takes = '', more: Partial<Page> = {}): Page {
  return { name: title.toLowerCase(), title, load, takes, ...more }
}
