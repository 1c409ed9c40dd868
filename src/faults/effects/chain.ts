import type { Hex } from 'viem'
import { toHex } from 'viem/utils'
import { z } from 'zod'
import { type Node, rpcForNow } from '../../chain/rpc/node.js'
import { retainedStates } from '../../chain/rpc/reorgTime.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import { mineAgain } from '../../chain/transactions/mining.js'
import { lowestWithoutLoss } from '../../chain/transactions/notifyStep.js'
import { inTurn } from '../../chain/transactions/send.js'
import { actors } from '../../deployments/actors.js'
import { ServiceError } from '../../lib/errors.js'
import { note } from '../../service/context/requestContext.js'
import { whileMoving } from '../../time/backgroundTasks.js'
import { realWait } from '../../time/clock.js'
import { defineEffect, definePersistentEffect, type Effect } from '../rules/effect.js'
import { createHolds, holdAll, stopped } from '../rules/stoppedNodes.js'
import { msField, persistentSettings } from './settings.js'

/** The node cannot revert more blocks than it keeps states of; one more is their parent. */
const maxDepth = retainedStates - 2

/** A transaction of a block, as the node returns it; quantities in hex. */
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
async function replaceBlocks(
  node: Node,
  hash: Hex,
  { depth, keep }: { depth: number; keep: boolean },
): Promise<Hex[]> {
  const { rpc } = node
  const [receipt, latestHex, lowest] = await Promise.all([
    // Not the transaction: for a moment after it was mined, the node still lists it as waiting in the pool.
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
  const replayed = blocks.flatMap(({ transactions }, index) =>
    transactions.map((mined) => ({
      mined,
      isIdle: !keep && mined.hash === hash,
      index,
    })),
  )
  const pairs = await Promise.all(
    replayed.map(async ({ mined, isIdle, index }) => [
      await (isIdle ? idle(node, mined) : resubmitted(node, mined)),
      index,
    ]),
  )
  const hashes = blocks.map((block) => block.hash)
  // The node impersonated some senders; it must do so again.
  await rpcForNow(node).request('anvil_autoImpersonateAccount', [true])
  try {
    await rpc.request('anvil_reorg', [numbers.length, pairs])
  } finally {
    await rpc.request('anvil_autoImpersonateAccount', [false])
  }
  return hashes
}

/**
 * A node breaks when it reverts to a snapshot whose block was replaced. And native funds, which the faucet gives without a transaction, would
 * be lost.
 */
async function lowestReplaceable(node: Node): Promise<number> {
  const [snapshots, withoutLoss] = await Promise.all([
    snapshotBlocks(node),
    lowestWithoutLoss(node),
  ])
  return Math.max(1, withoutLoss, ...snapshots.map((number) => number + 1))
}

/** The blocks of the snapshots that can be returned to. The node also lists those that cannot, of blocks far above the present ones. */
async function snapshotBlocks({ rpc, gate }: Node): Promise<number[]> {
  type Listed = Record<Hex, [number: number, hash: Hex]>
  const { snapshots } = await rpc.request<{ snapshots: Listed }>('anvil_metadata')
  const listed = (Object.entries(snapshots) as [Hex, Listed[Hex]][]).filter(
    ([id]) => !gate?.snapshots.hasEnded(id),
  )
  const numbers = await Promise.all(
    listed.map(async ([, [number, hash]]) =>
      (await rpc.request<object | null>('eth_getBlockByHash', [hash, false])) ? [number] : [],
    ),
  )
  return numbers.flat()
}

/**
 * The lowest block number between `from` and `to` whose parent's state the node still has; `to + 1` when there is none. Each reorganisation
 * costs the node some of its kept states, until there are new blocks.
 */
async function lowestRetained({ rpc }: Node, from: number, to: number): Promise<number> {
  for (let first = from; first <= to; first++) {
    const balanceRead = rpc.request('eth_getBalance', [actors.relayer, toHex(first - 1)])
    const isThere = await balanceRead.then(
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

export const noBlocks = createHolds(async (node) => {
  await rpcForNow(node).request('evm_setAutomine', [false])
  return () => mineAgain(node)
})

export const chainEffects: readonly Effect[] = [
  /**
   * The node accepts connections and responds when the rule is removed. The simulator resumes it before it stops; if the simulator dies, the
   * watchdog kills it.
   */
  definePersistentEffect({
    on: 'chain.stand',
    name: 'down',
    summary:
      'The nodes of the network (or of all) do not respond. Reads return 408 `timeout` after the read timeout, an execution returns 500 `internal_error`, `/rpc` returns an error after 35 s, and `/health/ready` returns 503. This lasts until the rule is removed, or for `ms`; then everything continues. Not on Windows.',
    settings: persistentSettings,
    outcome: (_, only) => ({ text: `stopped ${only ? `the ${only} node` : 'all nodes'}` }),
    asksNodes: false,
    async begin(networks, { nodes }) {
      if (process.platform === 'win32')
        throw new ServiceError(
          'invalid_params',
          'chain.down stops a process with SIGSTOP, which Windows does not have; use chain.slow with a large ms',
        )
      const stoppedNodes = networks.map((network) => nodes.get(network))
      return holdAll(stopped, stoppedNodes)
    },
  }),
  /**
   * Every request to the node takes longer. By the machine's time, since it must reach the timeouts of service and client, which use the
   * machine's time too. WebSockets through `/rpc` are not slowed.
   */
  defineEffect({
    on: 'chain.request',
    name: 'slow',
    lasts: 'holds',
    summary:
      'Each JSON-RPC request to the network (or any), by the service or through `/rpc`, takes `ms` milliseconds of real time longer. Beyond the read timeout, reads return 408 `timeout`.',
    settings: z.strictObject({ ms: msField }),
    async apply({ ms }, _, proceed, { rule }) {
      await whileMoving(realWait(ms, rule.signal))
      return proceed()
    },
  }),
  /**
   * The chain forks below the plan's transaction after its activity was confirmed, and another branch wins. The blocks are really replaced:
   * hashes that a client has read are gone. Everything else in them is mined again in the new ones.
   *
   * Without `keep` the transaction itself is dropped, and an empty one with the same nonce replaces it, as if a relayer had replaced it. The
   * relayer notices, the activity is pending again, and the operations are sent again. With `keep` it is mined again too: same hash, another
   * block.
   */
  defineEffect({
    on: 'chain.confirmed',
    name: 'reorg',
    summary: `After the activity is confirmed, the last \`depth\` blocks of its network are replaced: 1 to ${maxDepth}, at least back to the plan’s transaction, at most to the last snapshot or native funds from the faucet. The transaction is dropped: the activity returns to pending, and is sent and confirmed again. With \`keep\`, the transaction is mined again in a block with another hash, and the activity stays confirmed.`,
    settings: z.strictObject({
      depth: z.int().min(1).max(maxDepth).default(1),
      keep: z.boolean().default(false),
    }),
    outcome: () => ({
      text: 'replaced the blocks after the activity was confirmed',
      ends: ['replaced by a reorganisation', 'reverted', 'not mined', 'pending'],
    }),
    async apply({ depth, keep }, call, proceed, { nodes, recheck, rule, ledger }) {
      const node = nodes.get(call.network)
      const replaced = await inTurn(node, () => replaceBlocks(node, call.hash, { depth, keep }))
      const hasFallen = replaced.length > 0 && !keep
      const fallen = hasFallen ? { fallen: call.hash } : {}
      note({ type: 'fault', rule: rule.id, network: call.network, replaced, ...fallen })
      const { network } = call
      const what = {
        by: 'reorganisation',
        network,
        replaced: replaced.length,
        rule: rule.id,
      } as const
      if (replaced.length > 0) ledger.add(what, [{ of: 'state', network }])
      if (replaced.length > 0) await recheck(call.network)
      return proceed()
    },
  }),
  definePersistentEffect({
    on: 'chain.stand',
    name: 'halt',
    summary:
      'The network (or all) mines no blocks: transactions wait in the pool, activities stay pending, and reads still work. This lasts until the rule is removed, or for `ms`; then all waiting transactions are mined.',
    settings: persistentSettings,
    asksNodes: true,
    begin: (networks, { nodes }) =>
      holdAll(
        noBlocks,
        networks.map((network) => nodes.get(network)),
      ),
  }),
]
