import { exchanges } from '../../api/live.js'
import { Panel } from '../../parts/panels.js'
import { href } from '../../shell/route.js'

/** Where to begin, as long as nobody has asked for a plan since the last reset. */
export function FirstSteps() {
  const newest = exchanges.value.find(
    ({ method, url }) => method === 'POST' && /\/plan\/|^\/_sim\/reset$/.test(url),
  )
  if (newest?.url.includes('/plan/')) return null
  return (
    <Panel title="First steps" kind="steers">
      <ol class="bullets">
        <li>
          <a href={href(['connect'])}>Connect your client</a>, or go on in this page.
        </li>
        <li>
          <a href={href(['accounts'])}>Create an account</a> and give it funds.
        </li>
        <li>
          <a href={href(['plan'])}>Make a plan</a>, then sign and execute it. If its funds are on
          another network, the plan bridges them.
        </li>
        <li>
          <a href={href(['faults', 'bridge', 'refund'])}>Break something</a>, make the same plan
          again, and see in its timeline what went wrong.
        </li>
      </ol>
    </Panel>
  )
}
