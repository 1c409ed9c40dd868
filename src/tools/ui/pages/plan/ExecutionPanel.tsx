import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import type { AccountView } from '../../api/accounts.js'
import { coalesced } from '../../api/coalesced.js'
import { onMessage, toldClock } from '../../api/live.js'
import { answered, Refused } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { attempt } from '../../shell/notices.js'
import { href } from '../../shell/route.js'
import { networkOfChain } from './PlanPanel.js'
import { activityOf } from './requests.js'

/** Follows an execution to its end. */
export function ExecutionPanel({
  view,
  planId,
  activityId,
}: {
  view: AccountView
  planId: string
  activityId: string
}) {
  const { activity, refusal } = useActivity(view, activityId)
  const status = activity?.activity_status ?? 'pending'
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [status])
  return (
    <section ref={panel} class={`panel execution ${status}`} aria-labelledby="execution-title">
      <header>
        <h2 id="execution-title">
          Execution <a href={href(['timeline', activityId])}>{activityId}</a>
        </h2>
        <span class={`pill ${status}`} role="status">
          {status}
        </span>
      </header>
      {refusal && <RefusalBox refusal={refusal} />}
      <ol class="transactions">
        {activity?.activity_metadata.map((item, i) => (
          <Item key={i} {...item} />
        ))}
      </ol>
      {status === 'pending' && toldClock.value?.mode === 'frozen' && <Waiting />}
      {status !== 'pending' && (
        <div class="row">
          <a class="button" href={href(['timeline', planId])}>
            {status === 'failed' ? 'Why did it fail?' : 'The whole timeline'}
          </a>
          <a class="button" href={href(['accounts', view.account.account_id])}>
            See the account
          </a>
        </div>
      )}
    </section>
  )
}

function Item(item: Schemas['ActivityItem']) {
  const { action_type, chain_id, success, transaction_hash, revert_reason } = item
  const state = success === null ? 'pending' : success ? 'confirmed' : 'failed'
  return (
    <li>
      <NetworkLabel network={networkOfChain(chain_id)} />
      <strong>{action_type}</strong>
      <span class={`pill ${state}`}>{success === null ? 'waits' : state}</span>
      {transaction_hash !== null && <code>{transaction_hash}</code>}
      {revert_reason !== null && <p class="refused-text">{revert_reason}</p>}
    </li>
  )
}

/** Bridges deliver after some seconds of the clock, which stands. */
function Waiting() {
  return (
    <div class="row">
      <span class="small">The clock stands, so what waits for time does not happen.</span>
      <button
        type="button"
        onClick={() =>
          attempt('The clock went ahead by 10s', () =>
            answered(controlApi.POST('/_sim/clock/advance', { body: { seconds: 10 } })),
          )
        }
      >
        Advance by 10s
      </button>
    </div>
  )
}

/** An activity, anew at each of its events. */
function useActivity(view: AccountView, id: string) {
  const [state, setState] = useState<{ activity?: Schemas['Activity']; refusal?: Refused }>({})
  useEffect(() => {
    let isHere = true
    const load = coalesced(async () => {
      try {
        const activity = await activityOf(view, id)
        if (isHere) setState({ activity })
      } catch (error) {
        if (isHere && error instanceof Refused)
          setState((before) => ({ ...before, refusal: error }))
      }
    })
    load()
    const stop = onMessage(({ type, data }) => {
      const isOwn = type === 'event' && data.data.activity_id === id
      if (isOwn || type === 'dropped') load()
    })
    return () => {
      isHere = false
      stop()
    }
  }, [view, id])
  return state
}
