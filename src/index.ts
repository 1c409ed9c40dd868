/** What the package `svc-sim` exports. Nothing imports this file. */

export type { ForkTarget, ForkTargets } from './chain/fork/upstream/target.js'
export { type LeaseOptions, leaseWorld, type WorldHandle } from './clients/remote/leaseWorld.js'
export type { FundRequest, Sim } from './clients/remote/sim.js'
export {
  type JournalWatch,
  type Timeline,
  type WatchedSimulator,
  watchJournal,
} from './clients/testing/journalWatch.js'
export type { Time } from './control/time.js'
export type { NetworkName } from './deployments/networks.js'
export type { FaultRuleInput, FaultSettings } from './faults/rules/faultRuleInput.js'
export { createSimulator } from './simulator/createSimulator.js'
export type { Ended, LogFormat, SimulatorOptions, StepKind } from './simulator/options/options.js'
export type { SimulatorHandle } from './simulator/simulatorHandle.js'
export type { ClockOption, SeedOption } from './time/clockOption.js'
export { swarm } from './tools/swarm/swarm.js'
export type { SwarmOptions, SwarmReport } from './tools/swarm/types.js'
