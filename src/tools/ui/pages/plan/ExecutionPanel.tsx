import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import { toldClock } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { AccountView } from '../../api/types.js'
import type { Loaded } from '../../api/useLoaded.js'
import { Act } from '../../parts/controls.js'
import { HashLink } from '../../parts/Linked.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { Sentence } from '../../parts/Sentence.js'
import { href } from '../../shell/route.js'

/** Follows an execution to its end. */
export function ExecutionPanel({
  view,
  planId,
  activityId,
  followed: { data: activity, refusal },
}: {
  view: AccountView
  planId: string
  activityId: string
  followed: Loaded<Schemas['Activity']>
}) {
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
      <ol class="operations transactions">
        {activity?.activity_metadata.map((item, i) => (
          <Item key={i} {...item} />
        ))}
      </ol>
      {status === 'pending' && toldClock.value?.mode === 'frozen' && <Waiting />}
      {status !== 'pending' && (
        <div class="row">
          <a class="button" href={href(['timeline', planId])}>
            {status === 'failed' ? 'Why did it fail?' : 'Full timeline'}
          </a>
          <a class="button" href={href(['accounts', view.account.account_id])}>
            Open the account
          </a>
        </div>
      )}
    </section>
  )
}

function Item(item: Schemas['ActivityItem']) {
  const { action_type, action_context, success, transaction_hash, revert_reason } = item
  const state = success === null ? 'pending' : success ? 'confirmed' : 'failed'
  return (
    <li class="words">
      <Sentence type={action_type} context={action_context} />
      <span class={`pill ${state}`}>{success === null ? 'waiting' : state}</span>
      {transaction_hash !== null && <HashLink hash={transaction_hash} />}
      {revert_reason !== null && <p class="refused-text">{revert_reason}</p>}
    </li>
  )
}

/** Bridges deliver after some seconds of the clock, which is frozen. */
function Waiting() {
  return (
    <div class="row">
      <span class="small">The clock is frozen, so bridges do not deliver.</span>
      <Act
        done="The clock advanced by 10s"
        work={() => answered(controlApi.POST('/_sim/clock/advance', { body: { seconds: 10 } }))}
      >
        Advance by 10s
      </Act>
    </div>
  )
}
