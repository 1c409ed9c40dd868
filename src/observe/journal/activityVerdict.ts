// Loaded when somebody asks why: it reads every effect there is.

import type { MiningSwitch } from '../../chain/transactions/mining.js'
import { effects } from '../../faults/effects/index.js'
import type { EffectOutcome } from '../../faults/rules/effect.js'
import { seamOf } from '../../faults/rules/rules.js'
import { rulesStopping } from '../../faults/rules/stoppages.js'
import { refundedAt } from '../../service/activities/bridged.js'
import { refundableFrom } from '../../service/bridge/refund.js'
import type { FiredFault } from '../../service/context/requestContext.js'
import { amountOn, partialFillOf } from '../../service/plans/execute/bridgeItems.js'
import {
  type ActivityItem,
  type FillItem,
  itemName,
  networkName,
} from '../../service/plans/model/activityItem.js'
import type { ActivityRecord, UnreadExecution } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import type { OrderedMoment } from './foldReads.js'
import type { Lives } from './lives.js'
import {
  type ActivityVerdict,
  expiredText,
  type NamedFault,
  namedFault,
  stoppedText,
  type WaitingFor,
} from './verdict.js'
import { becauseOf } from './verdictText.js'
import type { WhySources } from './whySchema.js'

type Sources = Pick<WhySources, 'rules' | 'unread' | 'switches' | 'book' | 'expectedFill' | 'nowMs'>

/**
 * How an activity ended and which rules affected it, or what it waits for.
 *
 * @param isLedTo Whether it becomes part of the verdict on the request that executed it, which reports its response already.
 */
export function activityVerdict(
  activity: ActivityRecord,
  moments: readonly OrderedMoment[],
  sources: Sources,
  isLedTo = false,
): ActivityVerdict {
  const { activityId, status, metadata } = activity
  const { request_id = null, own, fired } = firedFor(activity, moments)
  const lost = isLedTo ? undefined : lostAnswer(sources.unread.get(activityId))
  const partialFills = partialFillsOf(activity, { request_id, own, fired }, sources)
  const common = {
    outcome: status,
    activityId,
    partialFills,
    faults: [],
    notRun: [],
    ...(lost && { lost }),
  }
  if (status === 'confirmed') return common
  const item =
    status === 'failed' ? failedPart(activity) : metadata.find(({ success }) => success === null)
  if (!item) return common
  const part = { name: itemName(metadata, item), network: networkName(item.chain_id) }
  const [ending, verb] = status === 'failed' ? endingOf(item) : (['pending', ''] as const)
  const faults = causesOfPart(ending, item, { request_id, own, fired })
  if (status === 'pending') {
    const partial = causesOfPart('filled in part', item, { request_id, own, fired })
    const waiting =
      item.action_type === 'BRIDGE_MINT'
        ? awaitedBridge(item, { recorded: faults, partial }, activity, moments, sources)
        : awaitedTransaction(item, own, sources)
    // A bridge is held no longer by a delay that is over, nor by a rule of the list that was removed.
    const holding =
      item.action_type === 'BRIDGE_MINT' ? sources.expectedFill(item.relay_hash)?.heldBy : undefined
    const present = faults.filter(({ rule, effect, carried }) => {
      if (!effect.startsWith('bridge.')) return true
      if (holding) return holding.some((each) => each.rule === rule)
      return carried || sources.rules.some(({ id }) => id === rule)
    })
    return { ...common, part, faults: present, waiting }
  }
  const left = metadata.filter(({ revert_reason }) => revert_reason?.startsWith('not run: '))
  const hasReason = faults.length === 0 || ending === 'failed'
  const stopped = stoppedBefore(item)
  const isUnrecorded = request_id === null && faults.length + stopped.length === 0
  return {
    ...common,
    part,
    faults: [...faults, ...stopped],
    ending: { verb, ...(hasReason && { reason: `${item.revert_reason}` }), isUnrecorded },
    notRun: left.map((each) => itemName(metadata, each)),
  }
}

interface Happened {
  request_id: string | null
  own: readonly OrderedMoment[]
  fired: readonly Fired[]
}

/** What happened on behalf of the request that executed it, and the rules that fired there. */
function firedFor(
  { activityId }: Pick<ActivityRecord, 'activityId'>,
  moments: readonly OrderedMoment[],
) {
  const request_id = moments.findLast(
    ({ type, details }) => type === 'activity' && details.activity_id === activityId,
  )?.request_id
  const own = moments.filter(
    (moment) => moment.request_id === request_id && moment.details.undone_by === undefined,
  )
  return { request_id, own, fired: firedIn(own) }
}

