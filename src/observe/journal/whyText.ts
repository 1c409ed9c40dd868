import type { Why } from './whySchema.js'

/** A timeline for people: a line for each thing that happened, with its details below. */
export function textOfWhy(why: Why): string {
  const { id, related, timeline, is_complete } = why
  const belongs = Object.entries(related).filter(([, value]) => value !== null && value !== id)
  const head = [id, ...belongs.map(([name, value]) => `${name} ${value}`)].join(', ')
  const lines = [
    head,
    ...(is_complete
      ? []
      : [
          '(older requests are missing: the journal begins with the process, and drops the oldest when it is full)',
        ]),
    '',
    ...timeline.flatMap(({ at, type, title, details }) => [
      `${at}  ${mark(type)} ${title}`,
      ...Object.entries(details)
        // Do not repeat the title or the first line.
        .filter(([name]) => type !== 'answer' || (name !== 'status' && name !== 'cut'))
        .filter(([, value]) => typeof value !== 'string' || !`${title} ${head}`.includes(value))
        .flatMap(([name, value]) => detail(name, value)),
    ]),
    ...(timeline.length === 0 ? [] : ['']),
  ]
  return `${lines.join('\n')}\n${outcomeOf(why)}`
}

/** The subject, its outcome, and what to do next. */
export function briefOfWhy(why: Why): string {
  return `${why.id}\n${outcomeOf(why)}`
}

function outcomeOf({ now, verdict: { next } }: Why): string {
  return `now: ${now}\n${next === null ? '' : `next: ${next}\n`}`
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
