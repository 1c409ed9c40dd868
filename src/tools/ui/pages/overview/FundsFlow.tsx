import { overview } from '../../api/live.js'
import type { Bridge } from '../../api/types.js'
import { NetworkLabel } from '../../parts/labels.js'
import { moneyText } from '../../parts/Money.js'
import { Panel } from '../../parts/panels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

const maxBridges = 24
const laneHeight = 34
const tones = { filled: 'good', 'in flight': 'warn', refunded: 'bad' } as const

/** Funds between the networks over the simulator's time, from left to right: one curve for each bridge. */
export function FundsFlow() {
  const { bridges = [], networks = [] } = overview.value ?? {}
  const shown = bridges.slice(0, maxBridges).reverse()
  const lanes = networks.map(({ network }) => network)
  return (
    <Panel
      title="Funds between networks"
      kind="wide"
      aside={<span class="small">the newest {maxBridges} bridges, oldest left</span>}
    >
      {shown.length === 0 ? (
        <p class="empty">Nothing has crossed yet.</p>
      ) : (
        <div class="flow">
          <ul class="flow-lanes">
            {lanes.map((network) => (
              <li key={network}>
                <NetworkLabel network={network} />
              </li>
            ))}
          </ul>
          <ol class="flow-bridges">
            {shown.map((bridge, index) => (
              <FlowCurve key={`${bridge.activity_id} ${index}`} bridge={bridge} lanes={lanes} />
            ))}
          </ol>
        </div>
      )}
    </Panel>
  )
}

function FlowCurve({ bridge, lanes }: { bridge: Bridge; lanes: readonly string[] }) {
  const { activity_id, from, to, asset, amount, status, since } = bridge
  const y = (network: string): number => (lanes.indexOf(network) + 0.5) * laneHeight
  const [start, end] = [y(from), y(to)]
  // What has not arrived stays half-way, and what was refunded comes back.
  const curve = {
    filled: `M5,${start}C40,${start} 40,${end} 75,${end}`,
    'in flight': `M5,${start}C30,${start} 38,${start} 40,${(start + end) / 2}`,
    refunded: `M5,${start}C90,${start} 90,${(start + 2 * end) / 3} 5,${start}`,
  }[status]
  const money = moneyText({ raw: amount, symbol: asset })
  const said = `${money} from ${from} to ${to}, ${status}, since ${shownClock(since)}`
  return (
    <li>
      <a href={href(['timeline', activity_id])} title={said}>
        <span class="visually-hidden">{said}</span>
        <svg width="80" height={lanes.length * laneHeight} aria-hidden="true">
          <path class={`flow-curve ${tones[status]}`} d={curve} />
          <circle data-network={from} cx="5" cy={start} r="4" />
          {status === 'filled' && <circle data-network={to} cx="75" cy={end} r="4" />}
        </svg>
        <span aria-hidden="true">
          {money.replace(/ \(.*/, '')}
          <br />
          {shownClock(since)}
        </span>
      </a>
    </li>
  )
}
