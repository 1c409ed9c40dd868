import { overview } from '../../api/live.js'
import { FaultList } from '../../parts/FaultList.js'
import { bridgesUnderWay, Flights } from '../../parts/Flights.js'
import { Count, Panel } from '../../parts/panels.js'
import { AccountsByValue } from './AccountsByValue.js'
import { NewestEvents, NewestRequests } from './Activity.js'
import { ClockPanel } from './ClockPanel.js'
import { Failures } from './Failures.js'
import { FirstSteps } from './FirstSteps.js'
import { FundsFlow } from './FundsFlow.js'
import { Networks } from './Networks.js'
import { OpenPlans } from './OpenPlans.js'
import { Prices } from './Prices.js'
import { SnapshotPanel } from './SnapshotPanel.js'

/** The whole world at a glance, with its levers. */
export default function Overview() {
  if (!overview.value) return <p aria-busy="true">Loading…</p>
  const bridges = bridgesUnderWay()
  return (
    <div class="overview stack">
      <FirstSteps />
      <Networks />
      <div class="columns">
        <ClockPanel />
        <Panel title="In flight" aside={<Count of={bridges} />}>
          {bridges.length === 0 && <p class="empty">No bridge is under way.</p>}
          <Flights />
        </Panel>
        <Failures />
        <OpenPlans />
        <AccountsByValue />
        <FaultList />
        <FundsFlow />
        <NewestEvents />
        <SnapshotPanel />
        <NewestRequests />
        <Prices />
      </div>
    </div>
  )
}
