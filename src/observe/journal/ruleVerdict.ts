import type { RuleView } from '../../faults/rules/faultRules.js'
import { effectText } from '../../faults/rules/view.js'

import { noteOf } from './journal.js'
import type { WhyFacts, WhySources } from './whySchema.js'

/** What a fault rule is, how often it fired, and which requests and activities it met. */
export function ruleVerdict({ id, moments, exchanges }: WhyFacts, { rules }: WhySources): string {
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
