import { createHash } from 'node:crypto'
import type { Node } from '../../chain/rpc/node.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { manyAborted } from '../../lib/abort.js'
import { matchesGlob } from '../../lib/glob.js'
import { keepNewest } from '../../lib/keepNewest.js'
import { currentScope, type Note, note } from '../../service/context/requestContext.js'
import { realWait } from '../../time/clock.js'
import type {
  CallEffect,
  ChangeOf,
  FaultFacts,
  FaultTools,
  PersistentEffect,
  RuleHandle,
  RuleMatch,
  RuleStep,
  SeamName,
  Seams,
} from './effect.js'
import { isSpent, type RuleView, usedSteps } from './faultRules.js'
import type { FaultRule } from './rules.js'
import { endAfter, expectNotStopped } from './stoppedNodes.js'

/** A change of a chain that will be reverted. */
interface Change extends ChangeOf {
  /** How, once it is made. */
  undo: Promise<() => Promise<void>>
}

/** What a rule has changed, by its name. */
export type Changes = Map<string, Change>

/** Does the work unless the rule has done it already. */
export async function makeChange(
  changes: Changes,
  of: ChangeOf,
  work: () => Change['undo'],
): Promise<void> {
  const { name } = of
  const change = changes.get(name) ?? { ...of, undo: work() }
  changes.set(name, change)
  try {
    await change.undo
  } catch (error) {
    if (changes.get(name) === change) changes.delete(name)
    throw error
  }
}

/** Undoes what a rule has changed, the last first. Changes that it shares with rules that stay go over to these. */
export async function takeBack(changes: Changes, staying: readonly Changes[]): Promise<void> {
  const all = [...changes.values()]
  changes.clear()
  for (const change of all.reverse()) {
    const { name, isJoint, onLeft } = change
    const heir = isJoint && staying.find((other) => other.has(name))
    if (heir) heir.set(name, joined(change, heir.get(name)!))
    else await (await change.undo)()
    onLeft?.()
  }
}

/** Two changes as one, which is that of the second rule. A change that failed has nothing to undo; its caller has received the error. */
function joined(first: Change, second: Change): Change {
  const nothing = () => async () => {}
  const both = async () => {
    const undos = [await second.undo.catch(nothing), await first.undo.catch(nothing)]
    return async () => {
      for (const undo of undos) await undo()
    }
  }
  return { ...second, undo: both() }
}

/** By the machine's time and the clock's, in milliseconds. */
interface Moment {
  machineMs: number
  clockMs: number
}

/** What rules work with. */
export interface RuleWorld {
  tools: FaultTools
  /** Called when rules have fired. */
  onFired(): void
}

/** A rule in force. Its counters, changes and memory are its state; the rest is what the user asked for. */
export interface ActiveRule extends FaultRule, Pick<RuleView, 'earlier_hits'> {
  id: string
  seen: number
  hits: number
  /** Places of the steps that calls under way have taken, whose effects may still come about. */
  undecided: readonly number[]
  /** Of a sequence: the place of the first step that no call has met, and of those before it that did not come about. */
  next: number
  returned: readonly number[]
  /** The same for all that a restore makes of one rule, and for no other of its id. */
  origin: object
  removal: AbortController
  world: RuleWorld
  /** Of a rule of a request, which cannot be removed alone: aborted when all rules are removed. */
  cleared?: AbortSignal
  /** What it has changed, by its name. */
  changes: Changes
  /** What its effects remember, by name (`RuleHandle.remembered`). */
  memory: Map<string, unknown>
  /** What it did at calls that may come again (`key`): then it does the same, and does not count them twice. */
  done: Map<string, RuleStep | undefined>
  /** When the time began for which its effect fires (`firesForMs`). */
  begun?: Moment
  /** When it ends by itself, in milliseconds of the machine's clock. */
  endsMs?: number
  /** It has ended by itself. */
  over?: true
  /** Ends a persistent effect, and the nodes that must respond for that. */
  persistent?: { end(): Promise<void>; nodes: readonly Node[] }
}

/** A rule that has done nothing yet. */
export function activeRuleOf(rule: FaultRule, id: string, world: RuleWorld): ActiveRule {
  return {
    ...rule,
    id,
    world,
    seen: 0,
    hits: 0,
    undecided: [],
    next: 0,
    returned: [],
    origin: {},
    removal: manyAborted(),
    changes: new Map(),
    memory: new Map(),
    done: new Map(),
  }
}

/** The same rule at the same count, holding nothing. Its time begins again with it. */
export function withoutEffects({
  persistent: _,
  endsMs: __,
  over: ___,
  begun: ____,
  ...rule
}: ActiveRule): ActiveRule {
  return {
    ...rule,
    undecided: [],
    returned: rule.isSequence ? [...rule.returned, ...rule.undecided] : [],
    removal: manyAborted(),
    changes: new Map(rule.changes),
    memory: new Map(),
    done: new Map(rule.done),
  }
}

