// Pure, for the dashboard narrows its list by it, and the simulator what it saves as a test.

/** The fields of an exchange that filters read. */
interface Exchange {
  method: string
  url: string
  body?: unknown
  notes: readonly {
    type: string
    rule?: unknown
    activity_id?: unknown
    activity_status?: unknown
  }[]
  answer: { status: number; headers: Record<string, string>; body?: unknown; cut: boolean } | null
}

/** A person's search of the journal; an empty text finds everything. */
export interface Filter {
  account: string
  /** Part of method and URL, or an id or error code of the request or its response. */
  path: string
  /** `409` for this status, `4` for all such, `cut` or `open`; `failed` for a failed activity, `problem` for that, `4`, `5` or `cut`. */
  status: string
  /** `any`, or the id of a rule that hit it, or because of which it was refused. */
  fault: string
  /** `service` or `control`. */
  api: string
}

export const noFilter: Filter = { account: '', path: '', status: '', fault: '', api: '' }

/** Reads a filter from the query of a link. */
export function filterOf(query: URLSearchParams): Filter {
  const names = Object.keys(noFilter) as (keyof Filter)[]
  return Object.assign(
    { ...noFilter },
    ...names.map((name) => ({ [name]: query.get(name) ?? noFilter[name] })),
  )
}

/** The query of a link with this filter. */
export function queryOf(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
}

/** The rules that fired in an exchange, by the header of its answer and by what happened on its behalf. */
export const faultsOf = foundOnce(({ answer, notes }): string[] => {
  const named = answer?.headers['x-svc-sim-fault']?.split(/,\s*/) ?? []
  const noted = notes.flatMap(({ type, rule }) =>
    type === 'fault' && typeof rule === 'string' ? [rule] : [],
  )
  return [...new Set([...named, ...noted])]
})

/** The searchable text of an exchange. */
const textOf = foundOnce((exchange) => JSON.stringify(exchange))

/** A busy journal is searched again and again: the result for each request is cached. */
function foundOnce<Found>(find: (exchange: Exchange) => Found): (exchange: Exchange) => Found {
  const all = new WeakMap<Exchange, Found>()
  return (exchange) => {
    const known = all.get(exchange)
    if (known !== undefined) return known
    const computed = find(exchange)
    all.set(exchange, computed)
    return computed
  }
}

export function isNarrowing(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '')
}

/** Whether an exchange matches the filter. */
export function isFound(exchange: Exchange, filter: Filter): boolean {
  const { method, url } = exchange
  const { account, path, status, fault, api } = filter
  if (api !== '' && (api === 'control') !== url.startsWith('/_sim')) return false
  const isAddressed = `${method} ${url}`.toLowerCase().includes(path.toLowerCase())
  // An id or an error code may be anywhere in the request or its response.
  if (!isAddressed && !(/^[a-z]+_\w+$/i.test(path) && textOf(exchange).includes(path))) return false
  if (status !== '' && !hasStatus(exchange, status)) return false
  if (account !== '' && !textOf(exchange).includes(account)) return false
  if (fault === '') return true
  // What a rule changed may refuse a later request.
  const refusedBy = exchange.notes.flatMap(({ type, rule }) => (type === 'stale' && rule) || [])
  const rules = [...faultsOf(exchange), ...refusedBy]
  return fault === 'any' ? rules.length > 0 : rules.includes(fault)
}

function hasStatus({ answer, notes }: Exchange, wanted: string): boolean {
  const own = !answer ? 'open' : answer.cut ? 'cut' : `${answer.status}`
  const isFailed = activityStatusOf(notes) === 'failed'
  if (wanted === 'failed') return isFailed
  if (wanted === 'problem') return isFailed || /^([45]|cut)/.test(own)
  return own === wanted || own[0] === wanted
}

/** The last status of the activity that a request began, also if a restore has undone it; undefined if it began none. */
export function activityStatusOf(notes: Exchange['notes']): string | undefined {
  const begun = notes.find(({ type }) => type === 'activity')
  if (!begun) return undefined
  const { activity_id: id } = begun
  const last = notes.findLast(({ type, activity_id }) => type === 'event' && activity_id === id)
  return `${last?.activity_status ?? 'pending'}`
}
