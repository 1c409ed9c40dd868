import type { NetworkName } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { LedgerEntry, Touch } from '../../context/changes.js'
import type { PlanRecord } from '../../store/store.js'
import { type RefusedSwap, swapCulprits } from './refusedSwap.js'

/** A balance that a plan saw, and that is another one now. Amounts in smallest units. */
export interface MovedBalance {
  network: NetworkName
  /** Of the token, in its canonical casing. */
  symbol: string
  /** Its contract, in lower case. */
  token: string
  before: bigint
  after: bigint
  /** What the plan spends of it. */
  need: bigint
}

export interface RefusedPlan {
  plan: Pick<PlanRecord, 'planId' | 'operations' | 'intent' | 'details' | 'spends' | 'quotes'>
  /** In lower case. */
  wallet: string
  /** A used nonce on `network`, or anything else. */
  by: 'nonce' | 'state'
  network?: NetworkName | undefined
  moved: readonly MovedBalance[]
  /** Where a swap of it is what is refused. */
  swap?: RefusedSwap | undefined
}

/** The entry that explains a refusal, and what it changed; for a balance with its value around this entry. */
export interface Culprit {
  entry: LedgerEntry
  touch: Touch | undefined
  balance?: Pick<MovedBalance, 'network' | 'symbol' | 'before' | 'after'>
  /** Others that are to blame as well, for less. */
  also?: readonly Culprit[]
}

/**
 * The entry after a plan's reading that touches what the plan read and explains the refusal: of a swap the one that is most to blame, else
 * the first. Nothing that is undone is to blame. Undefined instead of a guess. Pure.
 */
export function culpritOf(all: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  const entries = all.filter(({ isUndone }) => !isUndone)
  const { by, swap } = refused
  if (swap && by !== 'nonce') {
    const [most, ...also] = swapCulprits(entries, swap).map((each) => withRule(each, entries))
    return most && { ...most, ...(also.length > 0 && { also }) }
  }
  const culprit = by === 'nonce' ? usedNonce(entries, refused) : movedState(entries, refused)
  return culprit && withRule(culprit, entries)
}

function movedState(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  return (
    aimed(entries, refused) ??
    movedMoney(entries, refused) ??
    movedMarket(entries, refused) ??
    anyMove(entries, refused) ??
    first(entries, (touch) => touch.of === 'time') ??
    first(entries, isOn('blocks', refused))
  )
}

type IsTouch = (touch: Touch, entry: LedgerEntry) => boolean

function first(entries: readonly LedgerEntry[], isWanted: IsTouch): Culprit | undefined {
  for (const entry of entries) {
    const touch = entry.touched.find((each) => isWanted(each, entry))
    if (touch) return { entry, touch }
  }
  return undefined
}

function networksOf({ plan, network }: RefusedPlan): ReadonlySet<string> {
  if (network) return new Set([network])
  const spent = plan.spends?.map((spend) => spend.network) ?? []
  return new Set([...plan.operations.map((operation) => operation.network), ...spent])
}

function isOn(of: 'state' | 'blocks', refused: RefusedPlan, address?: string): IsTouch {
  const networks = networksOf(refused)
  return (touch) =>
    touch.of === of &&
    networks.has(touch.network) &&
    (touch.of === 'state' ? touch.address === address : true)
}

/** The entry that used a nonce of the plan, or else replaced the blocks of the network or wrote to its records of nonces. */
function usedNonce(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  const networks = networksOf(refused)
  const own = new Set<string>(refused.plan.operations.map(({ nonce }) => nonce))
  const isOwn: IsTouch = (touch) =>
    touch.of === 'nonce' &&
    networks.has(touch.network) &&
    touch.address === refused.wallet &&
    touch.nonces.some((nonce) => own.has(nonce))
  return (
    first(entries, isOwn) ??
    first(entries, isOn('state', refused, svcAddresses.nonceManager.toLowerCase())) ??
    first(entries, isOn('state', refused))
  )
}

/** A fault rule that changed the world under this very plan. */
function aimed(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  const { plan, moved } = refused
  const entry = entries.find(
    ({ actor, touched: [touch] }) =>
      actor.by === 'fault' && actor.plan_id === plan.planId && touch?.of !== 'nonce',
  )
  if (!entry) return undefined
  const [step] = moved
    .flatMap((balance) => steps(entries, refused, balance))
    .filter(({ culprit }) => culprit.entry === entry)
  return step?.culprit ?? { entry, touch: entry.touched[0] }
}

/**
 * The entry after which the plan could not be paid for any more. If the plan takes money from several networks, that may also be an entry that
 * brought money: the plan would now take it from another network.
 */
