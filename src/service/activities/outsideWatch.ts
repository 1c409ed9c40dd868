import type { Receipt } from '../../chain/rpc/node.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import {
  type ChainFollower,
  type FollowParts,
  followChains,
  type MinedBlock,
  type ReadNode,
} from '../../chain/transactions/follow.js'
import { isOwn } from '../../chain/transactions/sendFor.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import type { NetworkName } from '../../deployments/networks.js'
import { svcAddresses } from '../../generated/svc.js'
import type { Ids } from '../../lib/ids.js'
import type { Stateful } from '../../lib/lifecycle.js'
import type { Clock } from '../../time/clock.js'
import type { Store } from '../store/store.js'
import { type CallTrace, inboundTransfers } from './inbound.js'
import { liquidationsIn } from './liquidations.js'
import { createOutside, type Outside, type OutsideRecords } from './outside.js'

/** What watching takes. */
export interface OutsideParts extends Pick<FollowParts, 'nodes' | 'track' | 'onError'> {
  clock: Clock
  book: AddressBook
  store: Store
  ids: Ids
  /** Told of each block, in the order of its chain. */
  onBlock(network: NetworkName, block: MinedBlock): void
}

/** Sees what happens to the wallets from outside, whoever does it. */
export interface OutsideWatch {
  follower: ChainFollower
  records: Stateful
  /** Has it called when blocks of a chain have been replaced; those who ask are waited for, one after the other. */
  onReplaced(recheck: (network: NetworkName) => Promise<void>): void
  /** Resolves when the liquidations of a mined transaction are recorded; what is known already is not recorded again. */
  liquidated(network: NetworkName, receipt: Receipt): Promise<void>
}

/** Watches all networks for liquidations and inbound transfers, and for blocks that are replaced. */
export function watchOutside(parts: OutsideParts): OutsideWatch {
  const { nodes, book, store, clock } = parts
  const records = createOutside(parts)
  const rechecks: ((network: NetworkName) => Promise<void>)[] = []
  const follower = followChains({
    nodes,
    track: parts.track,
    onError: parts.onError,
    begin: (network) => store.followed(network),
    reached: (network, mark) => store.keepFollowed(network, mark),
    listener: {
      async mined(node, block) {
        await recordBlock(parts, records, node, block).catch((error) => {
          // What a node refuses to say about a block, it will refuse again.
          if (!(error instanceof RpcError)) throw error
          parts.onError(`what block ${block.hash} of ${node.network} did to wallets`, error)
        })
        parts.onBlock(node.network, block)
      },
      async replaced(node) {
        await records.recheck(node)
        for (const recheck of rechecks) await recheck(node.network)
      },
    },
  })
  return {
    follower,
    records: records as Stateful,
    onReplaced: (recheck) => void rechecks.push(recheck),
    async liquidated(network, receipt) {
      const mined = { networkBook: book.on(network), receipt, executedAtMs: clock.now() }
      await recordAll(records, await liquidationsIn(store, nodes.get(network), mined))
    },
  }
}

const factory = svcAddresses.factory.toLowerCase()

/** The simulator's own transactions do nothing to wallets that would be from outside, but for its accounts' plans. */
async function recordBlock(
  { book, store }: OutsideParts,
  records: OutsideRecords,
  node: ReadNode,
  block: MinedBlock,
): Promise<void> {
  const networkBook = book.on(node.network)
  const looked = block.transactions
    .filter((sent) => !isOwn(sent) || sent.to?.toLowerCase() === factory)
    .filter(({ to }) => to?.toLowerCase() !== networkBook.spokePool)
    .map(({ hash }) => hash)
  if (looked.length === 0) return
  const [receipts, traces] = await Promise.all([
    node.rpc.request<Receipt[] | null>('eth_getBlockReceipts', [block.hash]),
    node.rpc.request<CallTrace[] | null>('trace_block', [block.number]),
  ])
  // The block has been taken back meanwhile.
  if (!receipts || !traces) return
  const executedAtMs = Number(block.timestamp) * 1000
  const ofBlock = traces.filter(({ blockHash }) => blockHash === block.hash)
  for (const receipt of receipts) {
    if (!looked.includes(receipt.transactionHash) || receipt.status !== '0x1') continue
    const mined = { networkBook, receipt, executedAtMs }
    await recordAll(records, [
      ...(await liquidationsIn(store, node, mined)),
      ...(await inboundTransfers(store, node, mined, ofBlock)),
    ])
  }
}

async function recordAll(records: OutsideRecords, all: readonly Outside[]): Promise<void> {
  for (const outside of all) await records.record(outside)
}
