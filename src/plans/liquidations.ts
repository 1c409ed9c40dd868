import type { Address, Hex } from 'viem'
import { toEventSelector } from 'viem/utils'
import { createLogWatch, type Heard, type MinedLog } from '../bridge/watch.js'
import type { AddressBook, NetworkBook } from '../chain/addressBook.js'
import { wordAt } from '../chain/aggregate.js'
import type { NetworkName } from '../chain/networks.js'
import type { Log, Nodes, Receipt } from '../chain/node.js'
import { type Clock, isoSeconds } from '../clock.js'
import type { Ids } from '../ids.js'
import type { Stateful, Worker } from '../stateful.js'
import type { NewActivity } from '../store/numbers.js'
import type { Store } from '../store/store.js'
import type { Work } from '../work.js'
import type { SemanticEvent } from './kind.js'
import { dollarValue, indexOf } from './observe.js'

/** Comet's events of an absorbed account, and Morpho Blue's of a liquidated one; the borrower is the third topic or the fourth. */
const absorbCollateral = toEventSelector(
  'AbsorbCollateral(address,address,address,uint256,uint256)',
)
const absorbDebt = toEventSelector('AbsorbDebt(address,address,uint256,uint256)')
const liquidate = toEventSelector(
  'Liquidate(bytes32,address,address,uint256,uint256,uint256,uint256,uint256)',
)

/** Sees every liquidation of an account's wallet, whoever does it, and records it as an activity from outside. */
export interface LiquidationWatch extends Worker, Stateful<{ seen: Hex[]; heard: Heard }> {
  /** Resolves when the liquidations of a mined transaction are recorded; what is known already is not recorded again. */
  record(network: NetworkName, receipt: Receipt): Promise<void>
}

interface Parts {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  store: Store
  ids: Ids
  /** Runs the recording of a liquidation as work under way. */
  track: Work['run']
  onError(message: string, cause: unknown): void
}

/** Transactions that were looked at are remembered up to this many: each log of one comes by itself. */
const rememberedTransactions = 1_000

/** Watches Comet's markets and Morpho Blue on all networks; `resume` starts it. */
export function watchLiquidations(parts: Parts): LiquidationWatch {
  const seen = new Map<Hex, Promise<void>>()
  const record = (network: NetworkName, receipt: Receipt): Promise<void> => {
    const known = seen.get(receipt.transactionHash)
    if (known) return known
    const recording = recordAll(parts, network, receipt)
    seen.set(receipt.transactionHash, recording)
    for (const oldest of seen.keys()) {
      if (seen.size <= rememberedTransactions) break
      seen.delete(oldest)
    }
    return recording
  }
  const looking = new Set<Promise<void>>()
  const look = async (network: NetworkName, { transactionHash }: MinedLog): Promise<void> => {
    if (seen.has(transactionHash)) return
    const { rpc } = parts.nodes.get(network)
    await record(
      network,
      await rpc.request<Receipt>('eth_getTransactionReceipt', [transactionHash]),
    )
  }
  const watch = createLogWatch(
    parts.nodes,
    (network) => {
      const { comets, morpho } = parts.book.on(network)
      return {
        address: [...comets.map((market) => market.address), morpho.morpho],
        topic: [absorbCollateral, absorbDebt, liquidate],
      }
    },
    (network, log) => {
      const work = parts
        .track(() => look(network, log))
        .catch((cause) => parts.onError(`a liquidation on ${network} could not be recorded`, cause))
        .finally(() => looking.delete(work))
      looking.add(work)
    },
  )
  return {
    record,
    async pause() {
      await watch.pause()
      await Promise.all(looking)
    },
    resume: watch.resume,
    save: () => ({ seen: [...seen.keys()], heard: watch.save() }),
    restore(saved) {
      seen.clear()
      for (const hash of saved.seen) seen.set(hash, Promise.resolve())
      watch.restore(saved.heard)
    },
  }
}

