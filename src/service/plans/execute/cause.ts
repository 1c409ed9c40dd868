import { erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, formatUnits } from 'viem/utils'
import type { Nodes, Receipt } from '../../../chain/rpc/node.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { isoSeconds } from '../../../time/clock.js'
import { type LedgerEntry, type SentValue, type Touch, touchesOf } from '../../context/changes.js'
import { balanceKey, type Ledger, type Return, type SincePlan } from '../../context/ledger.js'
import type { Shortfall, StaleCause, StaleNote } from '../../context/requestContext.js'
import type { AccountRecord, ExecutionRecord, PlanRecord, Store } from '../../store/store.js'
import { sentenceOfEntry } from './causeSentence.js'
import { type Culprit, culpritOf, type MovedBalance } from './culprit.js'
import { balanceText, exchangeChange, type RefusedSwap } from './refusedSwap.js'

/** How a plan was found stale: `nonce` for a used nonce on this network, `state` for everything else. */
export interface Staleness {
  reason: string
  by: 'nonce' | 'state'
  network?: NetworkName
  /** Another plan took the nonce, and has perhaps not used it. */
  isTaken?: true
  short?: Shortfall | undefined
  isRefused?: boolean
  /** The swap that would revert. */
  swap?: RefusedSwap | undefined
  /** Executions whose remaining steps the plan would break. */
  among?: readonly ExecutionRecord[]
}

export interface CauseParts {
  nodes: Nodes
  book: AddressBook
  store: Pick<Store, 'accountsOfWallet' | 'activities'>
  ledger: Ledger
}

/** At most so many changes are listed where the cause is unknown, the newest. */
const mostListed = 5

/** Finds in the ledger why a plan is stale. Where no entry explains it, the cause is `unknown`, with what happened since. */
export async function findCause(
  parts: CauseParts,
  account: AccountRecord,
  plan: PlanRecord,
  staleness: Staleness,
): Promise<StaleNote> {
  const { ledger, book } = parts
  const { reason, short, isRefused } = staleness
  const base = {
    ...({ type: 'stale', plan_id: plan.planId, reason } as const),
    ...(short && { short }),
    ...(isRefused && { is_refused: true as const }),
    ...(staleness.among && { is_under_way: true as const }),
  }
  const nonce = staleness.by === 'nonce' ? nonceNow(staleness.isTaken ? 'taken' : 'used') : {}
  const on = staleness.network ? { network: staleness.network } : {}
  if (!ledger.since(plan.planId)) {
    const nonces = plan.operations.map((operation) => operation.nonce)
    const taken = staleness.by === 'nonce' ? await takenBy(parts, account, nonces) : undefined
    if (taken) return { ...base, cause: 'plan', ...on, ...taken }
    const since =
      'the simulator was restarted after the plan was made, and does not know what changed'
    return { ...base, reason: `${reason}; ${since} before that`, cause: 'unknown', ...nonce, ...on }
  }
  await completeEntries(parts, plan.planId)
  const known = ledger.since(plan.planId)!
  const [among] = staleness.among ?? []
  const wallet = account.walletAddress.toLowerCase()
  const culprit = among
    ? executionOf(among, known.entries)
    : culpritOf(known.entries, {
        plan,
        wallet,
        by: staleness.by,
        network: staleness.network,
        swap: staleness.swap,
        moved: await movedBalances(parts, account, plan, known),
      })
  if (culprit) {
    const { touch, entry } = culprit
    const isTaken = touch?.of === 'nonce' && entry.actor.by === 'plan'
    const taken = isTaken && (await takenBy(parts, account, touch.nonces))
    const has_others = executedIn(known.entries, account).length > 1
    return {
      ...base,
      ...causeOf(culprit, { wallet, book, entries: known.entries }),
      ...taken,
      ...(has_others && { has_others }),
    }
  }
  const since = known.entries.slice(-mostListed).map((entry) => sentenceOfEntry(entry, book))
  return { ...base, cause: 'unknown', ...nonce, ...on, since }
}

