import { computed } from '@preact/signals'
import { isSpent } from '../../../../faults/rules/faultRules.js'
import { isFound, noFilter, queryOf } from '../../../../observe/journal/filter.js'
import {
  endedPlans,
  exchanges,
  faults,
  isJournalKnown,
  isPresent,
  isReadOnly,
  now,
  overview,
} from '../../api/live.js'
import { world } from '../../api/session.js'
import type { Bridge, NetworkView } from '../../api/types.js'
import { failedWorlds, useWorlds } from '../../api/worlds.js'
import { FaultList } from '../../parts/FaultList.js'
import { bridgesUnderWay, Due, Flights } from '../../parts/Flights.js'
import { NetworkLabel, Status } from '../../parts/labels.js'
import { moneyText } from '../../parts/Money.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { Count, EventFeed, List, Panel, Table } from '../../parts/panels.js'
import { titleById, titleOf } from '../../parts/plans.js'
import { counted, shownClock, shownSpan } from '../../parts/text.js'
import { useWhy, VerdictText } from '../../parts/verdicts.js'
import { href, hrefIn } from '../../shell/route.js'
import { EndedWorlds, Failed, leasedText, worldName } from '../../shell/world.js'
import { FirstSteps } from './FirstSteps.js'
import { type Failure, failuresOf } from './failures.js'
import { ClockPanel, Prices, SnapshotPanel } from './Levers.js'

export default function Overview() {
  if (!overview.value) return <p aria-busy="true">Loading…</p>
  const bridges = bridgesUnderWay()
  return (
    <div class="overview stack">
      <FailedWorlds />
      <Failures />
      <FirstSteps />
      <section class="networks columns fit" aria-label="Networks">
        {overview.value.networks.map((network) => (
          <NetworkCard key={network.network} {...network} />
        ))}
      </section>
      <div class="columns">
        <ClockPanel />
        <OpenPlans />
        <Panel title="In flight" aside={<Count of={bridges} />}>
          {bridges.length === 0 && <p class="empty">No bridge is under way.</p>}
          <Flights />
        </Panel>
        <AccountsByValue />
        <FaultList />
        <SnapshotPanel />
      </div>
      <FundsFlow />
      <div class="main-and-side stack">
        <Panel title="Newest events">
          <EventFeed of={overview.value.events} />
        </Panel>
        <Prices />
      </div>
      <NewestRequests />
    </div>
  )
}

/** Of the default world alone: what failed in leased ones, such as those of a suite, is not in the rest of this page. */
function FailedWorlds() {
  useWorlds()
  const failed = failedWorlds()
  if (world.value !== undefined) return null
  if (failed.length === 0) return <EndedWorlds />
  // A trace may have several entries of one world.
  const failedIds = new Set(failed.map(({ id, test_of }) => test_of ?? id))
  return (
    <Panel
      title={`Failures in ${counted(failedIds.size, failedIds.has('default') ? 'world' : 'leased world')}`}
      aside={<a href={href(['worlds'])}>All worlds, failures first</a>}
    >
      <List>
        {failed.slice(0, maxFailures).map((each) => (
          <li key={each.id} class="words">
            <a href={hrefIn(each.id, ['overview'])}>{worldName(each)}</a>{' '}
            <span class="small">{leasedText(each)}</span> <Failed {...each} />
          </li>
        ))}
      </List>
      <EndedWorlds />
    </Panel>
  )
}

function AccountsByValue() {
  const rows = (overview.value?.accounts ?? []).map(({ account_id, usd, unix_ms }) => ({
    key: account_id,
    cells: [
      <a href={href(['accounts', account_id])}>{account_id}</a>,
      <>
        {shownUsd(usdOf(usd))}
        {bridgesUnderWay({ account_id }).map(({ asset, amount, delivers }, index) => (
          <span key={index} class="small">
            {' '}
            + {moneyText({ raw: delivers ?? amount, symbol: asset })} in flight
          </span>
        ))}
      </>,
      <span class="small">{shownClock(unix_ms)}</span>,
    ],
  }))
  return (
    <Panel title="Accounts by value" aside={<a href={href(['accounts'])}>All accounts</a>}>
      {rows.length === 0 ? (
        <p class="empty">
          No value is recorded yet. Reading a folio records one, and so does an event while a
          dashboard is open.
        </p>
      ) : (
        <Table heads={['Account', 'Value', 'At']} numbersFrom={1} rows={rows} />
      )}
    </Panel>
  )
}