/** Calls with a key are remembered up to this many per rule. */
const rememberedCalls = 1_000

/** What rules fire with. */
export interface Firing {
  seed: bigint
  /** Called each time that a rule fires, and when a persistent one begins. */
  onFired(rule: ActiveRule, step: RuleStep): void
}

/** A rule and a call that it matches. Until it is known whether the effect comes about, it holds one of the rule's `times`, or a step of its sequence. */
export interface Meeting {
  rule: ActiveRule
  step: RuleStep
  /** The effect comes about: counts the hit, and tells the journal, the response and the tally. Once. */
  fired(): void
  /** The call is over. Without a hit, the rule is as if it had not met it, except that the call was seen. */
  ended(): void
}

/** Counts the call as seen, unless it has come before. Undefined if the rule lets it pass. */
export function meet(
  rule: ActiveRule,
  seam: SeamName,
  facts: FaultFacts,
  call: Seams[SeamName]['call'],
  { seed, onFired }: Firing,
): Meeting | undefined {
  const key = 'key' in call ? call.key : undefined
  if (key !== undefined && rule.done.has(key)) {
    const step = rule.done.get(key)
    return step && { rule, step, fired() {}, ended() {} }
  }
  const found = fire(rule, seam, facts, call, seed)
  const meeting = found && meetingOf(rule, found, call, onFired)
  // When it comes again, nothing is counted any more.
  if (key !== undefined) rule.done.set(key, found?.step)
  keepNewest(rule.done, rememberedCalls)
  // All rules that meet an event or a deposit count it, also those behind one that drops it.
  if (seam === 'events' || key !== undefined) meeting?.fired()
  return meeting
}

function meetingOf(
  rule: ActiveRule,
  { step, place }: { step: RuleStep; place: number },
  call: Seams[SeamName]['call'],
  onFired: Firing['onFired'],
): Meeting {
  let isOpen = true
  rule.undecided = [...rule.undecided, place]
  const isFirst = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    rule.undecided = rule.undecided.toSpliced(rule.undecided.indexOf(place), 1)
    return true
  }
  const ended = (): void => {
    if (isFirst() && rule.isSequence) rule.returned = [...rule.returned, place]
  }
  const fired = (): void => {
    if (!isFirst()) return
    rule.hits++
    if (timeOf(step) !== undefined) rule.begun ??= momentOf(rule)
    note(firedNote(rule, step, call))
    currentScope()?.faulted?.(rule.id)
    onFired(rule, step)
  }
  return { rule, step, fired, ended }
}

function fire(
  rule: ActiveRule,
  seam: SeamName,
  facts: FaultFacts,
  call: Seams[SeamName]['call'],
  seed: bigint,
): Parameters<typeof meetingOf>[1] | undefined {
  if (rule.seam !== seam || !matches(rule.match, facts)) return undefined
  const index = rule.seen - rule.after
  const place = rule.isSequence ? Math.min(rule.next, ...rule.returned) : 0
  const step = rule.steps[place]
  if (step !== undefined && step !== 'ok') {
    const { applies } = step.effect as CallEffect
    if (applies && !applies(step.settings, call)) return undefined
  }
  rule.seen++
  if (index < 0 || step === undefined) return undefined
  if (rule.isSequence && place === rule.next) rule.next++
  rule.returned = rule.returned.filter((each) => each !== place)
  if (step === 'ok') return undefined
  if (rule.times !== undefined && rule.hits + rule.undecided.length >= rule.times) return undefined
  if (rule.probability !== undefined && draw(`${seed}:${rule.id}:${index}`) >= rule.probability)
    return undefined
  if (rule.over || isTimeOver(rule, step)) return undefined
  return { step, place }
}

function timeOf({ effect, settings }: RuleStep): number | undefined {
  return (effect as CallEffect).firesForMs?.(settings)
}

function momentOf({ world }: ActiveRule): Moment {
  return { machineMs: performance.now(), clockMs: world.tools.clock.now() }
}

function isTimeOver(rule: ActiveRule, step: RuleStep): boolean {
  const ms = timeOf(step)
  if (ms === undefined || !rule.begun) return false
  const now = momentOf(rule)
  const { machineMs, clockMs } = rule.begun
  return Math.max(now.machineMs - machineMs, now.clockMs - clockMs) >= ms
}

