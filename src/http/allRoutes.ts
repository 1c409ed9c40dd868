import type { Routes } from './core/route.js'
import type { PlanKindInfo } from './core/types.js'
import type { RouteGroup } from './pipeline/routers.js'
import { accountRoutes, primeAccountRoutes } from './routes/accounts.js'
import { accountActivityRoutes, activityRoutes, eventRoutes } from './routes/activities.js'
import { accountViewRoutes, allAccountsRoutes } from './routes/control/accounts.js'
import { clockRoutes } from './routes/control/clock.js'
import { connectRoutes, simIndexRoutes } from './routes/control/connect.js'
import { eventAgainRoutes } from './routes/control/eventAgain.js'
import { effectRoutes, faultRoutes } from './routes/control/faults.js'
import { priceRoutes } from './routes/control/prices.js'
import { scenarioRoutes } from './routes/control/scenarios.js'
import { resetRoutes, snapshotRoutes } from './routes/control/snapshots.js'
import { fundRoutes, liquidationRoutes, rewardRoutes } from './routes/control/wallets.js'
import { worldRoutes } from './routes/control/worlds.js'
import { controlDocsRoutes, docsRoutes } from './routes/docs.js'
import { folioRoutes, folioStreamRoutes } from './routes/folio.js'
import { healthRoutes } from './routes/health.js'
import { coverageRoutes, metricsRoutes } from './routes/observe/counts.js'
import { journalForkRoutes, journalRoutes } from './routes/observe/journal.js'
import { overviewRoutes } from './routes/observe/overview.js'
import { streamRoutes } from './routes/observe/stream.js'
import { traceRoutes } from './routes/observe/trace.js'
import { transactionRoutes } from './routes/observe/transaction.js'
import { whyRoutes } from './routes/observe/why.js'
import { executeRoutes, planRoutes } from './routes/plans.js'
import { assetRoutes, marketRoutes, networkRoutes } from './routes/referenceData.js'

/** Every endpoint; each plan kind has its own. */
export function routesOf(planKinds: readonly PlanKindInfo[]): Routes {
  const { service, control } = routeGroups(planKinds)
  return { service: service.flat(), control: control.flat() }
}

/** The same, by file. */
export function routeGroups(planKinds: readonly PlanKindInfo[]): {
  service: readonly RouteGroup[]
  control: readonly RouteGroup[]
} {
  return { service: serviceGroups(planKinds), control: controlGroups }
}

function serviceGroups(planKinds: readonly PlanKindInfo[]): RouteGroup[] {
  return [
    accountRoutes,
    primeAccountRoutes,
    networkRoutes,
    assetRoutes,
    marketRoutes,
    folioRoutes,
    folioStreamRoutes(),
    [...planRoutes(planKinds), ...executeRoutes],
    accountActivityRoutes,
    activityRoutes,
    eventRoutes,
    healthRoutes,
    docsRoutes,
  ]
}

const controlGroups: readonly RouteGroup[] = [
  simIndexRoutes,
  connectRoutes,
  overviewRoutes,
  allAccountsRoutes,
  accountViewRoutes,
  fundRoutes,
  rewardRoutes,
  snapshotRoutes,
  resetRoutes,
  clockRoutes,
  faultRoutes,
  effectRoutes,
  priceRoutes,
  liquidationRoutes,
  eventAgainRoutes,
  journalRoutes,
  journalForkRoutes,
  whyRoutes,
  transactionRoutes,
  streamRoutes,
  coverageRoutes,
  scenarioRoutes,
  traceRoutes,
  metricsRoutes,
  worldRoutes,
  controlDocsRoutes,
]
