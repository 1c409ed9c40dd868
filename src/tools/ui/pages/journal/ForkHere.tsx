import { useEffect, useMemo, useState } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { exchanges, loadWholeJournal, overview } from '../../api/live.js'
import { answered, Refused } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import { loadWorlds } from '../../api/worlds.js'
import { href } from '../../shell/route.js'
import '../../styles/forms.css'
import '../../styles/fork.css'
import { type Change, ChangeForm } from './ChangeForm.js'
import { ForkResult } from './ForkResult.js'

type Fork = components['schemas']['JournalFork']

/** Goes back to before an exchange, in a world of its own, changes something there, and runs on. */
export function ForkHere({ cursor }: { cursor: number }) {
  const [isRunning, setRunning] = useState(false)
  const [fork, setFork] = useState<Fork>()
  const [refusal, setRefusal] = useState<Refused>()
  useEffect(() => loadWholeJournal(), [])
  const all = exchanges.value
  const exchange = useMemo(() => all.find((each) => each.cursor === cursor), [all, cursor])
  const forked = (overview.value?.networks ?? []).flatMap(({ network, forked_from }) =>
    forked_from === null ? [] : [network],
  )
  const run = async (change: readonly Change[]): Promise<void> => {
    setRunning(true)
    setFork(undefined)
    setRefusal(undefined)
    try {
      const body = { before: cursor, change: [...change] }
      setFork(await answered(controlApi.POST('/_sim/journal/fork', { body })))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setRefusal(error)
    } finally {
      setRunning(false)
      void loadWorlds()
    }
  }
  return (
    <div class="fork">
      <section class="panel" aria-labelledby="fork-title">
        <header>
          <h2 id="fork-title">
            Fork before {exchange ? `${exchange.method} ${exchange.url}` : `request ${cursor}`}
          </h2>
          <a class="button" href={href(['journal', `${cursor}`])}>
            Back to the journal
          </a>
        </header>
        <p class="small">
          The simulator replays all earlier requests in a separate world, applies your change, and
          replays the rest. This world does not change.
        </p>
        {isReadOnly.value ? (
          <p class="empty">A trace cannot be replayed: no simulator is running.</p>
        ) : forked.length > 0 ? (
          <p class="empty">
            Cannot fork here: {forked.join(', ')} {forked.length > 1 ? 'are' : 'is'} forked from a
            live chain, but the separate world would start offline, with other contracts and
            balances. Start svc-sim without <code>--fork</code>.
          </p>
        ) : (
          <ChangeForm isRunning={isRunning} onRun={run} />
        )}
        {refusal && (
          <p class="callout bad" role="alert">
            {refusal.message}. {refusal.hint}
          </p>
        )}
      </section>
      {isRunning && <p aria-busy="true">Replaying in a separate world…</p>}
      {fork && <ForkResult fork={fork} />}
    </div>
  )
}
