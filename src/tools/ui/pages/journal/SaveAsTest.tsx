import { useEffect, useRef, useState } from 'preact/hooks'
import { type Filter, isNarrowing, queryOf } from '../../../../observe/journal/filter.js'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { ExchangeView, SavedJournal } from '../../api/types.js'
import { Copy } from '../../parts/controls.js'
import { JsonView } from '../../parts/JsonView.js'
import { FoldedList } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { attempt } from '../../shell/notices.js'
import { here } from '../../shell/route.js'

const kinds = {
  yaml: ['Scenario', 'yaml', 'npx svc-sim scenario run'],
  vitest: ['Vitest', 'test.ts', 'npx vitest run'],
} as const

export function SaveAsTest({ of, filter }: { of: readonly ExchangeView[]; filter?: Filter }) {
  const newest = of[0]!.cursor
  const dialog = useRef<HTMLDialogElement>(null)
  const [saved, setSaved] = useState<SavedJournal>()
  const [kind, setKind] = useState<keyof typeof kinds>('yaml')
  const { account: account_id = '', ...others } = filter ? queryOf(filter) : {}
  const query = filter ? { ...others, ...(account_id && { account_id }) } : { until: newest }
  const [label, title] = textsOf(of.length, filter)
  const undone = reasonOfReset(newest)
  const open = (): Promise<boolean> =>
    attempt('The test is ready to download', async () => {
      setSaved(await answered(controlApi.GET('/_sim/journal/scenario', { params: { query } })))
      dialog.current?.showModal()
    })
  useEffect(() => dialog.current?.close(), [here.value])
  const [name, extension, command] = kinds[kind]
  const file = `${saved?.file}.${extension}`
  return (
    <>
      <button type="button" title={undone ?? title} disabled={!!undone} onClick={() => void open()}>
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
            <JsonView value={saved[kind]} label={name} />
            <p class="small">
              It repeats {saved.repeats}, and expects what the client learnt. Assertions of your own
              tests are not in it. Run it with <code>{`${command} ${file}`}</code>
            </p>
            <FoldedList one="request" what="left out" of={saved.left_out} />
            <FoldedList one="state" what="not expected" of={saved.not_expected} />
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

/** Why a request can be neither saved nor forked: a reset came after it. */
export const reasonOfReset = (cursor: number): string | undefined =>
  cursor > (overview.value?.last_reset?.cursor ?? 0)
    ? undefined
    : `It came before the reset at ${shownClock(overview.value!.last_reset!.at)}: it can be neither saved nor forked.`

function textsOf(count: number, filter?: Filter): [label: string, title: string] {
  if (!filter) return ['Save as test up to here', 'Saves the run up to this request.']
  if (!isNarrowing(filter))
    return ['Save all as test', 'Saves all requests since the last reset, if they are of one run.']
  return count === 1
    ? ['Save this request as test', 'Saves this request and what led to the outcome.']
    : ['Save these as test', 'Saves those that a test can repeat, and what led to the outcome.']
}