/** The bridges that brought less than their deposits said. */
function partialFillsOf(
  { metadata }: ActivityRecord,
  happened: Happened,
  { book }: Sources,
): ActivityVerdict['partialFills'] {
  return metadata.flatMap((item) => {
    const amounts = item.action_type === 'BRIDGE_MINT' && partialFillOf(item, book)
    if (!amounts) return []
    const faults = causesOfPart('filled in part', item, happened)
    return [{ name: itemName(metadata, item), amounts, faults }]
  })
}

/** The rules that brought about how a part of an activity ended, or that it has not. */
function causesOfPart(
  ending: string,
  item: ActivityItem,
  { request_id, own, fired }: Happened,
): Fired[] {
  const [from, network] = [sourceOf(item), networkName(item.chain_id)]
  const ended = endOfBridge(item, own)
  const details = {
    network,
    from,
    held_by: ending === 'failed' ? ended?.details.held_by : undefined,
  }
  const part = { request_id, order: Number.POSITIVE_INFINITY, details }
  const isReleased = (rule: string) =>
    own.some(
      ({ type, details: { rule: by, hash } }) =>
        type === 'release' && by === rule && hash === item.transaction_hash,
    )
  return causesOf(ending, part, fired).filter(
    // A bridge fault delays only what waits for a bridge, and the other faults only the rest.
    ({ rule, effect }) =>
      ending !== 'pending' ||
      (effect.startsWith('bridge.') === (from !== undefined) && !isReleased(rule)),
  )
}

function endOfBridge(item: ActivityItem, own: readonly OrderedMoment[]) {
  const [from, to] = [sourceOf(item), networkName(item.chain_id)]
  return own.findLast(
    ({ type, details }) => type === 'bridge' && details.from === from && details.to === to,
  )
}

/** The rules that kept a network from mining what failed, or the fill of a failed bridge, in time. */
function stoppedBefore(item: ActivityItem): NamedFault[] {
  const network = networkName(item.chain_id)
  if (item.action_type === 'BRIDGE_MINT')
    return stoppedText(item.stopped_by, sourceOf(item), network)
  return 'stopped_by' in item ? expiredText(item.stopped_by, network) : []
}

/** The ids of the fault rules that made an activity fail. */
export function rulesBehind(activity: ActivityRecord, moments: readonly OrderedMoment[]): string[] {
  const item = failedPart(activity)
  if (!item) return []
  const { request_id = null, own, fired } = firedFor(activity, moments)
  const causes = causesOfPart(endingOf(item)[0], item, { request_id, own, fired })
  const all = [...causes, ...stoppedBefore(item)]
  return [...new Set(all.map(({ rule }) => rule))]
}

/** Of a failed activity that the store no longer has: the rules that its failed transactions and bridges name. */
export function faultsOfUndone(activityId: string, moments: readonly OrderedMoment[]) {
  const { own, fired } = firedFor({ activityId }, moments)
  const isFailed = ({ details: { activity_id, status } }: OrderedMoment) =>
    activity_id === activityId && /^(reverted|not mined|failed)$/.test(`${status}`)
  return own.filter(isFailed).flatMap((moment) => causesAt(moment, fired))
}

const failedPart = ({ metadata }: ActivityRecord): ActivityItem | undefined =>
  metadata.find(({ success }) => success === false)

/** How a failed part ended, as transactions and bridges say it, and in a sentence. */
function endingOf(item: ActivityItem): [ending: string, verb: string] {
  if (item.action_context.action_type === 'BRIDGE_MINT') return ['failed', 'failed']
  if (item.executed_at === null && item.transaction_hash === null)
    return ['not mined', 'was not mined']
  return ['reverted', 'reverted']
}

