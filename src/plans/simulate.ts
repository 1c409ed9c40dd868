import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { Node } from '../chain/node.js'
import { decodeRevert, type Revert } from '../chain/revert.js'
import { RpcError } from '../chain/rpc.js'
import { tokenAbi, walletSimulatorAbi } from '../generated/abis.js'
import { walletSimulatorCode } from '../generated/svc.js'
import type { OperationRecord } from '../store/store.js'

/** A call's outcome: undefined when it would succeed, else why it would revert. */
export type Outcome = Revert | undefined

/** Runs a call without sending it, as the next block would. `code` stands in for an account's code (state override). */
async function dryRun(
  node: Node,
  call: { from: Address; to: Address; data: Hex },
  code?: Record<Address, { code: Hex }>,
): Promise<Outcome> {
  try {
    await node.rpc.request('eth_call', [call, 'pending', code ?? {}])
    return undefined
  } catch (error) {
    if (error instanceof RpcError) {
      const revert = decodeRevert(error.data)
      return error.data === undefined ? { ...revert, reason: error.message } : revert
    }
    throw error
  }
}

/**
 * Runs the operations of one network in order inside the wallet, without a signature: the wallet's address gets the code of
 * `WalletSimulator` for this one call, so it works before the wallet is deployed and sees the wallet's own funds.
 */
export function simulateOperations(
  node: Node,
  wallet: Address,
  operations: readonly OperationRecord[],
): Promise<Outcome> {
  const data = runCall(operations)
  return dryRun(
    node,
    { from: wallet, to: wallet, data },
    {
      [wallet]: { code: walletSimulatorCode },
    },
  )
}

/** What a bridge will bring, in the token's smallest unit. */
export interface Arrival {
  token: Address
  amount: bigint
}

/**
 * Like `simulateOperations`, as if these arrivals had come before: a donor that holds the tokens (the exchange, which has an
 * inventory in every world) sends them to the wallet within the simulation.
 */
export async function simulateAfterArrivals(
  node: Node,
  wallet: Address,
  operations: readonly OperationRecord[],
  { arrivals, donor }: { arrivals: readonly Arrival[]; donor: Address },
): Promise<Outcome> {
  const calls = [
    ...arrivals.map(({ token, amount }) => ({
      from: donor,
      to: token,
      data: encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transfer',
        args: [wallet, amount],
      }),
    })),
    { from: wallet, to: wallet, data: runCall(operations) },
  ]
  const block = {
    stateOverrides: { [wallet]: { code: walletSimulatorCode } },
    calls,
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

/** Runs a transaction that is about to be sent, signature check included. */
export function simulateTransaction(
  node: Node,
  call: { from: Address; to: Address; data: Hex },
): Promise<Outcome> {
  return dryRun(node, call)
}