/** A nonce is `taken` when its plan is executed, and `used` when its operation has run: one that fails leaves it taken, since no plan gets it again. */
function nonceNow(after: 'used' | 'in flight' | 'taken') {
  return { changed: 'nonce', before: 'free', after } as const
}

/** The plan whose execution took one of these nonces, and what became of it, from the store, which outlives this process. Exact: a nonce belongs to one execution. */
async function takenBy(
  { store }: CauseParts,
  { walletAddress }: AccountRecord,
  nonces: readonly Hex[],
): Promise<Omit<StaleCause, 'reason' | 'cause'> | undefined> {
  for (const { accountId } of await store.accountsOfWallet(walletAddress))
    for (const { planId, activityId, createdAtMs, metadata } of await store.activities(accountId)) {
      const item = metadata.find(
        ({ svc_operation_nonce: nonce }) => nonce && nonces.includes(nonce),
      )
      if (planId === null || !item) continue
      const { success, transaction_hash: hash, revert_reason } = item
      return {
        at: new Date(createdAtMs).toISOString(),
        by_plan: planId,
        activity_id: activityId,
        ...nonceNow(success ? 'used' : success === null ? 'in flight' : 'taken'),
        ...(success === false && revert_reason !== null && { failure: revert_reason }),
        hashes: hash && success !== null ? [hash] : [],
      }
    }
  return undefined
}

/** An execution under way that the plan would break: it had begun before the plan was refused, perhaps before the plan was made. */
function executionOf(
  { activity, account, plan }: ExecutionRecord,
  entries: readonly LedgerEntry[],
): Culprit {
  const { activityId: activity_id, createdAtMs: ms } = activity
  const known = entries.find(
    ({ actor }) => actor.by === 'plan' && actor.activity_id === activity_id,
  )
  const actor = {
    by: 'plan',
    plan_id: plan.planId,
    activity_id,
    wallet: account.walletAddress,
  } as const
  const entry = known ?? { position: -1, ms, requestId: undefined, actor, touched: [] }
  return { entry, touch: undefined }
}

/** Reads what transactions changed that were not mined when they were written down. */
async function completeEntries({ ledger, nodes, book }: CauseParts, planId: string) {
  const open = ledger
    .since(planId)!
    .entries.filter(({ transaction }) => transaction && transaction.block === undefined)
  await Promise.all(
    open.map(async (entry) => {
      const { network, hash } = entry.transaction!
      const { rpc } = nodes.get(network)
      const [receipt, sent] = await Promise.all([
        rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash]).catch(() => null),
        rpc.request<SentValue | null>('eth_getTransactionByHash', [hash]).catch(() => null),
      ])
      if (!receipt) return
      const touched = touchesOf(book.on(network), receipt.logs, sent ?? undefined)
      ledger.complete(entry, Number(receipt.blockNumber), touched)
    }),
  )
}

/** The balances of what the plan spends that are other ones than it saw. Unreadable ones are left out. */
async function movedBalances(
  { nodes, book }: CauseParts,
  { walletAddress }: AccountRecord,
  plan: PlanRecord,
  { balances }: SincePlan,
): Promise<MovedBalance[]> {
  const args = [walletAddress] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const spends = plan.spends ?? []
  const places = networkNames.flatMap((network) =>
    [...new Set(spends.map(({ symbol }) => symbol))].map((symbol) => ({ network, symbol })),
  )
  const reads = places.map(async ({ network, symbol }): Promise<MovedBalance[]> => {
    const token = book.token(network, symbol)
    const before = balances[balanceKey(network, symbol)]
    if (!token || before === undefined) return []
    const { rpc } = nodes.get(network)
    const balanceRead = token.native
      ? rpc.request<Hex>('eth_getBalance', [walletAddress, 'latest'])
      : rpc.request<Hex>('eth_call', [{ to: token.address, data }, 'latest'])
    const answer = await balanceRead.catch(() => undefined)
    if (answer === undefined) return []
    const after = answer === '0x' ? 0n : BigInt(answer)
    const spend = spends.find((each) => each.network === network && each.symbol === symbol)
    const need = BigInt(spend?.amount ?? 0)
    const common = { network, symbol: token.symbol, token: token.address, need, after }
    return after === BigInt(before) ? [] : [{ ...common, before: BigInt(before) }]
  })
  return (await Promise.all(reads)).flat()
}

