import { erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, formatUnits } from 'viem/utils'
import type { Nodes } from '../../../chain/rpc/node.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { balanceKey, type ChangeRecord, type TimedChange } from '../../context/changes.js'
import type { StaleNote } from '../../context/notes.js'
import type {
  AccountRecord,
  ActivityRecord,
  ExecutionRecord,
  PlanRecord,
  Store,
} from '../../store/store.js'

/** How a plan was found stale: `nonce` for a used nonce on this network, `state` for everything else. */
export interface Staleness {
  reason: string
  by: 'nonce' | 'state'
  network?: NetworkName
  /** Executions whose remaining steps the plan would break. */
  among?: readonly ExecutionRecord[]
}

/** What finding the cause needs. */
export interface CauseParts {
  nodes: Nodes
  book: AddressBook
  store: Pick<Store, 'accountsOfWallet' | 'activities'>
  changes: ChangeRecord
}

/** A balance that a plan spends from, and that has changed. */
interface MovedBalance {
  network: NetworkName
  symbol: string
  before: string
  after: string
}

/**
 * Finds why a plan is stale, with the values before and after: a fault aimed at this plan, another plan of the wallet, a transfer, a
 * price, a reorganisation or the clock. If no record explains it, the cause is `unknown`.
 */
export async function findCause(
  parts: CauseParts,
  account: AccountRecord,
  plan: PlanRecord,
  staleness: Staleness,
): Promise<StaleNote> {
  const base = { type: 'stale', plan_id: plan.planId, reason: staleness.reason } as const
  const known = parts.changes.since(plan.planId)
  const changes = known?.changes ?? []
  const moved = known ? await movedBalances(parts, account, plan, known.seen) : []
  const balance = moved[0] && {
    changed: `${moved[0].symbol} balance on ${moved[0].network}`,
    before: moved[0].before,
    after: moved[0].after,
  }
  const fault = changes.find((one) => one.cause === 'fault' && one.plan_id === plan.planId)
  if (fault?.cause === 'fault') {
    const { rule, effect, carried, network, hashes } = fault
    const price = changes.find((one) => one.cause === 'price' && one.requestId === fault.requestId)
    const what = {
      nonce: nonceUsed,
      balance: balance ?? { changed: 'balance' },
      price: price?.cause === 'price' ? priceChange(price) : { changed: 'price' },
      expiry: { changed: 'expiry' },
    }[fault.changed]
    const acting = { rule, effect, ...(carried && { carried }) }
    return { ...base, cause: 'fault', ...what, ...when(fault), ...acting, network, hashes }
  }
  const among = staleness.among?.map(({ activity }) => activity) ?? []
  const needsMoney = staleness.by === 'state' && moved.length > 0
  const culprit =
    (staleness.by === 'nonce' || needsMoney) && !among[0]
      ? await activitySince(parts, account, plan, staleness)
      : among[0]
  if (culprit) {
    const what = staleness.by === 'nonce' ? nonceUsed : (balance ?? { changed: 'position' })
    return { ...base, cause: culprit.planId ? 'plan' : 'transfer', ...what, ...acted(culprit) }
  }
  const other = changes.find((one) => concernsPlan(one, plan))
  if (staleness.by === 'nonce') {
    const network = staleness.network
    if (other?.cause === 'reorganisation') return { ...base, ...nonceUsed, ...described(other) }
    return { ...base, cause: 'unknown', ...nonceUsed, ...(network && { network }) }
  }
  if (balance) return { ...base, cause: 'transfer', ...balance, network: moved[0]!.network }
  return other ? { ...base, ...described(other) } : { ...base, cause: 'unknown' }
}

const nonceUsed = { changed: 'nonce', before: 'free', after: 'used' } as const

function when({ ms, requestId }: TimedChange): { at: string; by_request?: string } {
  return { at: new Date(ms).toISOString(), ...(requestId && { by_request: requestId }) }
}

function priceChange(change: TimedChange & { cause: 'price' }) {
  const { assets, before, after } = change
  return { changed: `price of ${assets.join(', ')} in USD`, before, after }
}

/** A change that no plan made, in the form of the note. */
function described(change: TimedChange): Pick<StaleNote, 'cause' | 'changed' | 'before' | 'after'> {
  const { cause } = change
  if (cause === 'price') return { cause, ...priceChange(change), ...when(change) }
  if (cause === 'clock')
    return {
      cause,
      changed: 'time',
      before: change.before,
      after: change.after,
      ...when(change),
    }
  if (cause !== 'reorganisation') return { cause: 'unknown' }
  const { network, replaced, rule } = change
  const changed = `${replaced === 1 ? '1 block' : `${replaced} blocks`} of ${network}`
  return { cause, changed, ...when(change), ...{ network, rule } }
}