async function recordAll(parts: Parts, network: NetworkName, receipt: Receipt): Promise<void> {
  const place = parts.book.on(network)
  const logs = receipt.logs.filter(({ topics }) =>
    [absorbCollateral, absorbDebt, liquidate].includes(topics[0]!),
  )
  const wallets = [...new Set(logs.map(borrowerOf))]
  for (const wallet of wallets) {
    const own = logs.filter((log) => borrowerOf(log) === wallet)
    const accounts = await parts.store.accountsOfWallet(wallet)
    if (accounts.length === 0) continue
    const events = await Promise.all(own.map((log) => eventOf(parts, place, log)))
    for (const { accountId } of accounts)
      await parts.store.recordActivity(
        activityOf(parts, { accountId, wallet, place, receipt, events }),
      )
  }
}

function borrowerOf({ topics }: Log): Address {
  return `0x${topics[topics[0] === liquidate ? 3 : 2]!.slice(-40)}`
}

/** A liquidation event in the words of service-facts 12.2. Dollar values have 8 decimals. */
async function eventOf(parts: Parts, place: NetworkBook, log: Log): Promise<SemanticEvent> {
  const word = (index: number): bigint => wordAt(log.data.slice(2), index)
  const event = (event_type: string, fields: Record<string, unknown>): SemanticEvent => ({
    event_type,
    log_indices: [indexOf(log)],
    event_metadata: fields,
  })
  if (log.topics[0] === liquidate) {
    const market = place.morpho.markets.find(({ id }) => id === log.topics[1])!
    const [repaid, seized] = [word(0), word(2)]
    const [loanPrice, collateralPrice] = await Promise.all(
      [market.loanToken, market.collateralToken].map((token) => priceOf(parts, place, token)),
    )
    return event('morpho_liquidation', {
      morpho: place.morpho.morpho,
      morpho_market_id: market.id,
      repaid_token: market.loanToken,
      repaid_amount: repaid.toString(),
      repaid_usd_value: dollarValue(place, market.loanToken, repaid, loanPrice!),
      seized_token: market.collateralToken,
      seized_amount: seized.toString(),
      seized_usd_value: dollarValue(place, market.collateralToken, seized, collateralPrice!),
    })
  }
  const comet = log.address.toLowerCase()
  const isDebt = log.topics[0] === absorbDebt
  const base = place.comets.find(({ address }) => address === comet)!.baseToken
  const fields = { comet, amount: word(0).toString(), dollar_value: word(1).toString() }
  return isDebt
    ? event('comet_liquidation_base_paid_out', { ...fields, token: base })
    : event('comet_liquidation_collateral_absorbed', {
        ...fields,
        token: `0x${log.topics[3]!.slice(-40)}`,
      })
}

const latestAnswer = '0x50d25bcd'

/** The feed's answer now, in USD with 8 decimals. */
async function priceOf({ nodes }: Parts, place: NetworkBook, token: Address): Promise<string> {
  const { feed } = place.tokens.find(({ address }) => address === token)!
  const params = [{ to: feed, data: latestAnswer }, 'latest']
  return BigInt(await nodes.get(place.network).rpc.request<Hex>('eth_call', params)).toString()
}

interface Outside {
  accountId: string
  wallet: Address
  place: NetworkBook
  receipt: Receipt
  events: SemanticEvent[]
}

function activityOf({ clock, ids }: Parts, outside: Outside): NewActivity {
  const { accountId, wallet, place, receipt, events } = outside
  const nowMs = clock.now()
  const isMorpho = events[0]!.event_type === 'morpho_liquidation'
  const action_type = isMorpho ? 'MORPHO_LIQUIDATION' : 'COMET_LIQUIDATION'
  return {
    activityId: ids.activity(),
    accountId,
    planId: null,
    intentId: null,
    status: 'confirmed',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    metadata: [
      {
        activity_record_type: 'exogenous',
        success: true,
        chain_id: place.chainId,
        transaction_hash: receipt.transactionHash,
        svc_wallet_address: wallet,
        svc_operation_nonce: null,
        action_type,
        action_context: { action_type, chain_id: place.chainId.toString() },
        semantic_events: events,
        gas_used: BigInt(receipt.gasUsed).toString(),
        executed_at: isoSeconds(nowMs),
        executed_at_block_number: Number(receipt.blockNumber),
        reverted_at: null,
        revert_reason: null,
        updated_at: isoSeconds(nowMs),
      },
    ],
  }
}
