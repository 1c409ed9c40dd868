import { formatUnits } from 'viem/utils'
import type { AddressBook } from '../../../deployments/addressBook.js'
import type { LedgerEntry } from '../../context/changes.js'
import type { Shortfall, StaleCause } from '../../context/requestContext.js'

/** The cause in one sentence, for the hint, the timeline and the verdict. The reason of the failed check follows it. */
export function sentenceOf(cause: StaleCause): string {
  const { reason, since } = cause
  if (cause.cause === 'expired') return reason
  if (cause.cause === 'executed') return ranText(cause)
  if (cause.cause === 'unknown') {
    const happened = since?.length ? since.join('; ') : 'nothing that the simulator knows of'
    return `${reason}; the cause is unknown${since ? `. Since the plan was made: ${happened}` : ''}`
  }
  const [same, network, rest] = /^its nonce( on \w+) is taken(.*)$/s.exec(reason) ?? []
  // Said once.
  if (same && cause.changed === 'nonce') return `${whoOf(cause)}${nonceText(cause, network)}${rest}`
  const more = cause.also?.map((each) => `, and ${factOf({ reason: '', ...each })}`).join('') ?? ''
  return `${factOf(cause)}${more}${reason === '' ? '' : `; ${reason}`}`
}

const factOf = (cause: StaleCause) => `${whoOf(cause)}${methodEffect(cause)}`

/** The step, after a look at what may have done the same: two plans may have been made for one payment. */
export function lookFirst(
  {
    activity_id,
    is_other_wallet,
    has_others,
  }: Pick<StaleCause, 'activity_id' | 'is_other_wallet' | 'has_others'>,
  step: string,
  what = 'plan',
): string {
  if (activity_id === undefined || is_other_wallet) return step
  return has_others
    ? `look at activity ${activity_id} and the other activities of the account; unless one of them does what this ${what} was for, ${step}`
    : `look at activity ${activity_id}; unless it does what this ${what} was for, ${step}`
}

/** `needs 5 USDC on base, but the account can bring only 0 USDC there`. */
export function lackText({ needs, network, available }: Shortfall): string {
  return `needs ${needs} on ${network}, but the account can bring only ${available} there`
}

/** The same of the time of the refusal. */
export function lackedText({ needs, network, available }: Shortfall): string {
  return `needed ${needs} on ${network}, but the account could bring only ${available} there then`
}

/** The cause of a refusal that is not why the plan would be refused now. */
export function pastCause({ short, is_refused: _, reason, ...rest }: StaleCause): StaleCause {
  const lacked = short ? reason.replace(lackText(short), lackedText(short)) : reason
  const then = lacked
    .replace('it would revert now', 'it would have reverted then')
    .replace('would give other operations now', 'would have given other operations then')
  return { ...rest, reason: then }
}

/** `at 00:00:07 in transaction 0x…`. */
function placeOf({ at, hashes = [] }: StaleCause): string {
  const [hash] = hashes
  return `${at ? ` at ${at.slice(11, 19)}` : ''}${hash ? ` in transaction ${hash}` : ''}`
}

function requestOf({ by_request }: StaleCause): string {
  return by_request ? ` (request ${by_request})` : ''
}

/** ` (activity act_…, request req_…)`: how to look up the execution of a plan. Activities of other wallets are not named. */
function askedBy({ activity_id, by_request, is_other_wallet }: StaleCause): string {
  const all = [
    activity_id && !is_other_wallet ? `activity ${activity_id}` : [],
    by_request ? `request ${by_request}` : [],
  ].flat()
  return all.length > 0 ? ` (${all.join(', ')})` : ''
}

/** What the other plan took or still needs, and whether its client knows that it ran. */
function spentText({ spent, is_lost, may_be_lost, is_under_way }: StaleCause): string {
  const took = is_under_way ? `; ${spent} is kept for it until it ends` : ` and took ${spent}`
  const unknown = may_be_lost ? '; its client may not have got the response' : ''
  return `${spent ? took : ''}${is_lost ? '; its client did not get the response' : unknown}`
}

