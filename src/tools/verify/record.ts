import { z } from 'zod'
import type { Documented } from './documented.js'
import type { ProbeResult } from './probe.js'
import { type AxisScore, type RunReport, ratioOf } from './report.js'
import { axes } from './types.js'

const outcome = z.enum(['conforms', 'differs', 'not exercised'])

/** A run in a file, for comparison with a later run: without ids, times, addresses and amounts. */
const recordSchema = z.object({
  format: z.literal('svc-sim verify 1'),
  url: z.string(),
  scores: z.array(z.object({ axis: z.enum(axes), held: z.number(), of: z.number() })),
  probes: z.record(
    z.string(),
    z.object({
      outcome,
      difference: z.string().optional(),
      // Responses by endpoint and status: each path of the body with its value.
      answers: z.record(z.string(), z.array(z.string())),
    }),
  ),
})

export type RunRecord = z.infer<typeof recordSchema>

export function recordOf(report: RunReport, documented: Documented): RunRecord {
  return {
    format: 'svc-sim verify 1',
    url: report.url,
    scores: report.scores.map(({ axis, held, of }) => ({ axis, held, of })),
    probes: Object.fromEntries(
      report.results.map((result) => [keyOf(result), probeRecord(result, documented)]),
    ),
  }
}

export function readRecord(text: string): RunRecord {
  return recordSchema.parse(JSON.parse(text))
}

/** How a run differs from an earlier one, a line each. Only probes that ran in both are compared. */
export function driftOf(before: RunRecord, now: RunRecord): string[] {
  return Object.entries(now.probes).flatMap(([key, after]) => {
    const earlier = before.probes[key]
    if (!earlier) return []
    if ([earlier.outcome, after.outcome].includes('not exercised')) return []
    if (earlier.outcome !== after.outcome)
      return [`${key}: ${earlier.outcome} then, ${after.outcome} now${because(after, earlier)}`]
    if (earlier.difference !== after.difference)
      return [`${key}: differs otherwise: ${earlier.difference} then, ${after.difference} now`]
    return answerDrift(earlier.answers, after.answers).map((line) => `${key}: ${line}`)
  })
}

/** The axes with a lower score than in the earlier run. */
export function fallenAxes(before: RunRecord, scores: readonly AxisScore[]): string[] {
  return scores.flatMap((score) => {
    const { axis, held, of } = score
    const earlier = before.scores.find((each) => each.axis === axis)
    if (!earlier || ratioOf(score) >= ratioOf(earlier)) return []
    return [`${axis}: ${earlier.held} of ${earlier.of} then, ${held} of ${of} now`]
  })
}

function keyOf({ axis, name }: ProbeResult): string {
  return `${axis}: ${name}`
}

function because(...records: readonly { difference?: string | undefined }[]): string {
  const difference = records.find((each) => each.difference !== undefined)?.difference
  return difference === undefined ? '' : ` (${difference})`
}

function answerDrift(
  before: Readonly<Record<string, readonly string[]>>,
  now: Readonly<Record<string, readonly string[]>>,
): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((answer) => {
    const [then, after] = [before[answer], now[answer]]
    if (!then) return [`${answer} is new`]
    if (!after) return [`${answer} comes no more`]
    return [
      ...after.filter((line) => !then.includes(line)).map((line) => `${answer}: new ${line}`),
      ...then.filter((line) => !after.includes(line)).map((line) => `${answer}: gone ${line}`),
    ]
  })
}

function probeRecord({ outcome, difference, answers }: ProbeResult, documented: Documented) {
  const places = new Map<string, Set<string>>()
  for (const { method, path, answer } of answers) {
    const template = documented.templateOf(method, path) ?? path.split('?')[0]!
    const key = `${method} ${template} ${answer.status}`
    const lines = places.get(key) ?? new Set<string>()
    for (const line of linesOf(answer.body, 'body')) lines.add(line)
    places.set(key, lines)
  }
  const text =
    difference && `${difference.where}: expected ${difference.expected}, seen ${difference.seen}`
  return {
    outcome,
    ...(text === undefined ? {} : { difference: anonymous(text) }),
    answers: Object.fromEntries([...places].map(([key, lines]) => [key, [...lines].sort()])),
  }
}

/** Each place of a body with its value, unless that differs from run to run. */
function linesOf(value: unknown, place: string): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${place}: empty list`]
    return value.flatMap((item) => linesOf(item, `${place}[]`))
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return [`${place}: empty object`]
    return entries.flatMap(([key, item]) => linesOf(item, `${place}.${anonymous(key)}`))
  }
  if (typeof value === 'number') return [`${place}: number`]
  return [`${place}: ${typeof value === 'string' ? anonymous(value) : String(value)}`]
}

/** Ids, hex, times and numbers, in the order in which they are looked for. */
const changing =
  /\b(acc|pln|act|qi|svc)_[0-9a-z]{6,}\b|0x[0-9a-fA-F]{8,}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+(?:\.\d+)?(?:e\d+)?/g

/** Replaces everything that differs from run to run. */
function anonymous(text: string): string {
  return text.replace(changing, (varying, prefix?: string) => {
    if (prefix !== undefined) return `${prefix}_*`
    if (varying.startsWith('0x')) return `hex(${varying.length > 66 ? 'long' : varying.length - 2})`
    return varying.includes('T') ? 'time' : '#'
  })
}
