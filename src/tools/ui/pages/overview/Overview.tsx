import { exchanges, isJournalKnown, overview, stalePlans } from '../../api/live.js'
import { now } from '../../api/now.js'
import { Due } from '../../parts/Due.js'
import { FaultList } from '../../parts/FaultList.js'
import { bridgesUnderWay, Flights } from '../../parts/Flights.js'
import { Status } from '../../parts/labels.js'
import { moneyText } from '../../parts/Money.js'
import { shownUsd, usdOf } from '../../parts/money.js'
import { Count, List, Panel, Table } from '../../parts/panels.js'
import { shownClock, shownSpan } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/WhyVerdict.js'
import { href } from '../../shell/route.js'
import { ClockPanel } from './ClockPanel.js'
import { FirstSteps } from './FirstSteps.js'
import { FundsFlow } from './FundsFlow.js'
import { failuresOf } from './failures.js'
import { Networks } from './Networks.js'
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

/** The accounts that were worth most when that was last recorded. */
function AccountsByValue() {
  const rows = (overview.value?.accounts ?? []).map(({ account_id, usd, unix_ms }) => ({
    key: account_id,
    cells: [
      <a href={href(['accounts', account_id])}>{account_id}</a>,
      <>
        {shownUsd(usdOf(usd))}
        {bridgesUnderWay({ account_id }).map(({ asset, amount }, index) => (
          <span key={index} class="small">
            {' '}
            + {moneyText({ raw: amount, symbol: asset })} in flight
          </span>
        ))}
      </>,
      <span class="small">{shownClock(unix_ms)}</span>,
    ],
  }))
  return (
    <Panel title="Accounts by value" aside={<a href={href(['accounts'])}>All accounts</a>}>
      {rows.length === 0 ? (
        <p class="empty">No value is recorded yet. A folio that is read or an event records one.</p>
      ) : (
        <Table heads={['Account', 'Value', 'At']} numbersFrom={1} rows={rows} />
      )}
    </Panel>
  )
}

/** The plans that can be executed, and how long they still can. */
function OpenPlans() {
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

const shownEntries = 14

function NewestEvents() {
  return (
    <Panel title="Newest events" kind="double">
      <List kind="feed" empty="None yet.">
        {overview.value?.events.map(({ account_id, cursor, timestamp, ...event }) => (
          <li key={`${account_id} ${cursor}`}>
            <time>{shownClock(timestamp * 1000)}</time>
            <a href={href(['timeline', event.activity_id])}>{event.activity_id}</a>
            <a class="url" href={href(['accounts', account_id])}>
              {account_id}
            </a>
            <span class={`pill ${event.activity_status}`}>{event.activity_status}</span>
          </li>
        ))}
      </List>
    </Panel>
  )
}

function NewestRequests() {
  return (
    <Panel title="Newest requests" kind="wide" aside={<a href={href(['journal'])}>Journal</a>}>
      <List kind="feed" empty={isJournalKnown.value ? 'None yet.' : 'Loading…'}>
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

function Failures() {
  const failures = failuresOf(exchanges.value, overview.value?.failed ?? [], maxFailures)
  return (
    <Panel
      title="Failed lately"
      aside={<a href={href(['journal'], { status: '4' })}>All refusals</a>}
    >
      <List kind="list failures" empty={isJournalKnown.value ? 'Nothing.' : 'Loading…'}>
        {failures.map(({ at, title, of, about }) => (
          <li key={`${at} ${of} ${title}`}>
            <time class="small">{shownClock(at)}</time>{' '}
            <a href={href(['timeline', of])}>
              <strong>{title}</strong>
            </a>
            <WhyVerdict of={about} />
          </li>
        ))}
      </List>
    </Panel>
  )
}
