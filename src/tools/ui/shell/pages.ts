import type { ComponentType } from 'preact'

/** What a page gets: what stands behind its name in the URL. */
export interface PageProps {
  rest: readonly string[]
}

/** A page of the dashboard. */
export interface Page {
  /** Its name in the URL. */
  name: string
  title: string
  /** Whether it is of no use without a simulator that runs: a trace has no such page. */
  needsSimulator?: true
  /** Whether only links lead there: the navigation leaves it out. */
  isLinked?: true
  /** Loads it: each page is a file of its own. */
  load(): Promise<{ default: ComponentType<PageProps> }>
}

/** The pages in the order of the navigation; the first is where one begins. */
export const pages: readonly Page[] = [
  {
    name: 'overview',
    title: 'Overview',
    load: () => import('../pages/overview/Overview.js'),
  },
  { name: 'accounts', title: 'Accounts', load: () => import('../pages/accounts/Accounts.js') },
  {
    name: 'plan',
    title: 'Plan',
    needsSimulator: true,
    load: () => import('../pages/plan/Plan.js'),
  },
  { name: 'journal', title: 'Journal', load: () => import('../pages/journal/Journal.js') },
  { name: 'timeline', title: 'Timeline', load: () => import('../pages/timeline/Timeline.js') },
  { name: 'faults', title: 'Faults', load: () => import('../pages/faults/Faults.js') },
  {
    name: 'scenarios',
    title: 'Scenarios',
    needsSimulator: true,
    load: () => import('../pages/scenarios/Scenarios.js'),
  },
  { name: 'coverage', title: 'Coverage', load: () => import('../pages/coverage/Coverage.js') },
  {
    name: 'connect',
    title: 'Connect',
    needsSimulator: true,
    load: () => import('../pages/connect/Connect.js'),
  },
  {
    name: 'transaction',
    title: 'Transaction',
    isLinked: true,
    load: () => import('../pages/transaction/Transaction.js'),
  },
]
