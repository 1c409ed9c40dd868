import { useEffect, useRef } from 'preact/hooks'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import type { ApiDocument } from '../../api/schemas.js'
import { answered, controlApi, documentOf, world } from '../../api/session.js'
import type { CoverageCell } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { fileOfTest } from '../../api/worlds.js'
import { CheckField } from '../../parts/controls.js'
import { Breakable, Described } from '../../parts/labels.js'
import { List, Panel, Scroller } from '../../parts/panels.js'
import { counted, shownClock } from '../../parts/text.js'
import { href, useQuery } from '../../shell/route.js'
import { cellId, matrixOf, metBy } from './matrix.js'

export default function Coverage() {
  const [shownRows, setShownRows] = useQuery('show')
  const [chosen, setChosen] = useQuery('cell')
  const isMissingOnly = shownRows === 'missing'
  const isWhole = world.value === undefined
  const { data: coverage } = useLoaded(
    'coverage',
    () => answered(controlApi.GET('/_sim/coverage', { params: { query: { worlds: isWhole } } })),
    ({ type, data }) =>
      ['dropped', 'world'].includes(type) || (type === 'exchange' && !data.url.startsWith('/_sim')),
  )
  if (!coverage) return <p aria-busy="true">Loading…</p>
  const file = fileOfTest()
  const { met, documented, cells } = coverage
  const open = cells.find((cell) => cellId(cell) === chosen)
  const { columns, rows } = matrixOf(cells)
  const shown = isMissingOnly ? rows.filter((row) => row.seen < row.cells.size) : rows
  return (
    <Panel
      title={`${met} of ${documented} documented responses seen`}
      aside={
        <CheckField
          label="Only endpoints with unseen responses"
          isOn={isMissingOnly}
          onChange={(on) => setShownRows(on ? 'missing' : '')}
        />
      }
    >
      <progress max={documented} value={met} aria-label="Responses seen" />
      {file && <p class="callout warn">All tests in {file} up to this one are counted together.</p>}
      <p class="small">
        <span class="cell seen">7</span> seen 7 times <span class="cell">·</span> documented, not
        seen since the start. Blank: not documented for this endpoint. A reset keeps these counts.{' '}
        {isWhole && 'Responses in leased worlds count too, as in svc-sim coverage. '}
        Press a cell to see how to meet it, and which requests did.
      </p>
      {open && <CellDetails key={chosen} cell={open} />}
      <Scroller label="Matrix">
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
              <Row
                key={`${row.method} ${row.path}`}
                row={row}
                columns={columns}
                chosen={chosen}
                onChoose={(id) => setChosen(id === chosen ? '' : id)}
              />
            ))}
          </tbody>
        </table>
      </Scroller>
    </Panel>
  )
}

type Matrix = ReturnType<typeof matrixOf>

function Row({
  row,
  columns,
  chosen,
  onChoose,
}: {
  row: Matrix['rows'][number]
  columns: Matrix['columns']
  chosen: string
  onChoose(cell: string): void
}) {
  const { method, path, isExtension, seen, cells } = row
  return (
    <tr>
      <th scope="row" title={`${method} ${path}`}>
        <span class="small">{method}</span>{' '}
        <Breakable text={path.replace('/accounts/{account_id}/', '…/')} />{' '}
        <span class="small">
          {seen}/{cells.size}
          {isExtension ? ' ext' : ''}
        </span>
      </th>
      {columns.map(({ name }) => {
        const cell = cells.get(name)
        if (!cell) return <td key={name} />
        const id = cellId(cell)
        const title = cell.hits > 0 ? `seen ${counted(cell.hits, 'time')}` : 'not seen'
        return (
          <td key={name}>
            <button
              type="button"
              class={cell.hits > 0 ? 'cell seen' : 'cell'}
              aria-pressed={id === chosen}
              aria-label={`${id}: ${title}`}
              title={`${id}: ${title}`}
              onClick={() => onChoose(id)}
            >
              {cell.hits > 0 ? cell.hits : '·'}
            </button>
          </td>
        )
      })}
    </tr>
  )
}

const maxRequests = 5

function CellDetails({ cell }: { cell: CoverageCell }) {
  const { data: document } = useLoaded('document', () => documentOf('/openapi.json'))
  useEffect(() => loadWholeJournal(), [])
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const requests = metBy(cell, exchanges.value, maxRequests)
  const when = document && whenOf(cell, document)
  const { code, hits } = cell
  const unmet = hits > 0 ? 'Its requests are not in this journal.' : 'No request has received it.'
  return (
    <section ref={box} class="callout cell-details" tabIndex={-1} aria-label={cellId(cell)}>
      <h3>{cellId(cell)}</h3>
      {when && (
        <p>
          {code !== null && 'When '}
          <Described text={when} />
        </p>
      )}
      {code !== null && (
        <p>
          To cause it without that,{' '}
          <a href={href(['faults', 'request', 'respond'], ruleFor(cell, code))}>
            arm a fault that returns it
          </a>
          .
        </p>
      )}
      <List empty={isJournalKnown.value && unmet}>
        {requests.map(({ cursor, at, method, url }) => (
          <li key={cursor}>
            {shownClock(at)}{' '}
            <a href={href(['journal', `${cursor}`])}>
              {method} {url}
            </a>
          </li>
        ))}
      </List>
    </section>
  )
}

function whenOf({ method, path, status, code }: CoverageCell, { paths }: ApiDocument) {
  const said = paths[path]?.[method.toLowerCase()]?.responses?.[status]?.description
  if (code === null) return said
  const lines = said?.split('\n\n').map((line) => line.split(`\`${code}\`: `))
  return lines?.find(([before]) => before === '')?.[1]
}

function ruleFor({ method, path }: CoverageCell, code: string): Record<string, string> {
  return {
    'settings.error': code,
    'match.path': path.replace(/\{\w+\}/g, '*'),
    'match.method': method,
    'often.times': '1',
  }
}
