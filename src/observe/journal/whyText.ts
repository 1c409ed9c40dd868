import type { Why } from './whySchema.js'

/** A timeline for people: a line for each thing that happened, with its details below. */
export function textOfWhy(why: Why): string {
  const { id, related, timeline, now, is_complete } = why
  const next = nextOf(why)
  const belongs = Object.entries(related).filter(([, value]) => value !== null && value !== id)
  const head = [id, ...belongs.map(([name, value]) => `${name} ${value}`)].join(', ')
  const lines = [
    head,
    ...(is_complete ? [] : ['(the journal no longer has older requests)']),
    '',
    ...timeline.flatMap(({ at, type, title, details }) => [
      `${at}  ${mark(type)} ${title}`,
      ...Object.entries(details)
        // What the title or the first line says is not said again.
        .filter(([, value]) => typeof value !== 'string' || !`${title} ${head}`.includes(value))
        .flatMap(([name, value]) => detail(name, value)),
    ]),
    ...(timeline.length === 0 ? [] : ['']),
    `now: ${now}`,
    ...(next === undefined ? [] : [`next: ${next}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** What each verdict calls for; the first that fits counts. */
const steps: readonly [verdict: RegExp, step: string][] = [
  [/^fault rule .* is armed/, 'remove the rule when you no longer need it: DELETE /_sim/faults/ID'],
  [/pending: /, 'let time pass (a frozen clock: POST /_sim/clock/advance), then ask again'],
  [/^not executed/, 'sign the digest of the plan, and POST it to plan/execute'],
  [
    /did not get the response|was cut/,
    'look for the plan_id in the activities before you try again',
  ],
  [
    /failed: |stale|plan_not_found|expired/,
    'make a new plan; this one cannot be executed any more',
  ],
  [/returned [45]/, 'change what the message names, and send the request again'],
  [/^no plan of this account/, 'make a plan, sign its digest and execute it'],
]

/** What a person can do about it; undefined where all is well. A rule that would meet the next try too goes first. */
function nextOf({ id, timeline, now }: Why): string | undefined {
  const found = steps.find(([verdict]) => verdict.test(now))
  if (!found) return undefined
  const hint = timeline.findLast(({ type }) => type === 'answer')?.details.hint
  const step = found[0].test('returned 4') && hint ? String(hint) : found[1].replace(/ID$/, id)
  const [, rule] = /(?:because|, and) (\S+) \(\w+\.\w/.exec(now) ?? []
  return rule === undefined
    ? step
    : `remove the rule unless it has ended (DELETE /_sim/faults/${rule}), then ${step}`
}

/** Requests come from outside, answers go out, a line ends a life, all else happens inside. */
function mark(type: string): string {
  if (type === 'restore' || type === 'reset') return '=='
  return type === 'request' ? '->' : type === 'answer' ? '<-' : '  '
}

function detail(name: string, value: unknown): string[] {
  const indent = ' '.repeat(30)
  if (Array.isArray(value)) return value.map((item) => `${indent}${name}: ${oneLine(item)}`)
  return [`${indent}${name}: ${oneLine(value)}`]
}

function oneLine(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'function' in value) {
    const { network, script, function: called, args } = value as Record<string, unknown>
    return `${network} ${script}.${called}(${short(args)})`
  }
  if (typeof value === 'object' && value !== null && 'event' in value) {
    const { contract, event, args } = value as Record<string, unknown>
    return `${contract}: ${event} ${short(args)}`
  }
  return typeof value === 'string' ? value : short(value)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 400 ? `${text.slice(0, 400)}...` : text
}
