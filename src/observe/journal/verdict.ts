import { formatUnits } from 'viem/utils'
import { networks } from '../../deployments/networks.js'
import type { RuleView } from '../../faults/rules/faultRules.js'
import { effectText } from '../../faults/rules/view.js'
import { type ActivityItem, itemName, networkName } from '../../service/plans/model/activityItem.js'
import type { ActivityRecord } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { becauseOf, causesOf, firedIn } from './firedRules.js'
import type { OrderedMoment } from './foldReads.js'
import { noteOf, type RecordedRequest } from './journal.js'
import { neverRefuses } from './nextStep.js'
import type { WhyFacts, WhySources } from './whySchema.js'

// Loaded when somebody asks why.

/** What became of it, in one line. */
export async function nowOf(facts: WhyFacts, sources: WhySources): Promise<string> {
  const { id, asked, account, activity, planId, isRule, isLedTo, moments } = facts
  if (isRule) return ruleVerdict(facts, sources)
  if (asked) return requestVerdict(asked, facts)
  if (activity) return activityVerdict(activity, moments, sources, isLedTo)
  if (account && planId) {
    const plan = await sources.store.plan(account.accountId, planId)
    const { expiresAtMs = 0 } = plan ?? {}
    const until = isoSeconds(expiresAtMs)
    return expiresAtMs > sources.nowMs
      ? `not executed; it can be until ${until}`
      : `never executed; it expired at ${until}${becauseOf(expiring(facts))}`
  }
  if (account) return accountVerdict(facts, sources)
  return `the simulator no longer has ${id}: it has expired, or a reset or restore has undone it`
}

/** The rules that made a plan expire before its time. */
function expiring({ moments }: WhyFacts): ReturnType<typeof firedIn> {
  return firedIn(moments).filter(({ moment }) => moment.details.effect === 'plan.expire')
}

/** At most so many of an account's activities are named: the latest one, and earlier ones that were not simply confirmed. */
const maxActivities = 3

async function accountVerdict(
  { account, moments, exchanges }: WhyFacts,
  sources: WhySources,
): Promise<string> {
  const activities = await sources.store.activities(account!.accountId)
  if (activities.length === 0) {
    const refused = exchanges.findLast(
      ({ answer }) => answer && (answer.cut || answer.status >= 400),
    )
    const own = moments.filter(({ request_id }) => request_id === refused?.requestId)
    const last = refused
      ? `; the last refusal was ${refused.method} ${refused.url}: ${requestVerdict(refused, { moments: own })}`
      : ''
    return `no plan of this account has been executed${last}`
  }
  const counts = (['confirmed', 'failed', 'pending'] as const).flatMap((status) => {
    const count = activities.filter((each) => each.status === status).length
    return count === 0 ? [] : `${count} ${status}`
  })
  const verdicts = activities
    .map((each) => ({ id: each.activityId, text: activityVerdict(each, moments, sources) }))
    .filter(({ text }, place) => place === 0 || text !== 'confirmed')
    .map(({ id, text }) => `activity ${id}: ${text}`)
  const which = activities.length === 1 ? [] : [counts.join(', ')]
  return [...which, ...verdicts.slice(0, maxActivities)].join('; ')
}

/** How the request was answered, and what became of the activity that it led to. */
function requestVerdict(
  { requestId, answer }: RecordedRequest,
  { moments, activity, ledTo }: Pick<WhyFacts, 'moments' | 'activity' | 'ledTo'>,
): string {
  const fired = firedIn(moments).filter(
    ({ ends, moment }) => moment.request_id === requestId && !ends && !moment.details.event,
  )
  const told = moments.findLast(({ type }) => type === 'answer')
  const { message } = told?.details ?? {}
  // What was answered well is no consequence of the rules that fired.
  const isGood = answer && !answer.cut && answer.status < 400
  const stale = moments.find(({ type }) => type === 'cause')
  const isRefused = answer && !answer.cut && answer.status >= 400
  const bystanders = isRefused
    ? fired.filter(({ moment }) => neverRefuses.test(String(moment.details.effect)))
    : []
  const causes = fired.filter((each) => !bystanders.includes(each))
  const why =
    stale && causes.length === 0
      ? `, because ${stale.title}`
      : `${becauseOf(causes, isGood ? '; ' : undefined)}${becauseOf(bystanders, '; ')}`
  const how = !answer
    ? 'no response yet'
    : `${answer.cut ? '' : 'returned '}${told?.title}${message === undefined || stale ? '' : ` (${message})`}`
  return `${how}${why}${activity && ledTo ? `; activity ${activity.activityId}: ${ledTo}` : ''}`
}

