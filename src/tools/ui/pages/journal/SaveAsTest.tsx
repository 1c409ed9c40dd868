import { useRef, useState } from 'preact/hooks'
import { type Filter, isNarrowing, queryOf } from '../../../../observe/journal/filter.js'
import { answered, controlApi } from '../../api/session.js'
import type { SavedJournal } from '../../api/types.js'
import { Copy, Download } from '../../parts/controls.js'
import { JsonView } from '../../parts/JsonView.js'
import { RequestsLeftOut } from '../../parts/panels.js'
import { attempt } from '../../shell/notices.js'

const files = {
  yaml: { title: 'Scenario', file: 'saved.yaml', use: 'svc-sim scenario run saved.yaml' },
  vitest: { title: 'Vitest', file: 'saved.test.ts', use: 'npx vitest run saved.test.ts' },
} as const

/** Makes a scenario and a test of what was asked: of what a filter leaves, or up to an exchange. */
export function SaveAsTest({ filter, until }: { filter?: Filter; until?: number }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [saved, setSaved] = useState<SavedJournal>()
  const [kind, setKind] = useState<keyof typeof files>('yaml')
  const { account = '', ...others } = filter ? queryOf(filter) : {}
  const open = async (): Promise<void> => {
    const query = {
      ...others,
      ...(account && { account_id: account }),
      ...(until !== undefined && { until }),
    }
    await attempt('Test written', async () => {
      setSaved(await answered(controlApi.GET('/_sim/journal/scenario', { params: { query } })))
      dialog.current?.showModal()
    })
  }
  const { file, use } = files[kind]
  return (
    <>
      <button type="button" onClick={() => void open()}>
        {until !== undefined
          ? 'Save as test up to here'
          : filter && isNarrowing(filter)
            ? 'Save these as test'
            : 'Save as test'}
      </button>
      <dialog ref={dialog} aria-label="Saved as a test">
        {saved && (
          <>
            <h2>Saved as a test</h2>
            <fieldset class="row" aria-label="Which file">
              {(['yaml', 'vitest'] as const).map((option) => (
                <button
                  key={option}
                  type="button"
                  aria-pressed={option === kind}
                  onClick={() => setKind(option)}
                >
                  {files[option].title}
                </button>
              ))}
            </fieldset>
            <JsonView value={saved[kind]} label={files[kind].title} />
            <p class="small">
              It sends the same requests and expects the same statuses. Run it with{' '}
              <code>{use}</code>
            </p>
            <RequestsLeftOut what="left out" of={saved.left_out} />
            <div class="row">
              <Copy label="Copy" text={() => saved[kind]} />
              <Download label={`Download ${file}`} file={file} text={saved[kind]} />
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
