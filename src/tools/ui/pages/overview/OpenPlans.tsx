import { overview, stalePlans } from '../../api/live.js'
import { now } from '../../api/now.js'
import { Due } from '../../parts/Due.js'
import { Count, List, Panel } from '../../parts/panels.js'
import { shownSpan } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** The plans that can be executed, and how long they still can. */
export function OpenPlans() {
  const at = now.value ?? 0
  const open = (overview.value?.plans ?? [])
    .map((plan) => ({ ...plan, left: (Date.parse(plan.expires_at) - at) / 1000 }))
    .filter(({ left, plan_id }) => left > 0 && !stalePlans.value.has(plan_id))
  return (
    <Panel title="Open plans" aside={<Count of={open} />}>
      <List empty="None. A plan expires two minutes after it was made.">
        {open.map(({ plan_id, account_id, kind, left, expires_at }) => (
          <li key={plan_id} class="plan">
            <span>
              <strong>{kind}</strong> <a href={href(['timeline', plan_id])}>{plan_id}</a> of{' '}
              <a href={href(['accounts', account_id])}>{account_id}</a>
            </span>
            <span class="countdown">{shownSpan(left)}</span>
            <span class="small">
              expires <Due at={expires_at} early={1} what="one second before" />
            </span>
            <progress max={120} value={left} aria-label={`Time left for ${plan_id}`} />
          </li>
        ))}
      </List>
    </Panel>
  )
}