/** How an activity ended and which rules had a part in it, or what it waits for. */
function activityVerdict(
  activity: ActivityRecord,
  moments: readonly OrderedMoment[],
  sources: Pick<WhySources, 'rules' | 'book'>,
  isLedTo = false,
): string {
  const { request_id, own, fired } = firedFor(activity, moments)
  // The verdict on the execution's request reports its response already.
  const lost = isLedTo ? '' : lostAnswer(own, fired)
  if (activity.status === 'confirmed') return `confirmed${lost}`
  const because = (ending: string, item: ActivityItem): string =>
    becauseOf(causesOfPart(ending, item, { request_id: request_id ?? null, fired }))
  if (activity.status === 'pending')
    return `pending: ${waitsFor(activity, because, sources)}${lost}`
  return `failed: ${failure(activity, because)}${lost}`
}

/** What happened on behalf of the request that executed it, and the rules that fired there. */
function firedFor({ activityId }: ActivityRecord, moments: readonly OrderedMoment[]) {
  const request_id = moments.findLast(
    ({ type, details }) => type === 'activity' && details.activity_id === activityId,
  )?.request_id
  const own = moments.filter((moment) => moment.request_id === request_id)
  return { request_id, own, fired: firedIn(own) }
}

/** The rules that brought about how a part of an activity ended, or that it has not. */
function causesOfPart(
  ending: string,
  item: ActivityItem,
  { request_id, fired }: { request_id: string | null; fired: ReturnType<typeof firedIn> },
) {
  const from = sourceOf(item)
  const details = { network: networkName(item.chain_id), from }
  const part = { request_id, order: Number.POSITIVE_INFINITY, details }
  return causesOf(ending, part, fired).filter(
    // A bridge fault delays only what waits for a bridge, and the other faults only the rest.
    ({ moment }) =>
      ending !== 'pending' ||
      `${moment.details.effect}`.startsWith('bridge.') === (from !== undefined),
  )
}

