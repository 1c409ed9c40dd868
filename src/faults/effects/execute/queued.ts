import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import type { Node } from '../../../chain/rpc/node.js'
import { inMoment } from '../../../chain/transactions/mining.js'
import { pooledHash } from '../../../chain/transactions/pool.js'
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

/** The tip of its two transactions: what a node takes by default, in wei. */
const tip = 10n ** 9n

/**
 * Sends a plan's transaction with a gap before its nonce, from a second account of the relayer that is used for nothing else:
 * so it waits while everything else goes on. Who sends makes no difference to the wallet, which looks at the signature.
 */
export async function queue(node: Node, { call, operations }: Submission): Promise<Queued> {
  const { rpc, chainId } = node
  const { privateKeyToAccount } = await import('viem/accounts')
  // Of its own for each plan, and the same when it is asked for again.
  const sender = privateKeyToAccount(keccak256(operations[0]!.nonce))
  const from = sender.address.toLowerCase() as Address
  const pay = () => rpc.request('anvil_setBalance', [from, toHex(10n ** 24n)])
  await pay()
  const used = Number(await rpc.request<Hex>('eth_getTransactionCount', [from, 'latest']))
  const send = async (transaction: { to: Address; data?: Hex; nonce: number; gas: bigint }) => {
    const price = BigInt(await rpc.request<Hex>('eth_gasPrice'))
    const fees = { maxFeePerGas: price > tip ? price : tip, maxPriorityFeePerGas: tip }
    const signed = await sender.signTransaction({ chainId, ...fees, ...transaction })
    return rpc.request<Hex>('eth_sendRawTransaction', [signed])
  }
  // After a pause it may wait there still.
  const waiting = await pooledHash(node, { ...call, from })
  const hash = waiting ?? (await send({ ...call, nonce: used + 1, gas: 10_000_000n }))
  return {
    hash,
    fillGap: () =>
      // With no block in between: else anvil, told of two transactions at once, mines an empty block besides, or does not.
      inTurn(node, () =>
        inMoment(node, async () => {
          // A reorganisation meanwhile may have taken its gas money.
          await pay()
          const release = await noBlocks.hold(node)
          await send({ to: from, nonce: used, gas: 21_000n }).finally(release)
        }),
      ),
    async drop() {
      await rpc.request('anvil_removePoolTransactions', [from])
    },
  }
}
