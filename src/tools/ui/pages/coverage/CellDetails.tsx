import { useEffect, useRef } from 'preact/hooks'
import { documentOf } from '../../api/documents.js'
import { exchanges, isJournalKnown, loadWholeJournal } from '../../api/live.js'
import type { ApiDocument } from '../../api/schemas.js'
import type { CoverageCell } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Described } from '../../parts/labels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'
import { cellId, metBy } from './matrix.js'

const maxRequests = 5

/** A documented answer: when it comes, how to make it come, and which requests got it. */
export function CellDetails({ cell }: { cell: CoverageCell }) {
  const { data: document } = useLoaded('document', () => documentOf('/openapi.json'))
  useEffect(() => loadWholeJournal(), [])
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  const requests = metBy(cell, exchanges.value, maxRequests)
  const when = document && whenOf(cell, document)
  const { code, hits } = cell
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
      {requests.length > 0 ? (
        <ul class="list">
          {requests.map(({ cursor, at, method, url }) => (
            <li key={cursor}>
              {shownClock(at)}{' '}
              <a href={href(['journal', `${cursor}`])}>
                {method} {url}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        isJournalKnown.value && (
          <p>
            {hits > 0 ? 'The journal no longer has its requests.' : 'No request has received it.'}
          </p>
        )
      )}
    </section>
  )
}

function whenOf(
  { method, path, status, code }: CoverageCell,
  { paths }: ApiDocument,
): string | undefined {
  const said = paths[path]?.[method.toLowerCase()]?.responses?.[status]?.description
  if (code === null) return said
  return said
    ?.split('\n\n')
    .find((line) => line.startsWith(`\`${code}\`: `))
    ?.slice(code.length + 4)
}

/** The fields of a rule that makes the endpoint return it, once. */
function ruleFor({ method, path }: CoverageCell, code: string): Record<string, string> {
  return {
    'settings.error': code,
    'match.path': path.replace(/\{\w+\}/g, '*'),
    'match.method': method,
    'often.times': '1',
  }
}