/** Whether a change can have made this plan stale. */
function concernsPlan(change: TimedChange, plan: PlanRecord): boolean {
  if (change.cause === 'fault') return false
  if (change.cause === 'clock') return true
  if (change.cause === 'reorganisation')
    return plan.operations.some(({ network }) => network === change.network)
  const text = JSON.stringify([plan.intent, plan.details, plan.spends])
  return change.assets.some((asset) => text.includes(`"${asset}"`))
}

/** The activity that the note names. The hash is null while no block has its transaction. */
function acted({ planId, activityId, createdAtMs, metadata }: ActivityRecord) {
  const done = metadata.find(({ transaction_hash }) => transaction_hash !== null)
  return {
    at: new Date(createdAtMs).toISOString(),
    activity_id: activityId,
    ...(planId !== null && { by_plan: planId }),
    hashes: done ? [done.transaction_hash!] : [],
  }
}

/** The activity that has changed the wallet since the plan was made; for a nonce, the one that has used it. */
async function activitySince(
  { store }: CauseParts,
  { walletAddress }: AccountRecord,
  plan: PlanRecord,
  { by, network }: Staleness,
): Promise<ActivityRecord | undefined> {
  const nonces: readonly unknown[] = plan.operations.map(({ nonce }) => nonce)
  const chainId = network && networkOf(network).chainId
  const accounts = await store.accountsOfWallet(walletAddress)
  const all = await Promise.all(accounts.map(({ accountId }) => store.activities(accountId)))
  const later = all
    .flat()
    .filter(({ planId, createdAtMs }) => planId !== plan.planId && createdAtMs >= plan.createdAtMs)
  if (by === 'state') return later[0]
  const of = (isWanted: (item: ActivityRecord['metadata'][number]) => boolean) =>
    later.find(({ planId, metadata }) => planId !== null && metadata.some(isWanted))
  return (
    of(({ svc_operation_nonce: nonce }) => nonces.includes(nonce)) ??
    of(({ chain_id }) => chain_id === chainId)
  )
}

/** The balances that the plan spends from and that have changed since it was made. Unreadable ones are left out. */
async function movedBalances(
  { nodes, book }: CauseParts,
  { walletAddress }: AccountRecord,
  plan: PlanRecord,
  seen: Readonly<Record<string, string>>,
): Promise<MovedBalance[]> {
  const args = [walletAddress] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const reads = (plan.spends ?? []).map(async ({ network, symbol }) => {
    const token = book.token(network, symbol)
    const before = seen[balanceKey(network, symbol)]
    if (!token || before === undefined) return []
    const { rpc } = nodes.get(network)
    const asked = token.native
      ? rpc.request<Hex>('eth_getBalance', [walletAddress, 'latest'])
      : rpc.request<Hex>('eth_call', [{ to: token.address, data }, 'latest'])
    const found = await asked.catch(() => undefined)
    if (found === undefined) return []
    const held = found === '0x' ? 0n : BigInt(found)
    if (`${held}` === before) return []
    const shown = (amount: bigint) => `${formatUnits(amount, token.decimals)} ${token.symbol}`
    return [{ network, symbol: token.symbol, before: shown(BigInt(before)), after: shown(held) }]
  })
  return (await Promise.all(reads)).flat()
}

/** The cause in one sentence, for the hint and the timeline, where the reason of the failed check follows it. */
export function sentenceOf(note: StaleNote): string {
  const { cause, changed, before, after, reason, network } = note
  const at = note.at ? ` at ${note.at.slice(11, 19)}` : ''
  const [hash] = note.hashes ?? []
  const sent = hash ? ` in transaction ${hash}` : ''
  const what =
    before === undefined
      ? `it changed the ${changed}`
      : `it changed the ${changed}: ${before} before, ${after} after`
  const effect = changed === 'nonce' ? 'it used the nonce' : what
  switch (cause) {
    case 'plan':
      return `plan ${note.by_plan} of the same wallet was executed${at}${sent}, ${effect}; ${reason}`
    case 'fault':
      return `fault rule ${note.rule} (${note.effect}) fired${at}${hash ? ` and sent transaction ${hash}` : ''}, ${effect}; ${reason}`
    case 'transfer':
      return `tokens of the wallet moved${at}${sent}: ${changed} was ${before}, is ${after}; ${reason}`
    case 'price':
      return `the ${changed} moved from ${before} to ${after}${at}; ${reason}`
    case 'clock':
      return `the clock moved from ${before} to ${after}; ${reason}`
    case 'reorganisation':
      return `a reorganisation replaced ${changed}${at}${note.rule ? ` (fault rule ${note.rule})` : ''}; ${reason}`
    case 'unknown':
      return network
        ? `${reason}; no plan of the service used it: a transaction from outside submitted or cancelled it`
        : reason
  }
}