function causeOf(
  { entry, touch, balance, also }: Culprit,
  parts: { wallet: string; book: AddressBook; entries: readonly LedgerEntry[] },
): Omit<StaleCause, 'reason'> {
  const { wallet, book, entries } = parts
  const { actor, ms, requestId, position } = entry
  const { by } = actor
  const what = balance ? balanceChange(balance, book) : changeOf(touch, actor, book)
  const hashes = hashesOf(entry, entries, touch)
  return {
    cause: by,
    ...what,
    ...(position >= 0 && { position }),
    at: new Date(ms).toISOString(),
    ...(requestId && { by_request: requestId }),
    ...('network' in actor && { network: actor.network }),
    ...(touch && 'network' in touch && { network: touch.network }),
    ...(actor.by === 'plan' && {
      by_plan: actor.plan_id,
      activity_id: actor.activity_id,
      ...(actor.wallet.toLowerCase() !== wallet && { is_other_wallet: true as const }),
    }),
    ...('rule' in actor && actor.rule !== undefined && { rule: actor.rule }),
    ...(actor.by === 'fault' && {
      effect: actor.effect,
      ...(actor.carried && { carried: true as const }),
    }),
    ...(actor.by === 'rpc' && {
      method: actor.method,
      ...(actor.sender && { sender: actor.sender }),
    }),
    ...((by === 'faucet' || by === 'rewards') && shownGift(actor, book)),
    ...(hashes.length > 0 && { hashes }),
    ...(also && { also: also.map((each) => causeOf(each, parts)) }),
  }
}

function shownGift(actor: LedgerEntry['actor'], book: AddressBook) {
  const { network, asset, amount } = actor as Extract<typeof actor, { asset: string }>
  const token = book.token(network, asset)
  return { asset, amount: token ? formatUnits(BigInt(amount), token.decimals) : amount }
}

function balanceChange(
  { network, symbol, before, after }: NonNullable<Culprit['balance']>,
  book: AddressBook,
): Pick<StaleCause, 'changed' | 'before' | 'after'> {
  const token = book.token(network, symbol)!
  const shown = (amount: bigint) => `${formatUnits(amount, token.decimals)} ${symbol}`
  const changed = `${symbol} balance on ${network}`
  return { changed, before: shown(before), after: shown(after) }
}

function changeOf(
  touch: Touch | undefined,
  actor: LedgerEntry['actor'],
  book: AddressBook,
): Pick<StaleCause, 'changed' | 'before' | 'after'> {
  if (actor.by === 'reorganisation') {
    const { replaced, network } = actor
    return { changed: `${replaced === 1 ? '1 block' : `${replaced} blocks`} of ${network}` }
  }
  switch (touch?.of) {
    case 'nonce':
      return nonceNow(actor.by === 'plan' ? 'taken' : 'used')
    case 'price':
      return {
        changed: `price of ${touch.assets.join(', ')} in USD`,
        before: touch.before,
        after: touch.after,
      }
    case 'time':
    case 'expiry':
      return { changed: touch.of, before: touch.before, after: touch.after }
    case 'exchange':
      return exchangeChange(touch, book)
    case 'balance':
      return { changed: balanceText(touch) }
    case 'pool':
      return { changed: `pool ${touch.address} on ${touch.network}` }
    case 'blocks':
      return { changed: `latest block of ${touch.network}` }
    case 'state':
      return {
        changed: touch.address
          ? `state of ${touch.address} on ${touch.network}`
          : `state of ${touch.network}`,
      }
    default:
      return {}
  }
}

/** The transaction of the culprit; of an execution, the one on the network of what it touched. */
function hashesOf(
  { transaction, actor }: LedgerEntry,
  entries: readonly LedgerEntry[],
  touch: Touch | undefined,
): Hex[] {
  if (transaction) return [transaction.hash]
  if (actor.by === 'fault' && actor.hashes) return [...actor.hashes]
  if (actor.by !== 'plan') return []
  const own = entries.filter(
    (each) => each.actor.by === 'plan' && each.actor.activity_id === actor.activity_id,
  )
  const network = touch && 'network' in touch ? touch.network : undefined
  const there = own.find(
    (each) => each.transaction && (network === undefined || each.transaction.network === network),
  )
  return there?.transaction ? [there.transaction.hash] : []
}