function whoOf(cause: StaleCause): string {
  const { at, hashes = [], network } = cause
  const time = at ? ` at ${at.slice(11, 19)}` : ''
  switch (cause.cause) {
    case 'plan':
      return `plan ${cause.by_plan} of ${cause.is_other_wallet ? 'another' : 'the same'} wallet was executed${placeOf(cause)}${askedBy(cause)}${spentText(cause)}`
    case 'fault':
      return `fault rule ${cause.rule} (${cause.effect}) fired${time}${hashes[0] ? `, sent transaction ${hashes[0]}` : ''}`
    case 'faucet':
      return `the faucet gave ${cause.amount} ${cause.asset} on ${network}${time}${requestOf(cause)}`
    case 'rewards':
      return `rewards of ${cause.amount} ${cause.asset} were granted on ${network}${time}${requestOf(cause)}`
    case 'rpc':
      return `a write over /rpc/${network} (${cause.method}${cause.sender ? ` from ${cause.sender}` : ''}${cause.by_request ? `, request ${cause.by_request}` : ''}) was made${placeOf(cause)}`
    case 'bridge':
      return `a bridge delivered on ${network}${placeOf(cause)}`
    case 'liquidation':
      return `a liquidation on ${network} was made${placeOf(cause)}${requestOf(cause)}`
    case 'price':
      return `the ${cause.changed} moved from ${cause.before} to ${cause.after}${time}${requestOf(cause)}`
    case 'clock':
      return `the clock moved from ${cause.before} to ${cause.after}${requestOf(cause)}`
    case 'reorganisation':
      return `a reorganisation replaced ${cause.changed}${time}${cause.rule ? ` (fault rule ${cause.rule})` : ''}`
    case 'restore':
      return `snapshot ${cause.snapshot} was restored${time}${requestOf(cause)}`
    case 'reset':
      return `the simulator was reset${time}${requestOf(cause)}`
    case 'expired':
      return cause.reason
    case 'executed':
      return ranText(cause)
    case 'unknown':
      return 'the cause is unknown'
  }
}

/** What became of the nonce until the plan was refused. */
function nonceText({ after, failure }: StaleCause, network = ''): string {
  if (after === 'used') return ` and used the nonce${network}`
  const taken = ` and took the nonce${network}`
  if (after === 'in flight') return `${taken}, which its transaction had not used yet`
  return failure === undefined
    ? taken
    : `${taken}, but did not use it (${failure}); the service gives each nonce only once`
}

/** What it changed, where the first half does not say so. */
function methodEffect(cause: StaleCause): string {
  const { cause: by, changed, before, after } = cause
  if (['price', 'clock', 'reorganisation', 'restore', 'reset'].includes(by)) return ''
  if (changed === 'nonce') return nonceText(cause)
  if (changed === undefined) return ''
  return before === undefined
    ? ` and changed the ${changed}`
    : ` and changed the ${changed} from ${before} to ${after}`
}

/** One entry of the ledger in a few words, where it is no culprit. */
export function sentenceOfEntry(entry: LedgerEntry, book: AddressBook): string {
  const { actor, ms, requestId, transaction, touched } = entry
  const [touch] = touched
  const prices = touch && (touch.of === 'price' || touch.of === 'time') ? touch : undefined
  const gift = actor.by === 'faucet' || actor.by === 'rewards' ? actor : undefined
  const token = gift && book.token(gift.network, gift.asset)
  return whoOf({
    reason: '',
    cause: actor.by,
    at: new Date(ms).toISOString(),
    ...(requestId && { by_request: requestId }),
    ...('network' in actor && { network: actor.network }),
    ...(actor.by === 'plan' && { by_plan: actor.plan_id }),
    ...(actor.by === 'fault' && { rule: actor.rule, effect: actor.effect }),
    ...(actor.by === 'rpc' && {
      method: actor.method,
      ...(actor.sender && { sender: actor.sender }),
    }),
    ...(gift && {
      asset: gift.asset,
      amount: token ? formatUnits(BigInt(gift.amount), token.decimals) : gift.amount,
    }),
    ...(actor.by === 'reorganisation' && {
      changed: `${actor.replaced} blocks of ${actor.network}`,
    }),
    ...(prices && {
      changed: touch?.of === 'price' ? `price of ${touch.assets.join(', ')} in USD` : 'time',
      before: prices.before,
      after: prices.after,
    }),
    ...(transaction && { hashes: [transaction.hash] }),
  })
}

/** What to do when it is unknown whether an execution was carried out: one text for the hint, `why`, the guides and `svc-sim swarm`. */
export const afterLostExecution =
  'find out whether the plan ran before you make another: if GET /accounts/:account_id/activities lists an activity with its plan_id, it ran, so follow that activity and do not plan again; if none has it, execute the same plan again'

/** What to do when it is known that a plan ran. */
export function followInstead(activityId: string): string {
  return `follow activity ${activityId}, and do not make a new plan for it`
}

/** A fact alone: what to do depends on what became of the activity, which a restore may undo. */
export const ranText = ({ activity_id }: Pick<StaleCause, 'activity_id'>) =>
  `the plan was executed before (activity ${activity_id})`

/** The hint for a plan that was executed before, and did not fail. */
export function afterExecuted(activityId: string): string {
  return `the plan was executed before: ${followInstead(activityId)}`
}
