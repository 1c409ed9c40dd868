import type { Route, Routes } from '../route.js'
import type { PlanKindInfo } from '../types.js'
import { accountRoutes } from './accounts.js'
import { activityRoutes } from './activities.js'
import { assetRoutes } from './assets.js'
import { accountViewRoutes } from './control/account.js'
import { allAccountsRoutes } from './control/allAccounts.js'
import { clockRoutes } from './control/clock.js'
import { coverageRoutes } from './control/coverage.js'
import { effectRoutes } from './control/effects.js'
import { eventAgainRoutes } from './control/eventAgain.js'
import { faultRoutes } from './control/faults.js'
import { fundRoutes } from './control/fund.js'
import { journalRoutes } from './control/journal.js'
import { liquidationRoutes } from './control/liquidations.js'
import { metricsRoutes } from './control/metrics.js'
import { overviewRoutes } from './control/overview.js'
import { priceRoutes } from './control/prices.js'
import { rewardRoutes } from './control/rewards.js'
import { scenarioRoutes } from './control/scenarios.js'
import { snapshotRoutes } from './control/snapshots.js'
import { streamRoutes } from './control/stream.js'
import { traceRoutes } from './control/trace.js'
import { whyRoutes } from './control/why.js'
import { worldRoutes } from './control/worlds.js'
import { controlDocsRoutes, docsRoutes } from './docs.js'
import { eventRoutes } from './events.js'
import { folioRoutes } from './folio.js'
import { folioStreamRoutes } from './folioStream.js'
import { healthRoutes } from './health.js'
import { marketRoutes } from './markets.js'
import { networkRoutes } from './networks.js'
import { executeRoutes, planRoutes } from './plans.js'
import { primeAccountRoutes } from './primeAccount.js'

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
  ...whyRoutes,
  ...streamRoutes,
  ...coverageRoutes,
  ...scenarioRoutes,
  ...traceRoutes,
  ...metricsRoutes,
  ...worldRoutes,
  ...controlDocsRoutes,
]