/** What a bridge is going to bring, until when, and what follows. */
function awaitedBridge(
  item: FillItem,
  { recorded, partial }: Record<'recorded' | 'partial', readonly Fired[]>,
  { metadata }: ActivityRecord,
  moments: readonly OrderedMoment[],
  { book, rules, switches, expectedFill, nowMs }: Sources,
): WaitingFor {
  const { asset_symbol: asset, input_amount, output_amount } = item.action_context
  const amount = (units: bigint) => amountOn(book, item.chain_id, asset, units)
  const planned = BigInt(output_amount)
  const expected = expectedFill(item.relay_hash)
  const arriving =
    expected?.delivers ??
    partial.reduce((units, { moment }) => {
      const { percent } = moment.details.settings as { percent: number }
      return (units * BigInt(percent)) / 100n
    }, planned)
  const isShort = arriving < planned
  const deadline = item.expiry ?? 0
  const until = refundedAt(expected)
  const refundableMs = refundableFrom(deadline) * 1000
  const state = nowMs >= refundableMs ? 'closed' : (expected?.lost ?? 'open')
  const isDue = state === 'closed' && until !== undefined && Date.parse(until) <= nowMs
  const doomed = metadata.find(
    (each) => each.chain_id === item.chain_id && each.success === null && needsAll(each, moments),
  )
  // After a restart the journal has no note of the rules that hold it.
  const unrecorded = (expected?.heldBy ?? [])
    .filter(({ rule }) => !recorded.some((each) => each.rule === rule))
    .map(({ rule, effect }) => ({ rule, effect, text: `${rule} (${effect}) holds it` }))
  const standing = expected ? [...unrecorded, ...standingOn(expected.on, rules)] : []
  const switched = switchedOn(expected?.on ?? [], switches, standing)
  return {
    for: 'bridge',
    delivers: isShort ? `${amount(arriving)} of ${amount(planned)}` : amount(planned),
    ...(isShort && { missing: amount(planned - arriving) }),
    ...(isShort && doomed && { doomed: itemName(metadata, doomed) }),
    refunds: amount(BigInt(input_amount)),
    from: `${sourceOf(item)}`,
    deadline: isoSeconds(deadline * 1000),
    state,
    ...(until !== undefined && !isDue && { until }),
    partial,
    before: (expected?.before ?? []).flatMap((each) => {
      if (each.effect !== 'bridge.delay')
        return stoppedText([each], sourceOf(item), networkName(item.chain_id))
      const known = recorded.find(({ rule }) => rule === each.rule)
      return known ?? { ...each, text: `${each.rule} (${each.effect}) held it` }
    }),
    standing,
    ...(switched && { switched }),
  }
}

/** Whether it is an operation of a fixed amount; one of a maximum takes what is there. False when its plan is not in the journal. */
function needsAll({ svc_operation_nonce: nonce }: ActivityItem, moments: readonly OrderedMoment[]) {
  type Decoded = { nonce: string; args?: readonly unknown[] }
  const planned = moments
    .flatMap(({ type, details }) => (type === 'plan' ? (details.operations as Decoded[]) : []))
    .find((each) => nonce !== null && each?.nonce === nonce)
  return planned !== undefined && planned.args?.at(-1) !== true
}

function awaitedTransaction(
  item: ActivityItem,
  own: readonly OrderedMoment[],
  { rules, switches, book, nowMs }: Sources,
): WaitingFor {
  const { transaction_hash: hash, chain_id } = item
  const networks = [networkName(chain_id)]
  const standing = standingOn(networks, rules)
  const switched = switchedOn(networks, switches, standing)
  const late = lateIn(item, book, nowMs)
  const common = { standing, ...(switched && { switched }), ...(late && { late }) }
  if (hash === null) return { for: 'send', ...common }
  const dropped = own.find(
    ({ type, details }) =>
      type === 'transaction' && details.status === 'dropped' && details.hash === hash,
  )
  if (dropped) return { for: 'notice', hash, until: `${dropped.details.until}`, ...common }
  return { for: 'block', hash, ...common }
}

/** Set when an operation is mined too late, if it is mined now: for itself, or for the fill of its deposit. */
function lateIn(
  item: ActivityItem,
  book: Sources['book'],
  nowMs: number,
): WaitingFor['late'] | undefined {
  const { expiry, chain_id, action_context: context } = item
  if (expiry === null) return undefined
  const isExpired = nowMs >= expiry * 1000
  const own = { expiry: isoSeconds(expiry * 1000), isExpired }
  const due = 'fill_deadline' in item ? item.fill_deadline : undefined
  if (isExpired || context.action_type !== 'BRIDGE' || due === undefined)
    return isExpired ? own : undefined
  if (nowMs < refundableFrom(due) * 1000) return undefined
  const refunds = amountOn(book, chain_id, context.asset_symbol, BigInt(context.amount))
  return { ...own, deposit: { deadline: isoSeconds(due * 1000), refunds } }
}

