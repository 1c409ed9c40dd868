import { useEffect, useState } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { coalesced } from '../../api/coalesced.js'
import { onMessage } from '../../api/live.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import '../../styles/coverage.css'
import { type CoverageColumn, type CoverageRow, matrixOf } from './matrix.js'

/** Which documented answers have been met: by a test suite that ran against this simulator, for example. */
export default function Coverage() {
  const [coverage, setCoverage] = useState<components['schemas']['Coverage']>()
  const [isMissingOnly, setMissingOnly] = useState(false)
  useEffect(() => {
    const load = coalesced(async () => {
      setCoverage(await answered(controlApi.GET('/_sim/coverage')))
    })
    load()
    return onMessage(({ type, data }) => {
      const isAnswer = type === 'exchange' && !data.url.startsWith('/_sim')
      if (isAnswer || type === 'dropped') load()
    })
  }, [])
  if (!coverage) return <p aria-busy="true">Loading…</p>
  const { met, documented, cells } = coverage
  const { columns, rows } = matrixOf(cells)
  const shown = isMissingOnly ? rows.filter((row) => row.met < row.cells.size) : rows
  return (
    <section class="panel" aria-labelledby="coverage-title">
      <header>
        <h2 id="coverage-title">
          {met} of {documented} documented responses met
        </h2>
        <label class="check">
          <input
            type="checkbox"
            checked={isMissingOnly}
            onChange={({ currentTarget }) => setMissingOnly(currentTarget.checked)}
          />{' '}
          Only endpoints with unmet responses
        </label>
      </header>
      <progress max={documented} value={met} aria-label="Responses met" />
      <p class="small legend">
        <span class="cell met">7</span> met 7 times <span class="cell">·</span> documented, not met
        since the start. Blank: not documented for this endpoint. A reset keeps these counts.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section class="matrix-scroller" tabIndex={0} aria-label="Matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th>Endpoint</th>
              {columns.map(({ name, status, code }) => (
                <th key={name} scope="col">
                  <span class="column">
                    {status} {code}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.method} ${row.path}`} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function Row({ row, columns }: { row: CoverageRow; columns: readonly CoverageColumn[] }) {
  const { method, path, isExtension, met, cells } = row
  return (
    <tr>
      <th scope="row" title={`${method} ${path}`}>
        <span class="small">{method}</span>{' '}
        <span>{path.replace('/accounts/{account_id}/', '…/')}</span>{' '}
        <span class="small">
          {met}/{cells.size}
          {isExtension ? ' ext' : ''}
        </span>
      </th>
      {columns.map(({ name, status, code }) => {
        const cell = cells.get(name)
        if (!cell) return <td key={name} />
        const about = `${method} ${path}: ${cell.status} ${cell.code ?? ''}`
        return (
          <td
            key={name}
            title={`${about}${cell.hits > 0 ? `, met ${cell.hits} times` : ', not met'}`}
          >
            <span class={cell.hits > 0 ? 'cell met' : 'cell'}>
              {cell.hits > 0 ? cell.hits : '·'}
              <span class="unseen">
                {' '}
                {status} {code}
              </span>
            </span>
          </td>
        )
      })}
    </tr>
  )
}
