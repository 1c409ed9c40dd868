import type { NetworkName } from '../../../deployments/networks.js'
import { serialQueues } from '../../../lib/serialQueues.js'
import type { PlanRecord } from '../../store/store.js'

/** A place in the order in which executions send on a network. */
export interface Turn {
  /** Resolves when those before it have passed. */
  comes: Promise<void>
  /** Lets the next one send; safe to call twice. */
  pass(): void
}

/** An execution's places, by network. */
export type Turns = ReadonlyMap<NetworkName, Turn>

/**
 * Executions that are begun again send in the order in which they were begun. Without that the order would be chance: each first looks up
 * what has landed, and a later plan may need what an earlier one brings.
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
     * Carries out a plan with places behind all that have one; each is to be passed when the transaction there has been sent. What waits
     * for a bridge has a place only where it `hasRun` before: on what has not, no later plan can have counted, and bridges take long.
     */
    async during(
      { operations }: PlanRecord,
      hasRun: boolean,
      carryOut: (turns: Turns) => Promise<void>,
    ) {
      const placed = operations.filter(({ contingent }) => hasRun || !contingent)
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