/** A client's switch that holds one of these networks. A rule that halts it too has it mine again once removed. */
function switchedOn(
  networks: readonly string[],
  switches: Sources['switches'],
  standing: readonly NamedFault[],
): MiningSwitch | undefined {
  const isHalted = standing.some(({ effect }) => effect === 'chain.halt')
  return isHalted ? undefined : switches.find(({ network }) => networks.includes(network))
}

function standingOn(networks: readonly string[], rules: Sources['rules']): NamedFault[] {
  return rulesStopping(rules, networks).map(({ rule, effect, until }) => ({
    rule,
    effect,
    text: `${rule} (${effect}) is in force${until && ` ${until}`}`,
  }))
}

/** The execution was carried out, but its client has not got the response. */
function lostAnswer(unread: UnreadExecution | undefined): ActivityVerdict['lost'] {
  if (!unread?.lost) return undefined
  const { how, faults } = unread.lost
  const met = faults.filter(({ event }) => event === undefined).map(didAt)
  return { ...(how !== undefined && { how }), faults: met.filter(({ ends }) => !ends) }
}

/** The network that a bridge takes from; undefined for other actions. */
function sourceOf({ action_context: context }: ActivityItem): string | undefined {
  return context.action_type === 'BRIDGE_MINT'
    ? networkName(Number(context.source_chain_id))
    : undefined
}

interface Fired extends NamedFault, Pick<EffectOutcome, 'ends'> {
  moment: OrderedMoment
}

export function firedIn(moments: readonly OrderedMoment[]): Fired[] {
  return moments.flatMap((moment): Fired[] => {
    const details = moment.details as Partial<FiredFault>
    if (moment.type !== 'fault' || details.effect === undefined) return []
    return [{ ...didAt(details as FiredFault), moment }]
  })
}

function didAt({ rule, effect, settings = {}, carried, only }: FiredFault): Omit<Fired, 'moment'> {
  const known = effects.find((each) => `${seamOf(each)}.${each.name}` === effect)
  const outcome: EffectOutcome = known?.outcome?.(settings, only) ?? { text: 'fired' }
  const { text, ends, isDone } = outcome
  return { ...namedFault({ rule, effect, settings, carried }, text, isDone), ...(ends && { ends }) }
}

/** Those of the rules that brought about how a transaction or a bridge of the same request ended. */
function causesOf(
  ending: unknown,
  { request_id, order, details }: Pick<OrderedMoment, 'request_id' | 'order' | 'details'>,
  fired: readonly Fired[],
): Fired[] {
  const held = details.held_by as readonly string[] | undefined
  return fired.filter(({ rule, effect, ends, moment }) => {
    // A hold that was lifted or over in time is not to blame.
    if (held && effect.startsWith('bridge.') && !held.includes(rule)) return false
    const { only } = moment.details
    const isThere =
      only === undefined || [details.network, details.from, details.to].includes(only as string)
    // What a reorganisation has replaced was there before it.
    const isBefore = moment.order < order || ending === 'replaced by a reorganisation'
    const isOfRequest = moment.request_id === request_id
    return isOfRequest && isThere && isBefore && (ends as unknown[] | undefined)?.includes(ending)
  })
}

/** The rules that brought about how a transaction or a bridge ended. */
function causesAt(moment: OrderedMoment, fired: readonly Fired[]): NamedFault[] {
  const { status, stopped_by, from, to, network } = moment.details as {
    status?: string
    from?: string
    stopped_by?: FillItem['stopped_by']
    to?: string
    network?: string
  }
  const stopped = to ? stoppedText(stopped_by, from, to) : expiredText(stopped_by, `${network}`)
  return [...causesOf(status, moment, fired), ...stopped]
}

/** Adds the rules that changed a transaction or bridge to its moment: rules of its own life, for the next one may repeat all ids. */
export function withCauses(moments: readonly OrderedMoment[], lives: Lives): OrderedMoment[] {
  const all = firedIn(moments)
  return moments.map((moment) => {
    if (moment.type !== 'transaction' && moment.type !== 'bridge') return moment
    const fired = all.filter((each) => lives.areOnOneLine(each.moment.order, moment.order))
    const because = becauseOf(causesAt(moment, fired))
    return because === '' ? moment : { ...moment, title: `${moment.title}${because}` }
  })
}
