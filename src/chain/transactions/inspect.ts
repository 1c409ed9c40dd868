import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Node, Nodes } from '../rpc/node.js'

/** A call within a transaction, as `callTracer` reports it. */
export interface TracedCall {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  calls?: TracedCall[]
}

/** A mined transaction with its logs and its calls. */
export interface InspectedTransaction {
  network: NetworkName
  hash: Hex
  block: number
  unixSeconds: number
  isReverted: boolean
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]
  gasUsed: bigint
  /** Undefined when the node has pruned the state before it. */
  call: TracedCall | undefined
}

interface RawReceipt {
  status: Hex
  blockNumber: Hex
  gasUsed: Hex
  logs: InspectedTransaction['logs']
}

/** A node that has not answered by then is taken for silent. */
const answerWithinMs = 5_000

/** Looks for a mined transaction on every network. `silent` are the networks that did not answer. */
export async function inspectTransaction(
  nodes: Nodes,
  hash: Hex,
): Promise<{ found: InspectedTransaction | undefined; silent: NetworkName[] }> {
  const silent: NetworkName[] = []
  const answers = await Promise.all(
    nodes.all().map((node) =>
      pTimeout(inspectOn(node, hash), { milliseconds: answerWithinMs }).catch(() => {
        silent.push(node.network)
        return undefined
      }),
    ),
  )
  return { found: answers.find((answer) => answer !== undefined), silent }
}

async function inspectOn(
  { network, rpc }: Node,
  hash: Hex,
): Promise<InspectedTransaction | undefined> {
  const receipt = await rpc.request<RawReceipt | null>('eth_getTransactionReceipt', [hash])
  if (!receipt) return undefined
  const [block, call] = await Promise.all([
    rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [receipt.blockNumber, false]),
    rpc
      .request<TracedCall>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
      .catch(() => undefined),
  ])
  return {
    network,
    hash,
    block: Number(receipt.blockNumber),
    unixSeconds: Number(block.timestamp),
    isReverted: receipt.status === '0x0',
    logs: receipt.logs,
    gasUsed: BigInt(receipt.gasUsed),
    call,
  }
}
