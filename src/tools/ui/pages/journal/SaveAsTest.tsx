import { useEffect, useRef, useState } from 'preact/hooks'
import { type Filter, isNarrowing, queryOf } from '../../../../observe/journal/filter.js'
import { answered, controlApi } from '../../api/session.js'
import type { SavedJournal } from '../../api/types.js'
import { Copy } from '../../parts/controls.js'
import { JsonView } from '../../parts/JsonView.js'
import { RequestsLeftOut } from '../../parts/panels.js'
import { attempt } from '../../shell/notices.js'
import { here } from '../../shell/route.js'

const kinds = {
  yaml: ['Scenario', 'yaml', 'npx svc-sim scenario run'],
  vitest: ['Vitest', 'test.ts', 'npx vitest run'],
} as const

export function SaveAsTest(of: { filter: Filter; count: number } | { until: number }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [saved, setSaved] = useState<SavedJournal>()
  const [kind, setKind] = useState<keyof typeof kinds>('yaml')
  const [label, what] = scopeOf(of)
  const { account: account_id = '', ...others } = 'until' in of ? {} : queryOf(of.filter)
  const query = 'until' in of ? of : { ...others, ...(account_id && { account_id }) }
  const open = (): Promise<boolean> =>
    attempt('The test is ready to download', async () => {
      setSaved(await answered(controlApi.GET('/_sim/journal/scenario', { params: { query } })))
      dialog.current?.showModal()
    })
  useEffect(() => dialog.current?.close(), [here.value])
  const [title, extension, command] = kinds[kind]
  const file = `${saved?.file}.${extension}`
  return (
    <>
      <button type="button" title={`Saves ${what}.`} onClick={() => void open()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label="Test">
        {saved && (
          <>
            <h2>Test: {saved.name}</h2>
            <fieldset class="row" aria-label="Which file">
              {(['yaml', 'vitest'] as const).map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === kind}
                  onClick={() => setKind(each)}
                >
                  {kinds[each][0]}
                </button>
              ))}
            </fieldset>
            <JsonView value={saved[kind]} label={title} />
            <p class="small">
              It repeats {what}, and expects the same statuses. Run it with{' '}
              <code>{`${command} ${file}`}</code>
            </p>
            <RequestsLeftOut what="left out" of={saved.left_out} />
            <div class="row">
              <Copy label="Copy" text={() => saved[kind]} />
              <button type="button" onClick={() => download(file, saved[kind])}>
                Download {file}
              </button>
              <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
                Close
              </button>
            </div>
          </>
        )}
      </dialog>
    </>
  )
}

function download(file: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = file
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function scopeOf(of: Parameters<typeof SaveAsTest>[0]): [label: string, what: string] {
  if ('until' in of) return ['Save as test up to here', 'this request and what led to it']
  if (!isNarrowing(of.filter)) return [`Save all ${of.count} as test`, 'all requests of this run']
  const these = of.count === 1 ? 'this request' : `these ${of.count} requests`
  return [`Save ${these} as test`, `${these} and what led to the outcome`]
}
