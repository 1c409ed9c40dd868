import { useMemo } from 'preact/hooks'
import { type Filter, faultsOf, isNarrowing, noFilter } from '../../../../observe/journal/filter.js'
import { exchanges } from '../../api/live.js'
import { Choice, Form, TextField } from '../../parts/controls.js'

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
  const faults = [['', 'all requests'], ['any', 'any fault'], ...rules] as const
  const change = (name: keyof Filter) => (value: string) => onChange({ ...filter, [name]: value })
  return (
    <Form class="filters" aria-label="Filters" onSubmit={() => {}}>
      <TextField
        label="Path or method"
        type="search"
        value={filter.path}
        placeholder="plan/execute"
        onInput={change('path')}
      />
      <TextField
        label="Account"
        value={filter.account}
        placeholder="acc_…"
        onInput={(account) => change('account')(account.trim())}
      />
      <Choice label="Status" of={statuses} value={filter.status} onChange={change('status')} />
      <Choice label="Fault" of={faults} value={filter.fault} onChange={change('fault')} />
      <Choice label="API" of={apis} value={filter.api} onChange={change('api')} />
      <button type="button" disabled={!isNarrowing(filter)} onClick={() => onChange(noFilter)}>
        Clear
      </button>
    </Form>
  )
}
