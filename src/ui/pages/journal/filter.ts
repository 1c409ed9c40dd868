import type { components } from '../../api/controlApi.js'

type Exchange = components['schemas']['Exchange']

/** What a person looks for in the journal; an empty text is everything. */
export interface Filter {
  account: string
  path: string
  /** `2`, `4`, `5` for such a status, `cut` or `open`. */
  status: string
  /** `any`, or the id of a rule. */
  fault: string
  /** `service` or `control`. */
  api: string
}

/** Everything. */
export const noFilter: Filter = { account: '', path: '', status: '', fault: '', api: '' }

/** What a link narrows the journal to. */
export function filterOf(query: URLSearchParams): Filter {
  const names = Object.keys(noFilter) as (keyof Filter)[]
  return Object.assign(
    { ...noFilter },
    ...names.map((name) => ({ [name]: query.get(name) ?? noFilter[name] })),
  )
}

/** The rules that fired in an exchange, by the header of its answer and by what happened on its behalf. */
export function faultsOf({ answer, notes }: Exchange): string[] {
  const named = answer?.headers['x-svc-sim-fault']?.split(/,\s*/) ?? []
  const noted = notes.flatMap(({ type, rule }) =>
    type === 'fault' && typeof rule === 'string' ? [rule] : [],
  )
  return [...new Set([...named, ...noted])]
}

/** All that an exchange says, once: a busy journal is looked through again and again. */
const texts = new WeakMap<Exchange, string>()

function textOf(exchange: Exchange): string {
  const known = texts.get(exchange)
  if (known !== undefined) return known
  const text = JSON.stringify(exchange)
  texts.set(exchange, text)
  return text
}

/** Whether an exchange is among what is looked for. */
export function isFound(exchange: Exchange, filter: Filter): boolean {
  const { method, url, answer } = exchange
  const { account, path, status, fault, api } = filter
  if (api !== '' && (api === 'control') !== url.startsWith('/_sim')) return false
  if (path !== '' && !`${method} ${url}`.toLowerCase().includes(path.toLowerCase())) return false
  if (status !== '' && status !== statusClass(answer)) return false
  if (account !== '' && !textOf(exchange).includes(account)) return false
  if (fault === '') return true
  const fired = faultsOf(exchange)
  return fault === 'any' ? fired.length > 0 : fired.includes(fault)
}

function statusClass(answer: Exchange['answer']): string {
  if (!answer) return 'open'
  return answer.cut ? 'cut' : `${answer.status}`[0]!
}