function movedMoney(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  const { moved, plan } = refused
  const sources = new Set(plan.spends?.map(({ network }) => network))
  const short = moved.filter(({ after, need }) => after < need)
  const grown =
    sources.size > 1
      ? moved.filter(({ before, after, need }) => before <= need && after > before)
      : []
  for (const balance of [...short, ...grown]) {
    const isEnough = balance.after >= balance.need
    const step = steps(entries, refused, balance).find(({ before, after }) =>
      isEnough ? after > before : after < balance.need,
    )
    if (step) return step.culprit
    const hidden = hiddenMove(entries, refused, balance)
    if (hidden) return hidden
  }
  return undefined
}

/** A balance of the plan that moved, in the direction in which it ended. */
function anyMove(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  for (const balance of refused.moved) {
    const isUp = balance.after > balance.before
    const step = steps(entries, refused, balance).find(({ before, after }) =>
      isUp ? after > before : after < before,
    )
    if (step) return step.culprit
    const hidden = hiddenMove(entries, refused, balance)
    if (hidden) return hidden
  }
  return undefined
}

interface Step {
  before: bigint
  after: bigint
  culprit: Culprit
}

/** What the entries made of a balance, one after the other. */
function steps(
  entries: readonly LedgerEntry[],
  { wallet }: RefusedPlan,
  { network, symbol, before: balanceBefore, after: held }: MovedBalance,
): Step[] {
  let now = balanceBefore
  return entries.flatMap((entry): Step[] => {
    const touch = entry.touched.find(
      (change) =>
        change.of === 'balance' &&
        change.network === network &&
        change.symbol === symbol &&
        change.address === wallet,
    )
    if (touch?.of !== 'balance') return []
    const before = now
    if (touch.after !== undefined) now = BigInt(touch.after)
    else if (touch.delta !== undefined) now += BigInt(touch.delta)
    else now = held
    const balance = { network, symbol, before, after: now }
    return [{ before, after: now, culprit: { entry, touch, balance } }]
  })
}

/** Some changes do not say whose balance they moved: writes into the storage of a token, and calls that pay the wallet. */
function hiddenMove(
  entries: readonly LedgerEntry[],
  refused: RefusedPlan,
  balance: MovedBalance,
): Culprit | undefined {
  const { network, symbol, token, before, after } = balance
  const culprit = first(
    entries,
    (touch) =>
      touch.of === 'state' &&
      touch.network === network &&
      (touch.address === undefined || touch.address === refused.wallet || touch.address === token),
  )
  return culprit && { ...culprit, balance: { network, symbol, before, after } }
}

/** A price of the plan's assets where it trades them; else whatever changed the wallet's positions, markets, or prices. */
function movedMarket(entries: readonly LedgerEntry[], refused: RefusedPlan): Culprit | undefined {
  const { plan, wallet } = refused
  const text = JSON.stringify([plan.intent, plan.details, plan.spends])
  const isPrice: IsTouch = (touch) =>
    touch.of === 'price' && touch.assets.some((asset) => text.includes(`"${asset}"`))
  const networks = networksOf(refused)
  const isState: IsTouch = (touch) => touch.of === 'state' && networks.has(touch.network)
  const isOfWallet: IsTouch = (touch, entry) =>
    isState(touch, entry) && touch.of === 'state' && touch.address === wallet
  const exchange = svcAddresses.exchange.toLowerCase()
  // Every swap of anybody acts there; what writes to it without a transaction changes what it pays.
  const isExchange: IsTouch = (touch, entry) =>
    isState(touch, entry) &&
    touch.of === 'state' &&
    touch.address === exchange &&
    entry.transaction === undefined
  const isQuoted = Array.isArray(plan.quotes) && plan.quotes.length > 0
  const isOffer: IsTouch = (touch, entry) => isPrice(touch, entry) || isExchange(touch, entry)
  return (
    first(entries, isOfWallet) ??
    (isQuoted ? first(entries, isOffer) : undefined) ??
    first(entries, (touch, entry) => isPrice(touch, entry) || isState(touch, entry))
  )
}

/** A price that a fault rule moved is the rule's doing. */
function withRule(culprit: Culprit, entries: readonly LedgerEntry[]): Culprit {
  const { entry } = culprit
  if (entry.actor.by !== 'price' || entry.requestId === undefined) return culprit
  const rule = entries.find(
    ({ actor, requestId, touched }) =>
      actor.by === 'fault' &&
      requestId === entry.requestId &&
      touched.some(({ of }) => of === 'price'),
  )
  return rule ? { ...culprit, entry: rule } : culprit
}