/** The ids of the fault rules that made an activity fail. */
export function rulesBehind(activity: ActivityRecord, moments: readonly OrderedMoment[]): string[] {
  const item = failedPart(activity)
  if (!item) return []
  const { request_id = null, fired } = firedFor(activity, moments)
  const causes = causesOfPart(endingOf(item)[0], item, { request_id, fired })
  return [...new Set(causes.map(({ moment }) => String(moment.details.rule)))]
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

type Because = (ending: string, item: ActivityItem) => string

function failure(activity: ActivityRecord, because: Because): string {
  const { metadata } = activity
  const item = failedPart(activity)
  if (!item) return 'no reason is known'
  const [ending, verb] = endingOf(item)
  const cause = because(ending, item)
  const reason = cause === '' || ending === 'failed' ? ` (${item.revert_reason})` : ''
  const left = metadata.filter(({ revert_reason }) => revert_reason?.startsWith('not run: '))
  const rest = left.map((each) => `; ${itemName(metadata, each)} was not run`).join('')
  return `${itemName(metadata, item)} ${verb}${cause}${reason}${rest}`
}

/** The first part that has not ended, by when it does, and what follows then. */
function waitsFor(
  { metadata }: ActivityRecord,
  because: Because,
  { rules, book }: Pick<WhySources, 'rules' | 'book'>,
): string {
  const item = metadata.find(({ success }) => success === null)
  if (!item) return 'its last part has ended'
  const name = itemName(metadata, item)
  const cause = because('pending', item)
  const { action_context: context, expiry, transaction_hash: hash } = item
  if (context.action_type === 'BRIDGE_MINT') {
    const until = isoSeconds((expiry ?? 0) * 1000)
    const { asset_symbol: asset, input_amount: input, output_amount: output } = context
    const network = networks.find(({ chainId }) => chainId === item.chain_id)
    const token = network && book.token(network.name, asset)
    const amount = (units: string): string =>
      token ? `${formatUnits(BigInt(units), token.decimals)} ${asset}` : units
    return `it waits for ${name} to deliver ${amount(output)}${cause}; if it has not by ${until}, ${amount(input)} goes back on ${sourceOf(item)} and the activity fails`
  }
  const standing = rules
    .filter(
      ({ on, effect, match }) => on === 'chain' && isStanding(effect) && onNetwork(match, item),
    )
    .map(({ id, effect }) => ({ name: id, text: `(chain.${wordOf(effect)}) is in force` }))
  const what = hash === null ? 'to be sent' : `to be mined (transaction ${hash})`
  return `it waits for ${name} ${what}${cause}${becauseOf(standing)}`
}

function isStanding(effect: unknown): boolean {
  return ['halt', 'down'].includes(wordOf(effect))
}

function wordOf(effect: unknown): string {
  return typeof effect === 'string' ? effect : (Object.keys(effect ?? {})[0] ?? '')
}

function onNetwork({ network }: Record<string, string>, { chain_id }: ActivityItem): boolean {
  return network === undefined || network === networkName(chain_id)
}

/** The execution was carried out, but its client has not got the response. */
function lostAnswer(own: readonly OrderedMoment[], fired: ReturnType<typeof firedIn>): string {
  const answer = own.findLast(({ type }) => type === 'answer')
  if (!answer || answer.title.startsWith('2')) return ''
  const causes = fired.filter(({ ends, moment }) => !ends && !moment.details.event)
  return `; its client did not get the response (${answer.title})${becauseOf(causes)}, and finds this activity by its plan_id`
}

/** The network that a bridge takes from; undefined for what is no bridge. */
function sourceOf({ action_context: context }: ActivityItem): string | undefined {
  return context.action_type === 'BRIDGE_MINT'
    ? networkName(Number(context.source_chain_id))
    : undefined
}

/** What a fault rule is, how often it fired, and which requests and activities it met. */
function ruleVerdict({ id, moments, exchanges }: WhyFacts, { rules }: WhySources): string {
  const rule = rules.find((each) => each.id === id)
  const fired = moments.filter(
    ({ type, details }) => type === 'fault' && details.rule === id && details.effect !== undefined,
  )
  const names = new Set(
    fired.map(({ details: { effect, settings } }) =>
      effectText(String(effect), settings as object | undefined),
    ),
  )
  const what = rule
    ? `fault rule ${stepText(rule)}${matchText(rule.match)} ${stateOf(rule)}`
    : `fault rule ${[...names].join(', ')} is no longer armed; in the journal it fired ${fired.length === 1 ? 'once' : `${fired.length} times`}`
  const requests = new Set(fired.map(({ request_id }) => request_id))
  const met = exchanges.filter(({ requestId }) => requests.has(requestId))
  const activities = met.flatMap(({ notes }) =>
    notes.map(noteOf).flatMap((note) => (note.type === 'activity' ? [note.activity_id] : [])),
  )
  const texts = [
    ...newest(met.map(({ requestId, method, url }) => `${method} ${url} (${requestId})`)),
    ...newest([...new Set(activities)].map((activity) => `activity ${activity}`)),
  ]
  return `${what}${texts.length === 0 ? '' : `; it fired at ${texts.join(', ')}`}`
}

function stateOf({ hits, seen, times }: RuleView): string {
  if (times !== undefined && hits >= times)
    return `has fired ${hits} of ${times} times and will not fire again`
  const most = times === undefined ? '' : `, and ends after ${times} times`
  return `is armed: it has fired at ${hits} of ${seen} matching calls${most}`
}

function stepText({ on, effect, sequence }: RuleView): string {
  if (sequence) return `${on} ${JSON.stringify(sequence)}`
  const [[name, settings] = []] = Object.entries(typeof effect === 'object' ? effect : {})
  return name === undefined ? `${on}.${effect}` : `${on}.${name} ${JSON.stringify(settings)}`
}

function matchText(match: Record<string, string>): string {
  const texts = Object.entries(match).map(([key, value]) => `${key} ${value}`)
  return texts.length === 0 ? '' : ` for ${texts.join(', ')}`
}

/** So many are named; the timeline has the others. */
const named = 5

function newest(all: readonly string[]): string[] {
  const before = all.length - named
  return [...(before > 0 ? [`${before} others`] : []), ...all.slice(-named)]
}
