import { useMemo } from 'preact/hooks'
import { type Filter, faultsOf, isNarrowing, noFilter } from '../../../../observe/journal/filter.js'
import { exchanges } from '../../api/live.js'

const statuses = [
  ['', 'any'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['cut', 'cut off'],
  ['open', 'no response yet'],
] as const

const apis = [
  ['', 'both'],
  ['service', 'service'],
  ['control', 'control (/_sim)'],
] as const

/** What the journal is narrowed to. */
export function FilterBar({
  filter,
  onChange,
}: {
  filter: Filter
  onChange(filter: Filter): void
}) {
  const all = exchanges.value
  const rules = useMemo(() => {
    const found = new Set<string>()
    for (const exchange of all) for (const id of faultsOf(exchange)) found.add(id)
    return [...found].sort()
  }, [all])
  const faults = [['', 'all requests'], ['any', 'any fault'], ...rules.map((id) => [id, id])]
  const change = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value })
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>Path or method</span>
        <input
          type="search"
          value={filter.path}
          placeholder="plan/execute"
          onInput={({ currentTarget }) => change('path')(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Account</span>
        <input
          value={filter.account}
          placeholder="acc_…"
          onInput={({ currentTarget }) => change('account')(currentTarget.value.trim())}
        />
      </label>
      <Choice label="Status" of={statuses} value={filter.status} onChange={change('status')} />
      <Choice label="Fault" of={faults} value={filter.fault} onChange={change('fault')} />
      <Choice label="API" of={apis} value={filter.api} onChange={change('api')} />
      <button type="button" disabled={!isNarrowing(filter)} onClick={() => onChange(noFilter)}>
        Clear
      </button>
    </form>
  )
}

function Choice({
  label,
  of,
  value,
  onChange,
}: {
  label: string
  of: readonly (readonly string[])[]
  value: string
  onChange(value: string): void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {of.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
