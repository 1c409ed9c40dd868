import { overview } from '../../api/live.js'
import { FaultList } from '../../parts/FaultList.js'
import { AccountsByValue } from './AccountsByValue.js'
import { NewestEvents, NewestRequests } from './Activity.js'
import { ClockPanel } from './ClockPanel.js'
import { Failures } from './Failures.js'
import { FirstSteps } from './FirstSteps.js'
import { FundsFlow } from './FundsFlow.js'
import { InFlightPanel } from './InFlightPanel.js'
import { Networks } from './Networks.js'
import { OpenPlans } from './OpenPlans.js'
import { Prices } from './Prices.js'
import { SnapshotPanel } from './SnapshotPanel.js'

/** The whole world at a glance, with its levers. */
export default function Overview() {
  if (!overview.value) return <p aria-busy="true">Loading…</p>
  return (
    <div class="overview stack">
      <FirstSteps />
      <Networks />
      <div class="columns">
        <ClockPanel />
        <InFlightPanel />
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
