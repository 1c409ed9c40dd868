import type { NetworkName } from '../../../deployments/networks.js'
import type { AccountRecord, ExecutionRecord } from '../../store/store.js'
import type { PlannedOperation } from '../assembly/planner.js'
import { arrivingAs } from '../assembly/sourcing.js'
import { arrivalsFor, type Done, openOperations, readSteadily } from './progress.js'
import { activityNames } from './reservations.js'
import { arrivalsOn, type SimulationParts, simulateAfterArrivals, summed } from './simulate.js'

/**
 * Whether a plan and the executions under way leave each other alone where balances do not tell: both may need one position to
 * be as large or as sound as it is. What the executions have still to do on the plan's networks is run with the plan's own
 * operations before it and behind it, as if all bridges had delivered. Resolves to what goes wrong, or undefined. What would fail
 * without the plan too is not held against it.
 */
export async function conflictOf(
  parts: SimulationParts,
  account: AccountRecord,
  planned: readonly PlannedOperation[],
  underWay: readonly ExecutionRecord[],
): Promise<string | undefined> {
  const networks = [...new Set(planned.map(({ operation }) => operation.network))]
  const broken = await Promise.all(
    networks.map((network) => {
      const others = underWay.filter((each) => openOperations(each, network).length > 0)
      return others.length > 0 ? conflictOn(parts, account, network, planned, others) : undefined
    }),
  )
  return broken.find((reason) => reason !== undefined)
}

async function conflictOn(
  parts: SimulationParts,
  account: AccountRecord,
  network: NetworkName,
  planned: readonly PlannedOperation[],
  others: readonly ExecutionRecord[],
): Promise<string | undefined> {
  const wallet = account.walletAddress
  const node = parts.nodes.get(network)
  const book = parts.book.on(network)
  const own = planned
    .map(({ operation }) => operation)
    .filter((operation) => operation.network === network)
  const run = async (done: Done): Promise<string | undefined> => {
    const promised = others.flatMap((each) =>
      openOperations(each, network).filter(({ nonce }) => !done.has(nonce)),
    )
    if (promised.length === 0) return undefined
    const arrivals = summed([
      ...arrivalsOn(parts.book, network, planned),
      ...others
        .flatMap((each) => arrivalsFor(each, network, done))
        .map(({ symbol, amount }) => {
          // Wrapped, as `arrivalsOn` has them: what waits turns it into what it needs.
          const { address } = arrivingAs(book, parts.book.token(network, symbol)!, true)
          return { token: address, amount }
        }),
    ])
    const simulate = (operations: typeof own) =>
      simulateAfterArrivals(node, wallet, operations, arrivals)
    const [alone, before, behind] = await Promise.all([
      simulate(promised),
      simulate([...own, ...promised]),
      simulate([...promised, ...own]),
    ])
    const reason = alone ? undefined : (before ?? behind)?.reason
    const nameOf = activityNames(others, account)
    const names = new Set(others.map(({ activity }) => nameOf(activity.activityId)))
    return (
      reason &&
      `together with what is under way on ${network} (${[...names].join(', ')}) it would revert: ${reason}`
    )
  }
  const { result } = await readSteadily({ node, book, wallet }, others, run)
  return result
}
