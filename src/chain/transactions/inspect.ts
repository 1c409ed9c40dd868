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

/** A transaction as it was sent. JSON-safe. */
export interface SentTransaction {
  from: Hex
  /** Null for one that creates a contract. */
  to: Hex | null
  nonce: number
  value: Hex
  input: Hex
  gasPrice: Hex
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
  /** Undefined in older traces. */
  sent?: SentTransaction
  /** Undefined when the node has pruned the state before it. */
  call: TracedCall | undefined
}

/** A block, without the calls of its transactions: nobody traces them before one is chosen. */
export interface InspectedBlock {
  number: number
  /** Undefined in a trace. */
  hash: Hex | undefined
  unixSeconds: number
  transactions: readonly Omit<InspectedTransaction, 'call' | 'logs'>[]
}

interface RawReceipt {
  status: Hex
  transactionHash: Hex
  blockNumber: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  logs: InspectedTransaction['logs']
}

/** A node that has not answered by then is taken for silent. */
const answerWithinMs = 5_000

/** Looks for a mined transaction on every network. `silent` are the networks that did not answer. */
export async function inspectTransaction(
  nodes: Nodes,
  hash: Hex,
): Promise<{ transaction: InspectedTransaction | undefined; silent: NetworkName[] }> {
  const silent: NetworkName[] = []
  const answers = await Promise.all(
    nodes.all().map((node) =>
      pTimeout(inspectOn(node, hash), { milliseconds: answerWithinMs }).catch(() => {
        silent.push(node.network)
        return undefined
      }),
    ),
  )
  return { transaction: answers.find((answer) => answer !== undefined), silent }
}

async function inspectOn(
  { network, rpc }: Node,
  hash: Hex,
): Promise<InspectedTransaction | undefined> {
  const receipt = await rpc.request<RawReceipt | null>('eth_getTransactionReceipt', [hash])
  if (!receipt) return undefined
  const [block, raw, call] = await Promise.all([
    rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', [receipt.blockNumber, false]),
    rpc.request<RawTransaction>('eth_getTransactionByHash', [hash]),
    rpc
      .request<TracedCall>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
      .catch(() => undefined),
  ])
  return { ...minedOn(network, block, raw, receipt), logs: receipt.logs, call }
}

type RawTransaction = Record<'hash' | 'from' | 'nonce' | 'value' | 'input', Hex> & {
  to: Hex | null
}

function minedOn(
  network: NetworkName,
  { timestamp }: { timestamp: Hex },
  { from, to, nonce, value, input }: RawTransaction,
  { transactionHash: hash, status, blockNumber, gasUsed, effectiveGasPrice }: RawReceipt,
): Omit<InspectedTransaction, 'call' | 'logs'> {
  return {
    network,
    hash,
    block: Number(blockNumber),
    unixSeconds: Number(timestamp),
    isReverted: status === '0x0',
    gasUsed: BigInt(gasUsed),
    sent: { from, to, nonce: Number(nonce), value, input, gasPrice: effectiveGasPrice },
  }
}

type RawBlock = Record<'number' | 'hash' | 'timestamp', Hex> & { transactions: RawTransaction[] }

/** The blocks of a network up to `last`, or up to its latest; newest first. Rejects when the node does not answer in time. */
export async function inspectBlocks(
  nodes: Nodes,
  network: NetworkName,
  { last, limit }: { last?: number | undefined; limit: number },
): Promise<InspectedBlock[]> {
  const { rpc } = nodes.get(network)
  const blockOf = (at: string) => rpc.request<RawBlock | null>('eth_getBlockByNumber', [at, true])
  const look = async (): Promise<InspectedBlock[]> => {
    const newest = await blockOf(last === undefined ? 'latest' : `0x${last.toString(16)}`)
    if (!newest) return []
    const first = Number(newest.number)
    const older = Array.from({ length: Math.min(limit - 1, first) }, (_, index) =>
      blockOf(`0x${(first - 1 - index).toString(16)}`),
    )
    const blocks = [newest, ...(await Promise.all(older))].filter((block) => block !== null)
    return Promise.all(
      blocks.map(async (block) => {
        const { number, hash, timestamp, transactions } = block
        const receipts =
          transactions.length === 0
            ? []
            : await rpc.request<RawReceipt[]>('eth_getBlockReceipts', [number])
        return {
          number: Number(number),
          hash,
          unixSeconds: Number(timestamp),
          transactions: transactions.flatMap((raw) => {
            const receipt = receipts.find(({ transactionHash }) => transactionHash === raw.hash)
            return receipt ? [minedOn(network, block, raw, receipt)] : []
          }),
        }
      }),
    )
  }
  return pTimeout(look(), { milliseconds: answerWithinMs })
}

/** The latest block of a network. */
export interface Head {
  network: NetworkName
  /** Undefined when the node did not answer. */
  block: { number: number; unixSeconds: number } | undefined
}

/** A node that has not answered by then has no head. */
const headWithinMs = 2_000

/** The latest block of every network. A node that does not answer in time is left out. */
export async function heads(nodes: Nodes): Promise<Head[]> {
  return Promise.all(
    nodes.all().map(async ({ network, rpc }) => {
      const head = rpc
        .request<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false])
        .then(
          ({ number, timestamp }) => ({ number: Number(number), unixSeconds: Number(timestamp) }),
          () => undefined,
        )
      const block = await pTimeout(head, {
        milliseconds: headWithinMs,
        fallback: () => undefined,
      })
      return { network, block }
    }),
  )
}
