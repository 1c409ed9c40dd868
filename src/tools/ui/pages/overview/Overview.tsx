import { overview } from '../../api/live.js'
import { isReadOnly } from '../../api/trace.js'
import '../../styles/overview.css'
import { FaultList } from '../../parts/FaultList.js'
import { Activity } from './Activity.js'
import { ClockPanel } from './ClockPanel.js'
import { ConnectPanel } from './ConnectPanel.js'
import { FirstSteps } from './FirstSteps.js'
import { Networks } from './Networks.js'
import { OpenPlans } from './OpenPlans.js'
import { Prices } from './Prices.js'
import { SnapshotPanel } from './SnapshotPanel.js'

/** The whole world at a glance, with its levers. */
export default function Overview() {
  if (!overview.value) return <p aria-busy="true">Loading…</p>
  return (
    <div class="overview">
      <FirstSteps />
      <Networks />
      {!isReadOnly.value && <ConnectPanel />}
      <div class="grid">
        <ClockPanel />
        <OpenPlans />
        <FaultList />
        <SnapshotPanel />
        <Prices />
        <Activity />
      </div>
    </div>
  )
}
