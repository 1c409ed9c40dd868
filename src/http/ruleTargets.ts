import type { AddressBook } from '../deployments/addressBook.js'
import { effects } from '../faults/effects/index.js'
import type { RouteFacts, RuleTargets } from '../faults/rules/targets.js'
import type { ProblemCode } from '../lib/errors.js'
import type { PlanKind } from '../service/plans/model/kind.js'
import type { Store } from '../service/store/store.js'
import { routesOf } from './allRoutes.js'
import { errorCases, type Route } from './core/route.js'

/** What fault rules may name in this service. */
export function ruleTargetsOf(parts: {
  planKinds: readonly PlanKind[]
  book: AddressBook
  store: Store
  primeIds: readonly string[]
}): RuleTargets {
  const { planKinds, book, store, primeIds } = parts
  return {
    effects,
    kinds: planKinds,
    routes: routeFacts(planKinds),
    assets: (network) =>
      network === undefined ? book.symbols() : book.on(network).tokens.map(({ symbol }) => symbol),
    async hasAccount(accountId) {
      const lookups = primeIds.map((primeId) => store.account(primeId, accountId))
      return (await Promise.all(lookups)).some((account) => account !== undefined)
    },
  }
}

/** The routes that faults come in at: those that take a key. */
function routeFacts(planKinds: readonly PlanKind[]): RouteFacts[] {
  return routesOf(planKinds)
    .service.filter(({ access }) => access === 'prime' || access === 'account')
    .map((route: Route) => {
      const kind = planKinds.find((each) => each === route.planKind)
      return {
        method: route.method.toUpperCase(),
        path: route.path,
        codes: errorCases(route).map(({ code }) => code satisfies ProblemCode),
        ...(kind === undefined ? {} : { kind }),
      }
    })
}
