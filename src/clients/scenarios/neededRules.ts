import { reasonLeftOut } from './leftOut.js'
import { idsIn, isAbandoned, made, planKindOf } from './requestFacts.js'
import type { SavedRequest } from './savedRun.js'

/** A rule as the control API returns it. */
interface RuleOfRun {
  id: string
  on: string
  effect?: unknown
  sequence?: unknown
  match?: object
  after?: number
  times?: number
  probability?: number
  hits: number
}

/** A rule while it was in force. */
interface Arming<Request> {
  rule: RuleOfRun
  by: Request
  /** The place of its removal. */
  to: number
}

interface Hit<Request> {
  order: number
  on: string
  effect: string
  settings: object
  /** The only network of the rule. */
  only: unknown
  request: Request
  rule: string
}

/**
 * Leaves of the calls to `/_sim/faults` the rules that hit the kept requests or were in force all the time, each narrowed to the account
 * and the plan kind that it hit. A rule that lets calls pass first, fires by chance, hit reads of an activity, or was added by the program,
 * is added right before each request that it hit.
 * @param end Hits after this place do not count.
 * @param ruleEnds Where rules ended by themselves: there, a play removes them.
 */
export function neededRules<Request extends SavedRequest>(
  kept: readonly Request[],
  end: number,
  ruleEnds: readonly Note[] = [],
): Request[] {
  const armings = armingsIn(kept)
  const others = kept
    .filter((each) => !isOfRules(each))
    .toSorted((one, other) => one.cursor - other.cursor)
  const hits = others.flatMap((each) => hitsOf(each, end))
  const explained = new Set(hits.filter(isOver))
  const endings = endingsOf(
    armings.filter(isTimed),
    others,
    ruleEnds.filter(({ order }) => order <= end),
  )
  const added: { place: number; exchange: Request }[] = []
  const add = (rule: object, before: Request, place: number, of = place): void => {
    added.push({ place, exchange: { ...addition(rule, before, place), of } })
  }
  // An id is taken as long as its rule is there, also when it has fired.
  const uses = new Map<string, number>()
  const needed = new Set<Arming<Request>>()
  for (const arming of armings) {
    const { rule, by, to } = arming
    const own = hits.filter(
      (hit) => hit.rule === rule.id && hit.order > by.cursor && hit.order <= to,
    )
    const met = own.filter((hit) => !explained.has(hit))
    for (const hit of own) explained.add(hit)
    const stood = rule.hits > 0 && others.some(({ cursor }) => cursor > by.cursor && cursor < to)
    if (met.length === 0 && !stood) continue
    needed.add(arming)
    const isPart = met.length < own.length
    if (isPart || isCounted(rule) || met.some((hit) => isMetByWaits(rule, hit)))
      for (const hit of met) addBeforeHit(rule, hit, by.cursor)
    else add(stood ? plain(rule) : bound(rule, met, kept), by, by.cursor)
  }
  function addBeforeHit({ id: own, on, match }: RuleOfRun, hit: Hit<Request>, of?: number): void {
    const use = (uses.get(own) ?? 0) + 1
    uses.set(own, use)
    const id = use === 1 ? own : `${own.slice(0, 58)}_${use}`
    const before = others.findLast(({ cursor }) => cursor <= hit.order) ?? hit.request
    const effect =
      Object.keys(hit.settings).length > 0 ? { [hit.effect]: hit.settings } : hit.effect
    const once = { id, on, effect, ...(match && { match }), times: 1, hits: 0 }
    add(bound(once, [hit], kept), before, before.cursor - 0.5, of)
  }
  // A program in the same process adds rules without a request.
  for (const hit of hits)
    if (!explained.has(hit)) {
      const match = hit.only === undefined ? {} : { network: hit.only }
      addBeforeHit({ id: hit.rule, on: hit.on, match, hits: 1 }, hit)
    }
  const removals = [...kept, ...endings].filter(
    (each) =>
      isOfRules(each) && each.method !== 'POST' && [...needed].some(({ to }) => to === each.cursor),
  )
  const exchanges = [
    ...[...others, ...removals.map(asRemoval)].map((exchange) => ({
      place: exchange.cursor,
      exchange,
    })),
    ...added,
  ].sort((one, other) => one.place - other.place)
  return exchanges.map(({ exchange }) => exchange)
}

const isOfRules = ({ url }: SavedRequest): boolean => /^\/_sim\/faults([/?]|$)/.test(url)

/** Whether it matters which of the calls it meets. */
const isCounted = ({ after = 0, sequence, probability }: RuleOfRun): boolean =>
  after > 0 || sequence !== undefined || probability !== undefined

type Note = SavedRequest['notes'][number]

/** `chain.halt` and `chain.down` end by real time, of which a play takes another amount. */
const isTimed = ({ rule: { on, effect } }: Arming<SavedRequest>): boolean =>
  on === 'chain' && /"(halt|down)":.*"ms":/.test(JSON.stringify(effect))

function withoutTime(rule: ListedRule): ListedRule {
  const { ends: _, over: __, ...others } = rule
  return { ...others, effect: Object.keys(rule.effect as object)[0] }
}

/**
 * The removals of rules where they had ended by themselves, which become the ends of their armings. A request that waited for that and
 * succeeded comes after it.
 */
