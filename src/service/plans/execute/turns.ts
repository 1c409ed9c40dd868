import type { NetworkName } from '../../../deployments/networks.js'
import { serialQueues } from '../../../lib/serialQueues.js'
import type { PlanRecord } from '../../store/store.js'

/** The place of an execution in the order of sending on a network. */
export interface Turn {
  /** Resolves when all before it have passed. */
  comes: Promise<void>
  /** Lets the next one send; safe to call twice. */
  pass(): void
}

/** The places of an execution, by network. */
export type Turns = ReadonlyMap<NetworkName, Turn>

/**
 * Makes resumed executions send in the order in which they were begun. Otherwise the order would be random, since each first looks up
 * which of its transactions have landed, and a later plan may need the result of an earlier one.
 */
export function createTurns() {
  const inTurn = serialQueues<NetworkName>()
  const take = (network: NetworkName): Turn => {
    let pass = (): void => {}
    const passed = new Promise<void>((resolve) => {
      pass = resolve
    })
    const comes = new Promise<void>((resolve) => {
      void inTurn(network, () => {
        resolve()
        return passed
      })
    })
    return { comes, pass }
  }
  return {
    /**
     * Carries out a plan with places behind all that have one; each is to be passed when the transaction there has been sent. Operations
     * that wait for a bridge queue only if the plan was confirmed before; otherwise no later plan depends on them, and bridges are slow.
     */
    async during(
      { operations }: PlanRecord,
      wasConfirmed: boolean,
      carryOut: (turns: Turns) => Promise<void>,
    ) {
      const placed = operations.filter(({ contingent }) => wasConfirmed || !contingent)
      const networks = new Set(placed.map(({ network }) => network))
      const turns = new Map([...networks].map((network) => [network, take(network)]))
      try {
        await carryOut(turns)
      } finally {
        for (const { pass } of turns.values()) pass()
      }
    },
  }
}