/** Calls `onOver` when none of the rule's effects can fire any more, since their time is over. Does nothing before the first of them has fired. */
export function beginTime(rule: ActiveRule, onOver: () => void): void {
  const steps = rule.steps.filter((step) => step !== 'ok')
  const times = steps.map((step) => timeOf(step) ?? Infinity)
  const ms = Math.max(...times)
  if (!rule.begun || rule.endsMs !== undefined || ms === Infinity) return
  rule.endsMs = Date.now() + ms
  const { signal } = rule.removal
  const isOver = () => steps.every((step) => isTimeOver(rule, step))
  const unsubscribe = rule.world.tools.clock.onChange(() => {
    if (isOver()) end()
  })
  const end = (): void => {
    unsubscribe()
    if (rule.over || signal.aborted) return
    rule.endsMs = Math.min(rule.endsMs ?? Infinity, Date.now())
    onOver()
  }
  signal.addEventListener('abort', unsubscribe, { once: true })
  void realWait(ms, signal).then((hasPassed) => hasPassed && end())
}

export function firedNote(
  { id, on, match, cleared }: ActiveRule,
  step: RuleStep,
  call: Seams[SeamName]['call'],
): Note {
  const { effect, settings } = step
  const { event } = 'event' in call ? call : {}
  return {
    type: 'fault',
    rule: id,
    effect: `${on}.${effect.name}`,
    ...(cleared && { carried: true }),
    ...(Object.keys(settings as object).length > 0 && { settings: settings as object }),
    ...(match.network && { only: match.network }),
    ...(event && { event: event.cursor, account_id: event.accountId }),
  }
}

/** A number from 0 up to 1 that follows from the text alone: the state of the draws is the rule's counter. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48
}

/** Rules of requests that hold or have changed something, with how much of it is still under way. */
export type HoldingRules = Map<ActiveRule, number>

/** Keeps a request's rule where what it changes is found, as long as its effect is under way. */
export async function whileHeld<T>(
  holding: HoldingRules,
  rule: ActiveRule,
  run: () => Promise<T>,
): Promise<T> {
  holding.set(rule, (holding.get(rule) ?? 0) + 1)
  try {
    return await run()
  } finally {
    const held = holding.get(rule)
    // Unless all were removed meanwhile.
    if (held !== undefined) holding.set(rule, held - 1)
    if (held === 1 && rule.changes.size === 0) holding.delete(rule)
  }
}

/** The rule as its effect sees it; `present` is the one that has its id now: after a restore it is another, and its end counts. */
export function handleOf(
  rule: ActiveRule,
  present: (id: string) => ActiveRule | undefined,
): RuleHandle {
  const current = (): ActiveRule => {
    const now = present(rule.id)
    return now?.origin === rule.origin ? now : rule
  }
  return {
    id: rule.id,
    match: rule.match,
    isCarried: rule.cleared !== undefined,
    get isSpent() {
      const { steps, isSequence, ...counts } = current()
      const sequence = isSequence && { sequence: steps, used: usedSteps(counts) }
      return isSpent({ ...counts, ...sequence })
    },
    remembered<T>(name: string, first: () => T): T {
      const { memory } = current()
      if (!memory.has(name)) memory.set(name, first())
      return memory.get(name) as T
    },
    get signal() {
      const { removal, cleared } = current()
      return cleared ? AbortSignal.any([removal.signal, cleared]) : removal.signal
    },
    change: (of, work) => makeChange(rule.changes, of, work),
  }
}

/** Makes a persistent rule take effect; does nothing for other rules. Calls `onOver` when its time is over. */
export async function beginPersistent(
  rule: ActiveRule,
  tools: FaultTools,
  { onFired, onOver }: { onFired: Firing['onFired']; onOver: () => void },
): Promise<void> {
  const [step] = rule.steps
  if (step === 'ok' || step?.effect.on !== 'chain.stand') return
  const effect = step.effect as PersistentEffect
  const { network } = rule.match
  const networks = networkNames.filter((name: NetworkName) => !network || name === network)
  const nodes = effect.asksNodes ? networks.map((name) => tools.nodes.get(name)) : []
  expectNotStopped(nodes, 'the rule was not added')
  const { ms } = step.settings as { ms?: number }
  const end = await effect.begin(networks, tools)
  if (ms !== undefined) rule.endsMs = Date.now() + ms
  rule.persistent = { end: endAfter(ms, end, onOver), nodes }
  rule.seen = 1
  rule.hits = 1
  onFired(rule, step)
}

/** Every word of the match must be among the facts; `*` in it stands for anything. */
function matches(match: RuleMatch, facts: FaultFacts): boolean {
  return Object.entries(match).every(([key, wanted]) => {
    const fact = facts[key as keyof FaultFacts]
    const words = fact === undefined ? [] : typeof fact === 'string' ? [fact] : fact
    return words.some((word) => matchesGlob(wanted, word))
  })
}
