import type { Address, Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import type { Log, Receipt } from '../../chain/rpc/node.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import {
  type ChainFollower,
  type FollowParts,
  followChains,
  type MinedBlock,
  type ReadNode,
} from '../../chain/transactions/follow.js'
import { isOwn } from '../../chain/transactions/sendFor.js'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import type { NetworkName, Token } from '../../deployments/networks.js'
import { svcAddresses } from '../../generated/svc.js'
import type { Ids } from '../../lib/ids.js'
import type { Stateful } from '../../lib/lifecycle.js'
import type { Clock } from '../../time/clock.js'
import { addressOf } from '../bridge/deposit.js'
import type { OutsideItem } from '../plans/model/activityItem.js'
import type { ContextOf } from '../plans/model/contexts.js'
import type { SemanticEvent } from '../plans/model/semanticEvents.js'
import {
  amountEvent,
  dollarValue,
  executedTopic,
  indexOf,
  transferTopic,
  wordOf,
} from '../plans/observe/logs.js'
import type { Store } from '../store/store.js'
import { createOutside, type Outside, type OutsideAction, type OutsideRecords } from './outside.js'

interface OutsideParts extends Pick<FollowParts, 'nodes' | 'track' | 'onError'> {
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
          // A node that refuses a request about a block will refuse it again.
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

type Mined = Pick<Outside, 'networkBook' | 'receipt' | 'executedAtMs'>

/** Money of the address book that has moved to an address. */
interface Move {
  token: Token
  from: Address
  to: Address
  amount: bigint
  /** Of a token; the native one leaves none. */
  logs: Log[]
}

/** A call as `trace_block` lists it; quantities in hex. */
interface CallTrace {
  type: string
  action: { callType?: string; from: Address; to?: Address; value?: Hex }
  error?: string
  traceAddress: number[]
  transactionHash: Hex
  blockHash: Hex
}

/**
 * The transfers of one mined transaction to wallets of accounts, one entry per wallet. A wallet that has run operations of its
 * own in it has caused what it got; and what the spoke pool pays is a bridge's delivery or refund.
 */
async function inboundTransfers(
  store: Pick<Store, 'accountsOfWallet'>,
  node: ReadNode,
  mined: Mined,
  traces: readonly CallTrace[],
): Promise<Outside[]> {
  const { networkBook, receipt } = mined
  const acting = receipt.logs
    .filter(({ topics }) => topics[0] === executedTopic)
    .map(({ address }) => address.toLowerCase())
  const moves = [
    ...tokenMoves(networkBook, receipt.logs),
    ...nativeMoves(
      networkBook,
      traces.filter(({ transactionHash }) => transactionHash === receipt.transactionHash),
    ),
  ].filter(({ from, to, amount }) => amount > 0n && from !== to && !acting.includes(to))
  const arrivals: Outside[] = []
  for (const wallet of new Set(moves.map(({ to }) => to))) {
    if ((await store.accountsOfWallet(wallet)).length === 0) continue
    const actions: OutsideAction[] = []
    for (const move of moves)
      if (move.to === wallet) actions.push(await actionOf(node, networkBook, move))
    arrivals.push({ ...mined, wallet, actions })
  }
  return arrivals
}

function tokenMoves(networkBook: NetworkBook, logs: readonly Log[]): Move[] {
  return logs.flatMap((log) => {
    const token = networkBook.tokens.find(({ address }) => address === log.address.toLowerCase())
    // A transfer of something that cannot be divided has the same first topic, and a fourth.
    if (!token || log.topics[0] !== transferTopic || log.topics.length !== 3) return []
    const [from, to] = [addressOf(log.topics[1]!), addressOf(log.topics[2]!)]
    return [{ token, from, to, amount: BigInt(log.data), logs: [log] }]
  })
}

/** Calls that carried money, without those that were taken back by a failed call around them. */
function nativeMoves(networkBook: NetworkBook, traces: readonly CallTrace[]): Move[] {
  const token = networkBook.tokens.find(({ native }) => native)!
  const failed = traces.filter(({ error }) => error !== undefined)
  const tookBack = ({ traceAddress }: CallTrace): boolean =>
    failed.some((outer) => outer.traceAddress.every((step, i) => traceAddress[i] === step))
  return traces.flatMap((trace) => {
    const { callType, from, to, value } = trace.action
    const isCall = trace.type === 'call' && callType === 'call'
    if (!isCall || !to || !value || tookBack(trace)) return []
    return [{ token, from, to, amount: BigInt(value), logs: [] }]
  })
}

async function actionOf(
  node: ReadNode,
  networkBook: NetworkBook,
  { token, from, to, amount, logs }: Move,
): Promise<OutsideAction> {
  const price = (await feedPrice(node, networkBook, token.address)).toString()
  const context: ContextOf<'INBOUND_TRANSFER'> = {
    action_type: 'INBOUND_TRANSFER',
    amount: amount.toString(),
    asset_symbol: token.symbol,
    chain_id: networkBook.chainId.toString(),
    price,
    recipient: to,
    sender: from,
    token: token.address,
  }
  const fields = { token: token.address, sender: from }
  const event = amountEvent('inbound_transfer', logs, networkBook, { amount, price }, fields)
  return { from, context, events: [event] }
}

/** Comet's events of an absorbed account, and Morpho Blue's of a liquidated one; the borrower is the third topic or the fourth. */
const absorbCollateral = toEventSelector(
  'AbsorbCollateral(address,address,address,uint256,uint256)',
)
const absorbDebt = toEventSelector('AbsorbDebt(address,address,uint256,uint256)')
const liquidate = toEventSelector(
  'Liquidate(bytes32,address,address,uint256,uint256,uint256,uint256,uint256)',
)

/**
 * The liquidations in one mined transaction, by anybody: one entry for each liquidated wallet of an account.
 * `executedAtMs` is the time of its block.
 */
async function liquidationsIn(
  store: Pick<Store, 'accountsOfWallet'>,
  node: ReadNode,
  mined: Pick<Outside, 'networkBook' | 'receipt' | 'executedAtMs'>,
): Promise<Outside[]> {
  const { networkBook, receipt } = mined
  const markets = [...networkBook.comets.map(({ address }) => address), networkBook.morpho.morpho]
  const logs = receipt.logs.filter(
    ({ address, topics }) =>
      markets.includes(address.toLowerCase() as Address) &&
      [absorbCollateral, absorbDebt, liquidate].includes(topics[0]!),
  )
  const liquidations: Outside[] = []
  for (const wallet of new Set(logs.map(borrowerOf))) {
    if ((await store.accountsOfWallet(wallet)).length === 0) continue
    const own = logs.filter((log) => borrowerOf(log) === wallet)
    const events = await Promise.all(own.map((log) => eventOf(node, networkBook, log)))
    const isMorpho = events[0]!.event_type === 'morpho_liquidation'
    const context: OutsideItem['action_context'] = {
      action_type: isMorpho ? 'MORPHO_LIQUIDATION' : 'COMET_LIQUIDATION',
      chain_id: networkBook.chainId.toString(),
    }
    liquidations.push({ ...mined, wallet, actions: [{ from: own[0]!.address, context, events }] })
  }
  return liquidations
}

function borrowerOf({ topics }: Log): Address {
  return addressOf(topics[topics[0] === liquidate ? 3 : 2]!)
}

/** A liquidation event in the words of service-facts 12.2. Dollar values have 8 decimals. */
async function eventOf(node: ReadNode, networkBook: NetworkBook, log: Log): Promise<SemanticEvent> {
  const word = (index: number): bigint => wordOf(log, index)
  const log_indices = [indexOf(log)]
  if (log.topics[0] === liquidate) {
    const market = networkBook.morpho.markets.find(({ id }) => id === log.topics[1])!
    const dollarsOf = async (token: Address, amount: bigint) => {
      const price = (await feedPrice(node, networkBook, token)).toString()
      return dollarValue(networkBook, token, amount, price)
    }
    const [repaid, seized] = [word(0), word(2)]
    const [repaid_usd_value, seized_usd_value] = await Promise.all([
      dollarsOf(market.loanToken, repaid),
      dollarsOf(market.collateralToken, seized),
    ])
    return {
      event_type: 'morpho_liquidation',
      log_indices,
      event_metadata: {
        morpho: networkBook.morpho.morpho,
        morpho_market_id: market.id,
        repaid_token: market.loanToken,
        repaid_amount: repaid.toString(),
        repaid_usd_value,
        seized_token: market.collateralToken,
        seized_amount: seized.toString(),
        seized_usd_value,
      },
    }
  }
  const market = networkBook.comets.find(({ address }) => address === log.address.toLowerCase())!
  const isDebt = log.topics[0] === absorbDebt
  return {
    event_type: isDebt
      ? 'comet_liquidation_base_paid_out'
      : 'comet_liquidation_collateral_absorbed',
    log_indices,
    event_metadata: {
      comet: market.address,
      amount: word(0).toString(),
      dollar_value: word(1).toString(),
      token: isDebt ? market.baseToken : addressOf(log.topics[3]!),
    },
  }
}

const latestAnswer = '0x50d25bcd'

/** The present answer of the token's feed, in USD with 8 decimals. */
async function feedPrice(
  node: ReadNode,
  networkBook: NetworkBook,
  token: Address,
): Promise<bigint> {
  const { feed } = networkBook.tokens.find(({ address }) => address === token)!
  return BigInt(
    await node.rpc.request<Hex>('eth_call', [{ to: feed, data: latestAnswer }, 'latest']),
  )
}
