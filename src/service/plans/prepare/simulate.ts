import type { Address, Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { balanceSlot } from '../../../chain/funds/balanceSlot.js'
import type { Node, Nodes } from '../../../chain/rpc/node.js'
import { dryRun } from '../../../chain/transactions/dryRun.js'
import { decodeRevert, type Revert } from '../../../chain/transactions/revert.js'
import { actors } from '../../../deployments/actors.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { tokenAbi, walletSimulatorAbi } from '../../../generated/abis.js'
import { walletSimulatorCode } from '../../../generated/svc.js'
import type { OperationRecord } from '../../store/store.js'
import type { PlannedOperation } from '../assembly/planner.js'

/** A call's outcome: undefined when it would succeed, else why it would revert. */
export type SimulationResult = Revert | undefined

/** What a simulation reads. */
export interface SimulationParts {
  nodes: Nodes
  book: AddressBook
}

/**
 * Runs a plan's operations without a signature, network by network, one outcome for each. What waits for bridges is run as if
 * they had delivered; `contingentOnly` leaves out the rest.
 */
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
export function arrivalsOn(
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

/** One sum per token. */
export function summed(arrivals: readonly Arrival[]): Arrival[] {
  const sums = new Map<Address, bigint>()
  for (const { token, amount } of arrivals) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return [...sums].map(([token, amount]) => ({ token, amount }))
}

/**
 * Runs the operations of one network in order inside the wallet, without a signature: the wallet's address gets the code of
 * `WalletSimulator` for this one call, so it works before the wallet is deployed and sees the wallet's own funds.
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
export interface Arrival {
  token: Address
  amount: bigint
}

/**
 * Like `simulateOperations`, as if these arrivals had come before. The relayer, who pays them, has for this one simulation
 * just what it takes (state override), so nobody's real holdings decide whether a plan can be made.
 */
export async function simulateAfterArrivals(
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
