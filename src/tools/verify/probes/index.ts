import type { Documented } from '../documented.js'
import type { Probe } from '../probe.js'
import { accountProbes } from './accounts.js'
import { digestProbes } from './digests.js'
import { eventProbes } from './events.js'
import { moneyProbes } from './money.js'
import { movedMoneyProbes } from './movedMoney.js'
import { planProbes, planRefusalProbes } from './plans.js'
import { portfolioProbes } from './portfolio.js'
import { positionProbes } from './positions.js'
import { accessProbes, orderProbes, requestProbes } from './requests.js'
import { stalenessProbes } from './staleness.js'
import { timeProbes } from './time.js'

/** Every probe, in the order in which they run: those that take minutes come last. */
export function allProbes(documented: Documented): readonly Probe[] {
  const probes = [
    ...accessProbes(documented),
    ...requestProbes,
    ...orderProbes,
    ...accountProbes,
    ...planRefusalProbes,
    ...planProbes,
    ...portfolioProbes,
    ...digestProbes,
    ...moneyProbes,
    ...movedMoneyProbes,
    ...positionProbes,
    ...stalenessProbes,
    ...eventProbes,
    ...timeProbes,
  ]
  const isSlow = (probe: Probe): boolean => probe.isSlow === true
  return [...probes.filter((probe) => !isSlow(probe)), ...probes.filter(isSlow)]
}
