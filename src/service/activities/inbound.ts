import type { Address, Hex } from 'viem'
import type { Log } from '../../chain/rpc/node.js'
import { feedPrice } from '../../chain/state/feedPrice.js'
import type { ReadNode } from '../../chain/transactions/follow.js'
import type { NetworkBook } from '../../deployments/addressBook.js'
import type { Token } from '../../deployments/token.js'
import { addressOf } from '../bridge/deposit.js'
import type { ContextOf } from '../plans/model/contexts.js'
import { amountEvent, executedTopic, transferTopic } from '../plans/observe/logs.js'
import type { Store } from '../store/store.js'
import type { Outside, OutsideAction } from './outside.js'

/** A transaction as the search for transfers needs it. */
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
export interface CallTrace {
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
export async function inboundTransfers(
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
  const found: Outside[] = []
  for (const wallet of new Set(moves.map(({ to }) => to))) {
    if ((await store.accountsOfWallet(wallet)).length === 0) continue
    const actions: OutsideAction[] = []
    for (const move of moves)
      if (move.to === wallet) actions.push(await actionOf(node, networkBook, move))
    found.push({ ...mined, wallet, actions })
  }
  return found
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
