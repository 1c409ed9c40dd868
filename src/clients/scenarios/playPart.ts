import { type Border, isOn, type Line, livesOf } from '../../observe/journal/lives.js'
import { reasonLeftOut, reasonNotPlayed } from './leftOut.js'
import { neededRules } from './neededRules.js'
import { idsIn, isAbandoned, isDelayed, isOpening, made, wentWrong } from './requestFacts.js'
import type { SavedRequest } from './savedRun.js'

interface SelectionInput<Request extends SavedRequest> {
  /** Since the last reset, oldest first. */
  all: readonly Request[]
  /** Restores: each began another run. */
  marks: readonly Border[]
  /** Only the run up to this place. */
  until: number | undefined
  /** Undefined for everything in a run. */
  isWanted: ((request: Request) => boolean) | undefined
  /** The requests that no play can repeat, because their accounts are older than the journal; each with its account. */
  older?: ReadonlyMap<Request, string>
}

interface PlayPart<Request extends SavedRequest> {
  exchanges: Request[]
  /** Events after this place are not part of the play. */
  end: number
  /** The last request that failed, or the last one. */
  focus: Request | undefined
  /** Reads and refusals of older accounts, each with its account. */
  leftOut: (readonly [Request, string])[]
}

/** What is wanted depends on accounts that are older than the journal. */
export class OlderAccountsError extends Error {
  override name = 'OlderAccountsError'
  constructor(accounts: Iterable<string>) {
    const [first, ...others] = new Set(accounts)
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    super(
      `The requests depend on ${first}${more}, not created in the saved part of the journal. A test starts in an empty world, without the account, its funds and its activities`,
    )
  }
}

/** The wanted requests belong to several runs, of which restores have undone all but one. */
export class SeveralRunsError<Request extends SavedRequest> extends Error {
  override name = 'SeveralRunsError'
  /** Of each run, the last request that failed or else the last one. Runs with a failure come first. */
  readonly ends: readonly Request[]
  constructor(ends: readonly Request[]) {
    super('The requests belong to several runs, because a snapshot was restored between them')
    this.ends = ends
  }
}

/**
 * Selects the requests that give the wanted ones the same outcome in an empty world: of their run, without whatever restores have undone,
 * the accounts, funds, plans, executions, moves of time and faults that they depend on. Throws `SeveralRunsError` and `OlderAccountsError`.
 */
export function playPart<Request extends SavedRequest>(
  asked: SelectionInput<Request>,
): PlayPart<Request> {
  const { marks, until, isWanted = () => true } = asked
  const isWhole = asked.isWanted === undefined
  const branchOf = livesOf(marks).lineOf
  const part = until === undefined ? asked.all : historyOf(asked.all, marks, until)
  const found = part
    .map((each) => inBranch(each, branchOf(until ?? each.cursor)))
    .filter((each) => isPlayed(each) && isWanted(each))
  const place = (found.findLast(({ url }) => !isOfWorld(url)) ?? found.at(-1))?.cursor
  if (place === undefined) return { exchanges: [], end: 0, focus: undefined, leftOut: [] }
  const ofClients = found.filter(({ url }) => !isOfWorld(url))
  const runs = runsOf(ofClients.length > 0 ? ofClients : found, marks)
  if (runs.length > 1) throw new SeveralRunsError(runs)

  const branch = branchOf(until ?? place)
  const all = asked.all.map((each) => inBranch(each, branch))
  const older = new Map([...(asked.older ?? [])].map(([{ cursor }, of]) => [cursor, of]))
  const isOlder = ({ cursor }: Request): boolean => older.has(cursor)
  const places = new Set(found.map(({ cursor }) => cursor))
  const wanted = all.filter(({ cursor }) => places.has(cursor) && isOn(branch, cursor))
  const clients = wanted.filter(({ url }) => !isOfWorld(url))
  const end = endOf({ wanted, branch, until, isWhole })
  const history = historyOf(all, marks, place)
  const upTo = isWhole ? Math.max(wanted.at(-1)!.cursor, until === undefined ? 0 : end) : end
  const rest = all.filter(
    ({ cursor, url }) => cursor > place && cursor <= upTo && isOfWorld(url) && isOn(branch, cursor),
  )
  const run = [...history, ...rest].filter(isPlayed)
  const kept = trimmed(isWhole ? run : neededOf(run, new Set(wanted)))
  const leftOut = kept.filter(isOlder).map((each) => [each, older.get(each.cursor)!] as const)
  const isEverything = isWhole && until === undefined
  const answered = (clients.length > 0 ? clients : wanted).filter((each) => !reasonLeftOut(each))
  const failed = until === undefined ? answered.findLast(wentWrong) : undefined
  const focus = failed ?? answered.findLast((each) => !isEverything || !isOlder(each))
  const repeated = kept.filter((each) => !isOlder(each))
  const isLost = ([each]: (typeof leftOut)[number]): boolean =>
    each === focus || each.notes.some(({ type }) => type === 'activity')
  const ruleEnds = all.flatMap(({ notes }) => notes.filter(({ type }) => type === 'rule_end'))
  const isAny = repeated.some(
    (each) => !isOfWorld(each.url) && !isOpening(each.url) && !reasonLeftOut(each),
  )
  if (leftOut.some(isLost) || (leftOut.length > 0 && !isAny))
    throw new OlderAccountsError(leftOut.map(([, account]) => account))
  return { exchanges: neededRules(repeated.map(whenExecuted), end, ruleEnds), end, focus, leftOut }
}

