import type { Address, Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { balanceSlot, takesFee } from '../../../chain/funds/deal.js'
import type { Node, Nodes } from '../../../chain/rpc/node.js'
import { decodeRevert, dryRun, type Revert } from '../../../chain/transactions/revert.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { tokenAbi, walletSimulatorAbi } from '../../../generated/abis.js'
import { walletSimulatorCode } from '../../../generated/svc.js'
import type { AccountRecord, ExecutionRecord, OperationRecord } from '../../store/store.js'
import { arrivingAs } from '../assembly/funding.js'
import type { PlannedOperation } from '../assembly/planner.js'
import type { Assembled, PlanSources } from './assemble.js'
import { balanceChangesOf } from './balanceChanges.js'
import { arrivalsFor, type Done, openOperations, readSteadily } from './progress.js'
import { activityNames } from './reservations.js'

/** A call's outcome: undefined when it would succeed, else why it would revert. */
export type SimulationResult = Revert | undefined

interface SimulationParts {
  nodes: Nodes
  book: AddressBook
}

/** One outcome for each operation. Operations that wait for bridges run as if these had delivered; `contingentOnly` runs them alone. */
export function simulatePlan(
  { nodes, book }: SimulationParts,
  wallet: Address,
  planned: readonly PlannedOperation[],
  { contingentOnly = false } = {},
): Promise<SimulationResult[]> {
  const simulated = planned.filter(({ operation }) => operation.contingent || !contingentOnly)
  const networks = [...new Set(simulated.map(({ operation }) => operation.network))]
  return Promise.all(
    networks.map((network) => {
      const node = nodes.get(network)
      const operations = planned
        .map(({ operation }) => operation)
        .filter((operation) => operation.network === network)
      return operations.some(({ contingent }) => contingent)
        ? simulateAfterArrivals(node, wallet, operations, arrivalsOn(book, network, planned))
        : simulateOperations(node, wallet, operations)
    }),
  )
}

/** What the plan's bridges bring to a network, one sum per token. Ether counts as wrapped: the plan turns it into what it needs. */
function arrivalsOn(
  book: AddressBook,
  network: NetworkName,
  planned: readonly PlannedOperation[],
): Arrival[] {
  const chainId = String(book.on(network).chainId)
  const bridges = planned
    .map(({ context }) => context)
    .filter((context) => context.action_type === 'BRIDGE')
    .filter(({ destination_chain_id }) => destination_chain_id === chainId)
  return summed(
    bridges.map(({ asset_symbol, output_amount }) => ({
      token: book.token(network, asset_symbol)!.address,
      amount: BigInt(output_amount),
    })),
  )
}

function summed(arrivals: readonly Arrival[]): Arrival[] {
  const sums = new Map<Address, bigint>()
  for (const { token, amount } of arrivals) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return [...sums].map(([token, amount]) => ({ token, amount }))
}

/**
 * Runs the operations of one network in order, without a signature: for this one call the wallet's address has the code of `WalletSimulator`,
 * so it works before the wallet is deployed and uses the wallet's own funds.
 */
function simulateOperations(
  node: Node,
  wallet: Address,
  operations: readonly OperationRecord[],
): Promise<SimulationResult> {
  const call = { from: wallet, to: wallet, data: runCall(operations) }
  return dryRun(node, call, { [wallet]: { code: walletSimulatorCode } })
}

/** What a bridge will bring, in the token's smallest unit. */
interface Arrival {
  token: Address
  amount: bigint
}

/**
 * Like `simulateOperations`, as if these arrivals had come before. A state override gives the relayer, who pays them, exactly what they cost,
 * so that nobody's real funds decide whether a plan can be made.
 */
async function simulateAfterArrivals(
  node: Node,
  wallet: Address,
  operations: readonly OperationRecord[],
  arrivals: readonly Arrival[],
): Promise<SimulationResult> {
  const overrides = await Promise.all(
    arrivals.map(async ({ token, amount }) => {
      const { at, key } = await balanceSlot(node, token, actors.relayer)
      return [at, { stateDiff: { [key]: toHex(amount, { size: 32 }) } }] as const
    }),
  )
  const payments = arrivals.map(({ token, amount }) => ({
    from: actors.relayer,
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [wallet, amount] }),
  }))
  const block = {
    stateOverrides: { ...Object.fromEntries(overrides), [wallet]: { code: walletSimulatorCode } },
    calls: [...payments, { from: wallet, to: wallet, data: runCall(operations) }],
  }
  const [simulated] = await node.rpc.request<SimulatedBlock[]>('eth_simulateV1', [
    { blockStateCalls: [block], validation: false },
    'latest',
  ])
  const failed = simulated?.calls.find((call) => call.status !== '0x1')
  return failed && decodeRevert(failed.returnData)
}

interface SimulatedBlock {
  calls: { status: Hex; returnData: Hex }[]
}

function runCall(operations: readonly OperationRecord[]): Hex {
  return encodeFunctionData({
    abi: walletSimulatorAbi,
    functionName: 'run',
    args: [operations.map((op) => op.scriptAddress), operations.map((op) => op.scriptCalldata)],
  })
}

/** The refusal of a plan whose token takes a fee on transfers; undefined when none does. Only forks have such tokens. */
export async function feeTaken(
  parts: PlanSources,
  wallet: Address,
  built: Assembled,
  forks: readonly NetworkName[],
): Promise<string | undefined> {
  const tokens = forks.flatMap((network) =>
    [...tokensOn(parts, wallet, network, built)].map((address) => ({ network, address })),
  )
  const fees = await Promise.all(
    tokens.map(({ network, address }) => takesFee(parts.nodes.get(network), address)),
  )
  const taken = tokens[fees.indexOf(true)]
  if (!taken) return undefined
  const { network, address } = taken
  const { symbol } = parts.book.on(network).tokens.find((token) => token.address === address)!
  return `${symbol} on ${network} takes a transfer fee: less would arrive than the plan says. Use another asset, or set the fee of ${address} to 0 on the fork`
}

function tokensOn(
  { book }: PlanSources,
  wallet: Address,
  network: NetworkName,
  { planned, spends, states }: Assembled,
): Set<Address> {
  const here = planned.filter(({ operation }) => operation.network === network)
  const symbols = [
    ...spends.filter((spend) => spend.network === network).map(({ symbol }) => symbol),
    ...here
      .flatMap(({ context }) => balanceChangesOf(context, states.get(network)!, wallet))
      .filter(({ kind }) => kind === 'token')
      .map(({ symbol }) => symbol),
  ]
  const named = symbols.flatMap((symbol) => book.token(network, symbol) ?? [])
  return new Set([
    ...named.filter(({ native }) => !native).map(({ address }) => address),
    ...arrivalsOn(book, network, planned).map(({ token }) => token),
  ])
}

/**
 * What goes wrong between a plan and the executions under way, or undefined, where balances do not show it: both may need one position to be
 * as large or as safe as it is. Simulates what the executions have still to do on the plan's networks before and after the plan's own
 * operations, as if all bridges had delivered. A failure that also happens without the plan does not count.
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
    const promised = others.flatMap((execution) =>
      openOperations(execution, network).filter(({ nonce }) => !done.has(nonce)),
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
