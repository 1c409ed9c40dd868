// Users need not have this in their own configuration: the handle is disposable.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Forks } from '../chain/fork/install/forkedNetwork.js'
import type { Sim, SimClock, SimFaults } from '../clients/remote/sim.js'
import type { Time } from '../control/time.js'
import type { RuleView } from '../faults/rules/faultRules.js'
import type { Ended } from './options/options.js'

/** A simulator in this process: `await using sim = await createSimulator()` stops it at the end of the block. */
export interface SimulatorHandle extends Sim {
  faults: SimFaults<RuleView[]>
  clock: SimClock<Date, Time>
  /** The forked networks: host, block, and which protocols are missing there. */
  forks: Forks
  /** The seed of ids and of random choices. */
  seed: bigint
  /**
   * Stops the API and the five nodes within five seconds, after the requests in progress. Rejects when the data folder could not be saved.
   * Safe to call twice.
   */
  close(): Promise<void>
  /** Resolves when the simulator has ended, also when a node died. */
  closed: Promise<Ended>
}
