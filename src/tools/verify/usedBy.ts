import { z } from 'zod'
import { cellName, type Documented } from './documented.js'
import { isJudgementOnly, type LedgerRow } from './fidelityRows.js'
import type { ObservedCall, Probe } from './probe.js'

/** What `GET /_sim/journal` answers, as far as it is looked at. */
const journalSchema = z.object({
  exchanges: z.array(
    z.object({
      method: z.string(),
      url: z.string(),
      body: z.unknown().optional(),
      answer: z.object({ status: z.number(), body: z.unknown().optional() }).nullable(),
    }),
  ),
  dropped: z.number().default(0),
})

export type JournalText = z.infer<typeof journalSchema>

/** Calls of one kind, and the choices of ours that their answers rest on. */
export interface UsedJudgement {
  /** `POST /accounts/{account_id}/plan/execute 409 plan_stale`. */
  call: string
  count: number
  rows: readonly string[]
}

/** Reads a journal; throws with what is wrong with the text. */
export function readJournal(text: string): JournalText {
  return journalSchema.parse(JSON.parse(text))
}

/** The service calls of a journal that rest on rows for which there is nothing but our judgement; the most frequent first. */
export function usedJudgements(
  { exchanges }: JournalText,
  parts: { documented: Documented; probes: readonly Probe[]; ledger: readonly LedgerRow[] },
): { calls: number; used: UsedJudgement[] } {
  const { documented, probes, ledger } = parts
  const own = new Set(ledger.filter(isJudgementOnly).map(({ topic }) => topic))
  const used = new Map<string, { count: number; rows: Set<string> }>()
  let calls = 0
  for (const { method, url, body, answer } of exchanges) {
    if (!answer || isSimulators(url)) continue
    calls++
    const { cell, name } = cellOf(documented, method, url, answer)
    const observed: ObservedCall = { method, url, sent: body, status: answer.status }
    const rows = probes.flatMap(({ from, cells, concerns }) => {
      const row = 'judgement' in from && own.has(from.judgement) ? from.judgement : undefined
      return row !== undefined && cells.includes(cell) && (concerns?.(observed) ?? true)
        ? [row]
        : []
    })
    if (rows.length === 0) continue
    const known = used.get(name) ?? { count: 0, rows: new Set<string>() }
    for (const row of rows) known.rows.add(row)
    used.set(name, { ...known, count: known.count + 1 })
  }
  const all = [...used].map(([call, { count, rows }]) => ({ call, count, rows: [...rows] }))
  return { calls, used: all.sort((a, b) => b.count - a.count) }
}

function isSimulators(url: string): boolean {
  return /^\/(_sim|rpc|health|docs|metrics|openapi|worlds)\b/.test(url)
}

function cellOf(
  documented: Documented,
  method: string,
  url: string,
  { status, body }: NonNullable<JournalText['exchanges'][number]['answer']>,
): { cell: string; name: string } {
  const error = (body as { error?: unknown } | null | undefined)?.error
  const code = status >= 400 && typeof error === 'string' ? error : null
  const template = documented.templateOf(method, url)
  const name = [method, template ?? url.split('?')[0], status, ...(code ? [code] : [])].join(' ')
  const cell = documented.cellOf(method, url, status, code)
  if (cell) return { cell: cellName(cell), name }
  if (status === 404) return { cell: '404:not_found@(no route)', name }
  return { cell: status === 405 ? '405:method_not_allowed@(other method)' : '', name }
}
