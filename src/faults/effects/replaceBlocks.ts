import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { Node } from '../../chain/rpc/node.js'
import { retainedStates } from '../../chain/rpc/reorgTime.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import { lowestWithoutLoss } from '../../chain/transactions/notifyStep.js'
import { actors } from '../../deployments/actors.js'

/** The node cannot take back more blocks than it keeps states of; one more is the block that they stand on. */
export const maxDepth = retainedStates - 2

/** A transaction of a block, as the node tells it; quantities in hex. */
interface Mined {
  hash: Hex
  nonce: Hex
  from: Hex
  to: Hex | null
  value: Hex
  gas: Hex
  input: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  gasPrice?: Hex
  r: Hex
}

/** Replaces the last blocks; resolves to the hashes that are gone, none when the node does not reach back that far. */
export async function replaceBlocks(
  node: Node,
  hash: Hex,
  { depth, keep }: { depth: number; keep: boolean },
): Promise<Hex[]> {
  const { rpc } = node
  const [receipt, latestHex, lowest] = await Promise.all([
    // Not the transaction: for a moment after it was mined the node still tells of it as one that waits in the pool.
    rpc.request<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash]),
    rpc.request<Hex>('eth_blockNumber'),
    lowestReplaceable(node),
  ])
  if (!receipt) return []
  const latest = Number(latestHex)
  const at = Number(receipt.blockNumber)
  const wanted = Math.max(Math.min(at, latest - depth + 1), lowest, latest - maxDepth + 1)
  const first = await lowestRetained(node, wanted, at)
  if (at < first) return []
  const numbers = Array.from({ length: latest - first + 1 }, (_, i) => toHex(first + i))
  const blocks = await Promise.all(
    numbers.map((number) =>
      rpc.request<{ hash: Hex; transactions: Mined[] }>('eth_getBlockByNumber', [number, true]),
    ),
  )
  const again = blocks.flatMap(({ transactions }, index) =>
    transactions.map((mined) => ({
      mined,
      isIdle: !keep && mined.hash === hash,
      index,
    })),
  )
  const pairs = await Promise.all(
    again.map(async ({ mined, isIdle, index }) => [
      await (isIdle ? idle(node, mined) : resubmitted(node, mined)),
      index,
    ]),
  )
  const hashes = blocks.map((block) => block.hash)
  // Whoever the node acted for when it took a transaction, it must act for once more.
  await rpc.request('anvil_autoImpersonateAccount', [true])
  try {
    await rpc.request('anvil_reorg', [numbers.length, pairs])
  } finally {
    await rpc.request('anvil_autoImpersonateAccount', [false])
  }
  return hashes
}

/**
 * A snapshot is of a block: when that is replaced, the node cannot return to it and is broken by trying. And native funds, which
 * the faucet gives without a transaction, would be lost.
 */
async function lowestReplaceable(node: Node): Promise<number> {
  const [snapshots, withoutLoss] = await Promise.all([
    snapshotBlocks(node),
    lowestWithoutLoss(node),
  ])
  return Math.max(1, withoutLoss, ...snapshots.map((number) => number + 1))
}

/** The blocks of the snapshots that can be returned to. The node also lists those that cannot, of blocks far above the present ones. */
async function snapshotBlocks({ rpc, snapshots: guard }: Node): Promise<number[]> {
  type Listed = Record<Hex, [number: number, hash: Hex]>
  const { snapshots } = await rpc.request<{ snapshots: Listed }>('anvil_metadata')
  const listed = (Object.entries(snapshots) as [Hex, Listed[Hex]][]).filter(
    ([id]) => !guard?.hasEnded(id),
  )
  const numbers = await Promise.all(
    listed.map(async ([, [number, hash]]) =>
      (await rpc.request<object | null>('eth_getBlockByHash', [hash, false])) ? [number] : [],
    ),
  )
  return numbers.flat()
}

/**
 * The lowest block, from one to another, below which the node still has the state; one more when there is none. Each branch costs it
 * some of the states that it keeps, until there are other blocks.
 */
async function lowestRetained({ rpc }: Node, from: number, to: number): Promise<number> {
  for (let first = from; first <= to; first++) {
    const asked = rpc.request('eth_getBalance', [actors.relayer, toHex(first - 1)])
    const isThere = await asked.then(
      () => true,
      (error) => {
        if (error instanceof RpcError) return false
        throw error
      },
    )
    if (isThere) return first
  }
  return to + 1
}

/** One that does nothing under the same nonce, signed where the node has the key. */
async function idle({ rpc }: Node, mined: Mined): Promise<Hex | object> {
  const nothing = unsigned({ ...mined, to: mined.from, value: '0x0', input: '0x' })
  if (!Object.values<Hex>(actors).includes(mined.from)) return nothing
  return rpc.request<Hex>('eth_signTransaction', [nothing])
}

/** As the node takes it: signed as it was, or, where the node impersonated the sender, with every field as it was, so that the hash stays. */
async function resubmitted({ rpc }: Node, mined: Mined): Promise<Hex | object> {
  if (BigInt(mined.r) !== 0n) return rpc.request<Hex>('eth_getRawTransactionByHash', [mined.hash])
  return unsigned(mined)
}

function unsigned(mined: Mined): object {
  const { from, to, value, nonce, gas, input, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = mined
  const price = maxFeePerGas ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }
  return { from, ...(to ? { to } : {}), value, nonce, gas, input, ...price }
}
