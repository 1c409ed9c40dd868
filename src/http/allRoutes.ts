import type { Route, Routes } from './core/route.js'
import type { PlanKindInfo } from './core/types.js'
import { accountRoutes } from './routes/accounts.js'
import { activityRoutes } from './routes/activities.js'
import { assetRoutes } from './routes/assets.js'
import { accountViewRoutes } from './routes/control/account.js'
import { allAccountsRoutes } from './routes/control/allAccounts.js'
import { clockRoutes } from './routes/control/clock.js'
import { connectRoutes } from './routes/control/connect.js'
import { effectRoutes } from './routes/control/effects.js'
import { eventAgainRoutes } from './routes/control/eventAgain.js'
import { faultRoutes } from './routes/control/faults.js'
import { fundRoutes } from './routes/control/fund.js'
import { liquidationRoutes } from './routes/control/liquidations.js'
import { priceRoutes } from './routes/control/prices.js'
import { rewardRoutes } from './routes/control/rewards.js'
import { scenarioRoutes } from './routes/control/scenarios.js'
import { simIndexRoutes } from './routes/control/simIndex.js'
import { snapshotRoutes } from './routes/control/snapshots.js'
import { worldRoutes } from './routes/control/worlds.js'
import { controlDocsRoutes, docsRoutes } from './routes/docs.js'
import { eventRoutes } from './routes/events.js'
import { folioRoutes } from './routes/folio.js'
import { folioStreamRoutes } from './routes/folioStream.js'
import { healthRoutes } from './routes/health.js'
import { marketRoutes } from './routes/markets.js'
import { networkRoutes } from './routes/networks.js'
import { coverageRoutes } from './routes/observe/coverage.js'
import { journalRoutes } from './routes/observe/journal.js'
import { journalForkRoutes } from './routes/observe/journalFork.js'
import { metricsRoutes } from './routes/observe/metrics.js'
import { overviewRoutes } from './routes/observe/overview.js'
import { streamRoutes } from './routes/observe/stream.js'
import { traceRoutes } from './routes/observe/trace.js'
import { transactionRoutes } from './routes/observe/transaction.js'
import { whyRoutes } from './routes/observe/why.js'
import { executeRoutes, planRoutes } from './routes/plans.js'
import { primeAccountRoutes } from './routes/primeAccount.js'

/** Every endpoint there is; each plan kind has one of its own. */
export function routesOf(planKinds: readonly PlanKindInfo[]): Routes {
  return { service: serviceRoutes(planKinds), control: controlRoutes }
}

function serviceRoutes(planKinds: readonly PlanKindInfo[]): Route[] {
  return [
    ...accountRoutes,
    ...primeAccountRoutes,
    ...networkRoutes,
    ...assetRoutes,
    ...marketRoutes,
    ...folioRoutes,
    ...folioStreamRoutes,
    ...planRoutes(planKinds),
    ...executeRoutes,
    ...activityRoutes,
    ...eventRoutes,
    ...healthRoutes,
    ...docsRoutes,
  ]
}

const controlRoutes: readonly Route[] = [
  ...simIndexRoutes,
  ...connectRoutes,
  ...overviewRoutes,
  ...allAccountsRoutes,
  ...accountViewRoutes,
  ...fundRoutes,
  ...rewardRoutes,
  ...snapshotRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...effectRoutes,
  ...priceRoutes,
  ...liquidationRoutes,
  ...eventAgainRoutes,
  ...journalRoutes,
  ...journalForkRoutes,
  ...whyRoutes,
  ...transactionRoutes,
  ...streamRoutes,
  ...coverageRoutes,
  ...scenarioRoutes,
  ...traceRoutes,
  ...metricsRoutes,
  ...worldRoutes,
  ...controlDocsRoutes,
]