function OpenPlans() {
  const at = now.value ?? 0
  const open = (overview.value?.plans ?? [])
    .map((plan) => ({ ...plan, left: (Date.parse(plan.expires_at) - at) / 1000 }))
    .filter(({ left, plan_id }) => left > 0 && !endedPlans.value.has(plan_id))
  return (
    <Panel title="Open plans" aside={<a href={href(['plans'])}>All plans</a>}>
      <List empty="None. A plan expires two minutes after it was made.">
        {open.map(({ plan_id, account_id, kind, left, expires_at }) => (
          <li key={plan_id} class="spread">
            <span>
              <strong>{titleById(plan_id) ?? kind}</strong>{' '}
              <a href={href(['timeline', plan_id])}>{plan_id}</a> of{' '}
              <a href={href(['accounts', account_id])}>{account_id}</a>
              <br />
              <span class="small">
                expires <Due at={expires_at} early={1} what="one second before" />
              </span>
            </span>
            <span class="countdown">{shownSpan(left)}</span>
            <progress max={120} value={left} aria-label={`Time left for ${plan_id}`} />
          </li>
        ))}
      </List>
    </Panel>
  )
}

const shownEntries = 14

function NewestRequests() {
  return (
    <Panel title="Newest requests" aside={<a href={href(['journal'])}>Journal</a>}>
      <List kind="feed" empty={isJournalKnown.value ? 'None since the start.' : 'Loading…'}>
        {exchanges.value.slice(0, shownEntries).map(({ cursor, at, method, url, answer }) => (
          <li key={cursor}>
            <time>{shownClock(at)}</time>
            <span class="method">{method}</span>
            <a class="url" href={href(['journal', `${cursor}`])}>
              {url}
            </a>
            <Status answer={answer} />
          </li>
        ))}
      </List>
    </Panel>
  )
}

const maxFailures = 6

const failures = computed(() =>
  failuresOf(
    exchanges.value.filter(({ cursor }) => isPresent(cursor)),
    overview.value ?? { failed: [], repeated: [] },
    (exchange) => titleOf(exchange) ?? titleById((exchange.body as { plan_id?: string })?.plan_id),
    maxFailures,
  ),
)

const problems = { ...noFilter, status: 'problem', api: 'service' }

const hasUndone = computed(() =>
  exchanges.value.some((each) => !isPresent(each.cursor) && isFound(each, problems)),
)

function Failures() {
  const [shown, all] = [failures.value, overview.value?.failures ?? 0]
  if (shown.length === 0 && !hasUndone.value) return null
  return (
    <Panel
      title="Failed lately"
      aside={
        <span class="small">
          {all > shown.length && `the newest ${shown.length} of ${all} `}
          <a href={href(['journal'], queryOf(problems))}>All failures</a>
        </span>
      }
    >
      <List kind="list failures">
        {shown.map((failure) => (
          <FailureItem key={`${failure.at} ${failure.about}`} {...failure} />
        ))}
      </List>
      {hasUndone.value && (
        <p class="small">
          A restore or reset has undone {shown.length > 0 && 'other '}failures: “All failures” lists
          them.
        </p>
      )}
    </Panel>
  )
}

