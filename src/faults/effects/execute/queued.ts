import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import type { Node } from '../../../chain/rpc/node.js'
import { inMoment } from '../../../chain/transactions/mining.js'
import { pooledHash } from '../../../chain/transactions/pool.js'
import { actFor } from '../../../chain/transactions/prepareActors.js'
import { inTurn } from '../../../chain/transactions/send.js'
import type { Submission } from '../../../service/plans/execute/execution.js'
import { noBlocks } from '../chain/halt.js'

/** A transaction that a node has accepted and cannot mine yet: the one before it of the same account is missing. */
export interface Queued {
  hash: Hex
  /** Sends the missing one, which is empty; both are mined in one block, unless the network mines none. */
  fillGap(): Promise<void>
  /** Takes it out of the pool. */
  drop(): Promise<void>
}

/**
 * Sends a plan's transaction with a gap before its nonce, from a second account of the relayer that is used for nothing else:
 * so it waits while everything else goes on. Who sends makes no difference to the wallet, which looks at the signature.
 */
export async function queue(node: Node, { call, operations }: Submission): Promise<Queued> {
  const from: Address = `0x${keccak256(operations[0]!.nonce).slice(-40)}`
  const { rpc } = node
  await actFor(node, from, 10n ** 24n)
  const used = Number(await rpc.request<Hex>('eth_getTransactionCount', [from, 'latest']))
  const transaction = { ...call, from, nonce: toHex(used + 1), gas: toHex(10_000_000) }
  // After a pause it may wait there still.
  const waiting = await pooledHash(node, { ...call, from })
  const hash = waiting ?? (await rpc.request<Hex>('eth_sendTransaction', [transaction]))
  return {
    hash,
    fillGap: () =>
      // With no block in between: else anvil, told of two transactions at once, mines an empty block besides, or does not.
      inTurn(node, () =>
        inMoment(node, async () => {
          // A reorganisation meanwhile may have taken its gas money.
          await actFor(node, from, 10n ** 24n)
          const release = await noBlocks.hold(node)
          const gap = { from, to: from, nonce: toHex(used), gas: toHex(21_000) }
          await rpc.request('eth_sendTransaction', [gap]).finally(release)
        }),
      ),
    async drop() {
      await rpc.request('anvil_removePoolTransactions', [from])
    },
  }
}