function endingsOf<Request extends SavedRequest>(
  armings: readonly Arming<Request>[],
  others: readonly Request[],
  ruleEnds: readonly Note[],
): Request[] {
  return armings.flatMap((arming) => {
    const { rule, by, to } = arming
    arming.rule = withoutTime(rule)
    const over = ruleEnds.find(
      (each) => each.rule === rule.id && each.order > by.cursor && each.order < to,
    )
    if (!over) return []
    const waited = others
      .filter(({ cursor }) => cursor > by.cursor && cursor < over.order)
      .find(({ answered = 0, answer }) => answered > over.order && isSuccess(answer))
    arming.to = waited ? waited.cursor - 0.5 : over.order
    const like = { ...by, at: waited?.at ?? String(over.at) }
    const url = `/_sim/faults/${rule.id}`
    return [{ ...addition({}, like, arming.to), method: 'DELETE', url, of: by.cursor }]
  })
}

const isSuccess = (answer: SavedRequest['answer']): boolean =>
  answer?.cut === false && answer.status < 400

/** Whether a play sends the request when this effect has ended: its client had disconnected. */
const isOver = ({ on, effect, request }: Hit<SavedRequest>): boolean =>
  `${on}.${effect}` === 'request.latency' && request.of !== undefined && isAbandoned(request)

/** Whether the reads of a play that waits for an activity would meet the rule before the read that it hit. */
const isMetByWaits = ({ times, on }: RuleOfRun, { effect, request }: Hit<SavedRequest>): boolean =>
  // By real time, it had ended before later requests.
  (on === 'request' && effect === 'outage') ||
  (/\/activities\/act_/.test(request.url) &&
    (times !== undefined || on === 'request' || effect === 'pending_first'))

function armingsIn<Request extends SavedRequest>(kept: readonly Request[]): Arming<Request>[] {
  const armings: Arming<Request>[] = []
  for (const by of kept.filter(isOfRules)) {
    const { method, url, answer } = by
    const [, id] = /^\/_sim\/faults\/([^/?]+)/.exec(url) ?? []
    const { faults } = (answer?.body ?? {}) as { faults?: RuleOfRun[] }
    const armed =
      method === 'DELETE' ? [] : method === 'PUT' ? faults! : [answer!.body as RuleOfRun]
    for (const each of armings) {
      const isRemoved =
        id === undefined ? method !== 'POST' : each.rule.id === decodeURIComponent(id)
      const isReplaced = armed.some((rule) => rule.id === each.rule.id)
      if ((isRemoved || isReplaced) && each.to > by.cursor) each.to = by.cursor
    }
    for (const rule of armed) armings.push({ rule, by, to: Number.POSITIVE_INFINITY })
  }
  return armings
}

/** What rules of the simulator did to a request; its header carries the others. */
function hitsOf<Request extends SavedRequest>(request: Request, end: number): Hit<Request>[] {
  if (reasonLeftOut(request) !== undefined) return []
  return request.notes.flatMap(({ type, rule, order, effect: name, settings = {}, ...note }) => {
    if (type !== 'fault' || typeof name !== 'string' || note.carried || order > end) return []
    const [on = '', effect = ''] = name.split('.')
    const facts = { rule: String(rule), on, effect, settings: settings as object, only: note.only }
    return [{ ...facts, order, request }]
  })
}

type ListedRule = RuleOfRun & {
  seen?: number
  used?: number
  ends?: string
  over?: true
}

function plain({ hits: _, after = 0, match = {}, ...rule }: ListedRule): object {
  const { seen: __, ends: ___, over: ____, used: _____, ...given } = rule
  return {
    ...given,
    ...(Object.keys(match).length > 0 && { match }),
    ...(after > 0 && { after }),
  }
}

/** Narrowed to what it hit; seams that carry no account or kind are left as they are. */
function bound(rule: RuleOfRun, hits: readonly Hit<SavedRequest>[], kept: readonly SavedRequest[]) {
  const only = (all: readonly (string | undefined)[]): string | undefined =>
    new Set(all).size === 1 ? all[0] : undefined
  const account = only(hits.map(({ request }) => idsIn(request.url, 'acc')[0]))
  const isOpened = kept.some((each) => made(each, 'acc').includes(`${account}`))
  const kind = only(hits.map(({ request }) => planKindOf(request, kept)))
  return plain({
    ...rule,
    match: {
      ...(isOpened && rule.on !== 'chain' && { account_id: account }),
      ...(kind && ['plan', 'execute', 'quote'].includes(rule.on) && { kind }),
      ...rule.match,
    },
    ...(rule.times !== undefined && { times: hits.length }),
  })
}

function addition<Request extends SavedRequest>(
  rule: object,
  like: Request,
  cursor: number,
): Request {
  return {
    ...like,
    cursor,
    method: 'POST',
    url: '/_sim/faults',
    headers: {},
    notes: [],
    body: undefined,
    answer: { ...like.answer, at: like.at, status: 201, body: rule, cut: false },
  }
}

/** `PUT /_sim/faults` removes all rules as well as it adds some. */
function asRemoval<Request extends SavedRequest>(request: Request): Request {
  return request.method === 'PUT' ? { ...request, method: 'DELETE' } : request
}