function FailureItem({ at, title, said, of, about }: Failure) {
  const { data } = useWhy(about)
  // The timeline of an activity begins with the request for its plan, however long ago that was.
  const requests = title === undefined ? (data?.timeline ?? []) : []
  const [planned = of] = requests.flatMap(
    ({ details: { url, body } }) => titleOf({ url: `${url}`, body }) ?? [],
  )
  const account = data?.related.account_id
  return (
    <li>
      <time class="small">{shownClock(at)}</time>{' '}
      <a href={href(['timeline', of])}>
        <strong>
          {title ?? planned} {said}
        </strong>
      </a>{' '}
      {account && <a href={href(['accounts', account])}>{account}</a>}
      {data && <VerdictText why={data} />}
    </li>
  )
}

function NetworkCard(of: NetworkView) {
  const { network, chain_id, ready, error, mining, forked_from, height, time } = of
  const troubles = troublesOf(network)
  const held = troubles.includes('halt') ? 'halted' : mining !== null && 'switched'
  const notice = isReadOnly.value ? null : (error ?? mining)
  const state = isReadOnly.value ? 'ended' : !ready ? 'down' : held || 'ready'
  return (
    <article class={`panel network ${state}`} data-network={network}>
      <header>
        <h2>
          <a href={href(['chain', network])}>{network}</a>
        </h2>
        <span class={`pill ${{ ready: 'good', ended: 'frozen' }[state as string] ?? 'bad'}`}>
          {state}
        </span>
      </header>
      <p class="height figure">
        <span class="small">block </span>
        {height ?? '?'}
      </p>
      <p class="small">
        {time ? `at ${shownClock(time)}, ` : ''}chain id {chain_id},{' '}
        {forked_from === null ? 'offline' : `forked from ${forked_from}`}
      </p>
      {notice && <p class="refused-text small">{notice}</p>}
      {troubles
        .filter((trouble) => trouble !== 'halt')
        .map((trouble) => (
          <span key={trouble} class="pill warn">
            fault {trouble}
          </span>
        ))}
    </article>
  )
}

function troublesOf(network: string): string[] {
  return faults.value
    .filter((rule) => rule.on === 'chain' && (rule.match.network ?? network) === network)
    .filter((rule) => !isSpent(rule))
    .flatMap(({ effect }) =>
      effect === undefined ? [] : typeof effect === 'string' ? [effect] : Object.keys(effect),
    )
}

const maxBridges = 24
const laneHeight = 34
const tones = { filled: 'good', 'in flight': 'warn', 'filled in part': 'bad', refunded: 'bad' }

function FundsFlow() {
  const { bridges = [], networks = [] } = overview.value ?? {}
  const shown = bridges.slice(0, maxBridges).reverse()
  const lanes = networks.map(({ network }) => network)
  return (
    <Panel
      title="Funds between networks"
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
  const { activity_id, from, to, asset, sent, amount, arrived, status, since } = bridge
  const y = (network: string): number => (lanes.indexOf(network) + 0.5) * laneHeight
  const [start, end] = [y(from), y(to)]
  // Undelivered money stays half-way, and refunded money comes back.
  const across = `M5,${start}C40,${start} 40,${end} 75,${end}`
  const curve = {
    filled: across,
    'filled in part': across,
    'in flight': `M5,${start}C30,${start} 38,${start} 40,${(start + end) / 2}`,
    refunded: `M5,${start}C90,${start} 90,${(start + 2 * end) / 3} 5,${start}`,
  }[status]
  const whole = status === 'filled' ? amount : sent
  const raws = status === 'filled in part' && arrived ? [arrived, amount] : [whole]
  const money = raws.map((raw) => moneyText({ raw, symbol: asset })).join(' of ')
  const said = `${money} from ${from} to ${to}, ${status}, since ${shownClock(since)}`
  return (
    <li>
      <a href={href(['timeline', activity_id])} title={said}>
        <span class="visually-hidden">{said}</span>
        <svg width="80" height={lanes.length * laneHeight} aria-hidden="true">
          <path class={`flow-curve ${tones[status]}`} d={curve} />
          <circle data-network={from} cx="5" cy={start} r="4" />
          {curve === across && <circle data-network={to} cx="75" cy={end} r="4" />}
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