/** Why a plan expired: the fault rule that made it, or its time. */
export function expiryCause(
  ledger: Pick<Ledger, 'since'>,
  book: AddressBook,
  { planId, expiresAtMs }: Pick<PlanRecord, 'planId' | 'expiresAtMs'>,
): StaleNote {
  const entry = ledger
    .since(planId)
    ?.entries.find(
      ({ actor, touched: [touch] }) =>
        actor.by === 'fault' && actor.plan_id === planId && touch?.of === 'expiry',
    )
  const [touch] = entry?.touched ?? []
  const ended = touch?.of === 'expiry' ? touch.after : isoSeconds(expiresAtMs)
  const base = { type: 'stale', plan_id: planId, reason: `it expired at ${ended}` } as const
  const at = new Date(expiresAtMs).toISOString()
  if (!entry) return { ...base, cause: 'expired', changed: 'expiry', at }
  return { ...base, ...causeOf({ entry, touch }, { wallet: '', book, entries: [] }) }
}

/** The plans of the wallet that were executed then, each once. */
export function executedIn(
  entries: readonly LedgerEntry[],
  { walletAddress }: AccountRecord,
): Executed[] {
  return entries.flatMap(({ actor, ms, requestId, transaction }) =>
    actor.by === 'plan' && !transaction && actor.wallet === walletAddress
      ? [{ ...actor, ms, requestId }]
      : [],
  )
}

interface Executed {
  activity_id: string
  plan_id: string
  ms: number
  requestId?: string | undefined
}

interface Made {
  planId: string
  since: readonly Executed[] | undefined
  madeMs?: number | undefined
}

/**
 * What a wallet has executed since a plan was made, or undone: it may have done what the plan was for. Names the first such activity that the
 * store still has; without `since`, the newest activity after `madeMs`. Ignores the plan's own activity.
 */
export async function overtakenBy(
  { store }: Pick<CauseParts, 'store'>,
  account: AccountRecord,
  { planId, since: noted, madeMs = 0 }: Made,
): Promise<StaleCause | undefined> {
  const accounts = await store.accountsOfWallet(account.walletAddress)
  const lists = await Promise.all(accounts.map(({ accountId }) => store.activities(accountId)))
  const activities = lists.flat().filter((each) => each.planId !== null && each.planId !== planId)
  const since = noted?.filter(({ plan_id }) => plan_id !== planId)
  const after: readonly Executed[] = since
    ? since.filter(
        ({ activity_id }, place) =>
          activities.some(({ activityId }) => activityId === activity_id) &&
          // After a restore an id may come again.
          place === since.findLastIndex((each) => each.activity_id === activity_id),
      )
    : activities
        .filter(({ createdAtMs }) => createdAtMs >= madeMs)
        .map(({ activityId, planId, createdAtMs: ms }) => ({
          ...{ activity_id: activityId, plan_id: `${planId}`, ms },
        }))
  const [first] = after
  if (!first) return undefined
  const { activity_id, plan_id: by_plan, ms, requestId } = first
  return {
    ...{ cause: 'plan', reason: '', by_plan, activity_id, at: new Date(ms).toISOString() },
    ...(requestId && { by_request: requestId }),
    ...(after.length > 1 && { has_others: true }),
  }
}

/** The restore or reset that undid a plan. */
export function undoneCause({ ms, requestId, snapshot }: Return, planId: string): StaleNote {
  return {
    type: 'stale',
    plan_id: planId,
    reason: snapshot ? 'the plan was made after that snapshot' : 'the plan was made before that',
    cause: snapshot ? 'restore' : 'reset',
    at: new Date(ms).toISOString(),
    ...(requestId && { by_request: requestId }),
    ...(snapshot && { snapshot: snapshot.id }),
  }
}
