import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import type { AccountView } from '../../api/types.js'
import type { Loaded } from '../../api/useLoaded.js'
import { Flights } from '../../parts/Flights.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { WhyVerdict } from '../../parts/WhyVerdict.js'
import { href } from '../../shell/route.js'

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
      <WhyVerdict of={activityId} />
      <Flights of={{ activity_id: activityId }} />
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