/** Where the play ends: an execution's end belongs to it, and so do the moves of time that led there. */
function endOf<Request extends SavedRequest>(part: {
  wanted: readonly Request[]
  branch: Line
  until: number | undefined
  isWhole: boolean
}): number {
  const { wanted, branch, until, isWhole } = part
  const undone = branch.end?.order ?? Number.POSITIVE_INFINITY
  if (isWhole && until === undefined) return undone
  const ends = (isWhole ? wanted.slice(-1) : wanted).flatMap(({ cursor, notes }) => [
    cursor,
    ...notes.flatMap(({ type, order }) => (['delivery', 'rule_end'].includes(type) ? [] : [order])),
  ])
  return Math.min(Math.max(...ends), undone)
}

/** Without what has happened to it in other branches. */
function inBranch<Request extends SavedRequest>(request: Request, branch: Line): Request {
  return { ...request, notes: request.notes.filter(({ order }) => isOn(branch, order)) }
}

/**
 * An execution whose client disconnected while `request.latency` held it comes where it was executed: a play that waited for its response
 * could not do what happened meanwhile.
 */
function whenExecuted<Request extends SavedRequest>(request: Request): Request {
  const { cursor, notes, answer } = request
  const executed = notes.find(({ type }) => type === 'activity')
  if (!executed || !answer || !isAbandoned(request) || !isDelayed(request)) return request
  const at = String(executed.at)
  return { ...request, cursor: executed.order, of: cursor, at, answer: { ...answer, at } }
}

/** The requests that led to the state at a place, oldest first. */
function historyOf<Request extends SavedRequest>(
  all: readonly Request[],
  marks: readonly Border[],
  until: number,
): Request[] {
  const line = livesOf(marks).lineTo(until)
  return all.filter(({ cursor }) => isOn(line, cursor))
}

function runsOf<Request extends SavedRequest>(
  wanted: readonly Request[],
  marks: readonly Border[],
): Request[] {
  const failed: Request[] = []
  const others: Request[] = []
  for (let left = wanted; left.length > 0; ) {
    const run = historyOf(left, marks, left.at(-1)!.cursor)
    const failure = run.findLast(wentWrong)
    if (failure) failed.unshift(failure)
    else others.unshift(run.at(-1)!)
    const inRun = new Set(run)
    left = left.filter((each) => !inRun.has(each))
  }
  return [...failed, ...others]
}

const isPlayed = (each: SavedRequest): boolean => reasonNotPlayed(each) === undefined

/** Whether a request changes the world for every account. */
const isOfWorld = (url: string): boolean =>
  url.startsWith('/rpc/') || (url.startsWith('/_sim/') && !isFunding(url))

const isFunding = (url: string): boolean => url.startsWith('/_sim/fund')

/** Without the moves of time before the first step of an account. */
function trimmed<Request extends SavedRequest>(kept: readonly Request[]): Request[] {
  const isFirst = ({ method, url }: Request): boolean =>
    !isOfWorld(url) && !(method === 'POST' && isOpening(url))
  const first = kept.find(isFirst)?.cursor ?? 0
  return kept.filter(({ url, cursor }) => cursor >= first || !url.startsWith('/_sim/clock'))
}

/** Effects that change an account, or the exchange that it uses, although nothing is executed. */
const changing = ['plan.stale', 'quote.drain', 'quote.slippage']

/** Those of a run that the wanted requests depend on, and the changes of the world that name no other account. */
function neededOf<Request extends SavedRequest>(
  run: readonly Request[],
  wanted: ReadonlySet<Request>,
): Request[] {
  const owners = ownersIn(run)
  const accountsIn = (text: string): string[] => [
    ...idsIn(text, 'acc'),
    ...(text.match(/0x[0-9a-f]{40}\b/gi) ?? []).flatMap(
      (address) => owners.get(address.toLowerCase()) ?? [],
    ),
  ]
  const plans = new Map(run.flatMap((each) => made(each, 'pln').map((id) => [id, each] as const)))
  const needed = new Set<string>()
  const isNeeded = (each: Request): boolean => {
    const { url, notes, request_id } = each
    if (needed.has(request_id) || made(each).some((id) => needed.has(id))) return true
    const touched = (): string[] => {
      const planned = idsIn(sentIn(each), 'pln').flatMap((id) => plans.get(id) ?? [])
      return accountsIn([each, ...planned].map(sentIn).join(' '))
    }
    // An execution, or such a fault, has changed what its account, or the one that it paid, has left.
    const moves =
      isFunding(url) ||
      notes.some(({ type, effect }) => type === 'activity' || changing.includes(String(effect)))
    return moves && touched().some((id) => needed.has(id))
  }
  const kept = new Set<Request>()
  for (const each of run.toReversed()) {
    if (isOfWorld(each.url) || !(wanted.has(each) || isNeeded(each))) continue
    kept.add(each)
    const sent = sentIn(each)
    for (const id of [...accountsIn(sent), ...idsIn(sent, 'pln|act')]) needed.add(id)
    for (const { type, by_request, by_plan, activity_id } of each.notes)
      if (type === 'stale')
        for (const id of [by_request, by_plan, activity_id]) needed.add(String(id))
  }
  const concerns = (each: Request): boolean => {
    const named = accountsIn(sentIn(each))
    return isOfWorld(each.url) && (named.length === 0 || named.some((id) => needed.has(id)))
  }
  return run.filter((each) => kept.has(each) || concerns(each))
}

const sentIn = ({ url, body }: SavedRequest): string => `${url} ${JSON.stringify(body ?? '')}`

/** Account ids by the addresses of their wallets and signers, in lower case. */
function ownersIn(run: readonly SavedRequest[]): Map<string, string> {
  return new Map(
    run.flatMap((each) => {
      const [id] = made(each, 'acc')
      const text = JSON.stringify(each.answer?.body ?? '').toLowerCase()
      return id === undefined
        ? []
        : (text.match(/0x[0-9a-f]{40}\b/g) ?? []).map((address) => [address, id] as const)
    }),
  )
}
