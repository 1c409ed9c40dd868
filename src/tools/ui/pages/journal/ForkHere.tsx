import { useEffect, useMemo, useState } from 'preact/hooks'
import { exchanges, loadWholeJournal, overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { isReadOnly } from '../../api/trace.js'
import type { ForkView } from '../../api/types.js'
import { useAsking } from '../../api/useAsking.js'
import { loadWorlds } from '../../api/worlds.js'
import { Panel } from '../../parts/panels.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { href } from '../../shell/route.js'
import { type Change, ChangeForm } from './ChangeForm.js'
import { ForkResult } from './ForkResult.js'

/** Goes back to before an exchange, in a world of its own, changes something there, and runs on. */
export function ForkHere({ cursor }: { cursor: number }) {
  const { isAsking, refusal, ask } = useAsking()
  const [fork, setFork] = useState<ForkView>()
  useEffect(() => loadWholeJournal(), [])
  const all = exchanges.value
  const exchange = useMemo(() => all.find((each) => each.cursor === cursor), [all, cursor])
  const forked = (overview.value?.networks ?? []).flatMap(({ network, forked_from }) =>
    forked_from === null ? [] : [network],
  )
  const run = (change: readonly Change[]): Promise<void> => {
    setFork(undefined)
    const body = { before: cursor, change: [...change] }
    return ask(async () =>
      setFork(await answered(controlApi.POST('/_sim/journal/fork', { body }))),
    ).finally(loadWorlds)
  }
  return (
    <div class="stack">
      <Panel
        title={`Fork before ${exchange ? `${exchange.method} ${exchange.url}` : `request ${cursor}`}`}
        aside={
          <a class="button" href={href(['journal', `${cursor}`])}>
            Back to the journal
          </a>
        }
      >
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
          <ChangeForm isRunning={isAsking} onRun={run} />
        )}
        {refusal && <RefusalBox refusal={refusal} />}
      </Panel>
      {isAsking && <p aria-busy="true">Replaying in a separate world…</p>}
      {fork && <ForkResult fork={fork} />}
    </div>
  )
}
