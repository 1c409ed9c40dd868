import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { Node } from '../../../chain/rpc/node.js'
import {
  callNow,
  decodeReads,
  encodeReads,
  type Read,
  wordAt,
} from '../../../chain/state/multicall.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { iSpokePoolAbi, svcNonceManagerAbi } from '../../../generated/abis.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { ExecutionRecord, OperationRecord } from '../../store/store.js'
import type { FillItem } from '../model/activityItem.js'

/**
 * What has happened of executions under way by the chains, which are a moment ahead of the records: nonces of operations and relay hashes of
 * fills.
 */
export type Done = ReadonlySet<Hex>

/** Operations of an execution on a network that its records do not say have run or failed. */
export function openOperations(
  { plan, activity }: ExecutionRecord,
  network: NetworkName,
): OperationRecord[] {
  const ended = new Set(
    activity.metadata
      .filter(({ success }) => success !== null)
      .map(({ svc_operation_nonce }) => svc_operation_nonce),
  )
  // What waits for bridges does not run any more when one part has failed.
  const isDoomed = activity.metadata.some(({ success }) => success === false)
  return plan.operations.filter(
    (op) => op.network === network && !ended.has(op.nonce) && !(isDoomed && op.contingent),
  )
}

/** Fills to a network that an execution expects. */
export function openFills({ activity }: ExecutionRecord, network: NetworkName): FillItem[] {
  const { chainId } = networkOf(network)
  return activity.metadata
    .filter((item) => item.action_type === 'BRIDGE_MINT')
    .filter(({ chain_id, success }) => chain_id === chainId && success === null)
}

/** Arrivals that an execution awaits on a network: deposits that are not made yet, and fills that have not come. */
export function arrivalsFor(
  execution: ExecutionRecord,
  network: NetworkName,
  done: Done,
): { symbol: string; amount: bigint }[] {
  const chainId = String(networkOf(network).chainId)
  const undeposited = execution.activity.metadata
    .filter(({ success }) => success === null)
    .map(({ action_context }) => action_context)
    .filter((context) => context.action_type === 'BRIDGE')
    .filter(({ destination_chain_id }) => destination_chain_id === chainId)
  const fills = openFills(execution, network)
    .filter(({ relay_hash }) => !done.has(relay_hash))
    .map(({ action_context }) => action_context)
  // Either names ether by one of its forms; `arrivingAs` tells in which it comes.
  return [...undeposited, ...fills].map(({ asset_symbol, output_amount }) => ({
    symbol: asset_symbol,
    amount: BigInt(output_amount),
  }))
}

/**
 * Reads a network together with the progress there, with no progress in between: so what the wallet has can be told from what is promised.
 * Without executions under way, progress is not read.
 */
export async function readSteadily<T>(
  { node, book, wallet }: { node: Node; book: NetworkBook; wallet: Address },
  underWay: readonly ExecutionRecord[],
  read: (done: Done) => Promise<T>,
): Promise<{ result: T; done: Done }> {
  const { network } = book
  const nonces = underWay.flatMap((each) => openOperations(each, network).map((op) => op.nonce))
  const fills = underWay.flatMap((execution) =>
    openFills(execution, network).map(({ relay_hash }) => relay_hash),
  )
  for (const hash of fills) node.fork?.expectFill(hash)
  const look = (): Promise<Done> => doneOf(node, book, wallet, { nonces, fills })
  if (nonces.length + fills.length === 0) return { result: await read(new Set()), done: new Set() }
  for (let before = await look(); ; ) {
    const result = await read(before)
    const done = await look()
    if (done.size === before.size) return { result, done }
    before = done
  }
}

async function doneOf(
  node: Node,
  { multicall3, spokePool }: NetworkBook,
  wallet: Address,
  { nonces, fills }: { nonces: readonly Hex[]; fills: readonly Hex[] },
): Promise<Done> {
  const reads: Read[] = [
    ...nonces.map((nonce) => ({
      target: svcAddresses.nonceManager,
      data: encodeFunctionData({
        abi: svcNonceManagerAbi,
        functionName: 'submissionTokenOf',
        args: [wallet, nonce],
      }),
    })),
    ...fills.map((hash) => ({
      target: spokePool,
      data: encodeFunctionData({
        abi: iSpokePoolAbi,
        functionName: 'fillStatuses',
        args: [hash],
      }),
    })),
  ]
  const call = { to: multicall3, data: encodeReads(reads) }
  const answers = decodeReads(await callNow(node, call))
  return new Set(
    [...nonces, ...fills].filter((_, i) => {
      const answer = answers[i]
      if (!answer) return false
      // A spoke pool says 2 of a fill; 1 is a slow one that was asked for.
      return i < nonces.length ? wordAt(answer, 0) !== 0n : wordAt(answer, 0) === 2n
    }),
  )
}
