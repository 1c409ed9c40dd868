import { answered, controlApi } from '../../api/session.js'
import type { TransactionView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Copy } from '../../parts/controls.js'
import { DecodedLog, JsonView } from '../../parts/JsonView.js'
import { Linked } from '../../parts/Linked.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money } from '../../parts/Money.js'
import { Count, Panel, Table } from '../../parts/panels.js'
import { SentDetails } from '../../parts/Sent.js'
import { asText, shownTime } from '../../parts/text.js'
import { RefusalBox } from '../../parts/verdicts.js'
import { href } from '../../shell/route.js'

export default function Transaction({ rest: [hash] }: { rest: readonly string[] }) {
  const { data: inspected, refusal } = useLoaded(
    hash,
    () =>
      answered(
        controlApi.GET('/_sim/transactions/{hash}', { params: { path: { hash: hash ?? '' } } }),
      ),
    // Blocks may have been replaced.
    ({ type }) => type === 'snapshot' || type === 'fault',
  )
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!inspected) return <p aria-busy="true">Loading…</p>
  return (
    <div class="transaction-page stack">
      <Facts {...inspected} />
      <Balances {...inspected} />
      <Calls {...inspected} />
      <Panel title="Logs" aside={<Count of={inspected.logs} />}>
        {inspected.logs.map((log, index) => (
          <DecodedLog key={index} {...log} />
        ))}
      </Panel>
    </div>
  )
}

function Facts(inspected: TransactionView) {
  const { network, hash, status, block, at, gas_used, reason } = inspected
  return (
    <section class="panel" aria-label="Facts">
      <header>
        <h2>
          <NetworkLabel network={network} />{' '}
          <a href={href(['chain', network, `${block}`])}>block {block}</a>
        </h2>
        <span class={`pill ${status === 'mined' ? 'confirmed' : 'failed'}`}>{status}</span>
      </header>
      {reason !== null && (
        <p class="callout bad">
          <strong>Reverted:</strong> {reason}
        </p>
      )}
      <p>
        <code>{hash}</code> <Copy label="Copy hash" text={() => hash} />
      </p>
      <p class="small">
        {shownTime(at)}, {Number(gas_used).toLocaleString('en-US')} gas
      </p>
      <SentDetails sent={inspected} network={network} />
    </section>
  )
}

function Balances({ balances, status }: TransactionView) {
  return (
    <Panel title="Balance changes" aside={<span class="small">excluding gas</span>}>
      {balances.length === 0 ? (
        <p class="empty">{status === 'reverted' ? 'None: the transaction reverted.' : 'None.'}</p>
      ) : (
        <Table
          heads={['Account', 'Change']}
          rows={balances.map(({ address, name, asset, change }) => ({
            key: `${address} ${asset}`,
            cells: [
              <span title={address}>
                <Linked text={name} />
              </span>,
              <>
                {change.startsWith('-') ? '−' : '+'}
                <Money raw={change.replace('-', '')} symbol={asset} />
              </>,
            ],
          }))}
        />
      )}
    </Panel>
  )
}

function Calls({ calls, calls_left_out }: TransactionView) {
  return (
    <Panel title="Calls" aside={<Count of={calls ?? []} />}>
      {calls === null && <p class="empty">The node can no longer trace this transaction.</p>}
      <ol class="call-tree">
        {calls?.map((call, index) => (
          <li key={index} style={{ '--depth': call.depth }}>
            <details class={call.error === null ? 'traced' : 'traced bad'}>
              <summary>
                <span class="small">{call.type}</span> {call.to ?? 'new contract'}
                {call.function !== null && (
                  <>
                    .<strong>{call.function}</strong>({argumentsOf(call.args)})
                  </>
                )}
                {call.error !== null && <span class="pill bad">{call.error}</span>}
              </summary>
              <p class="small">
                from {call.from} to <code>{call.address}</code>, value {call.value}, gas{' '}
                {call.gas_used}
              </p>
              <JsonView value={call.args} label={`Arguments of ${call.function ?? 'the call'}`} />
            </details>
          </li>
        ))}
      </ol>
      {calls_left_out > 0 && <p class="small">{calls_left_out} more calls are not shown.</p>}
    </Panel>
  )
}

function argumentsOf(args: Record<string, unknown>): string {
  const short = (value: unknown): string => {
    const text = asText(value)
    return text.length > 24 ? `${text.slice(0, 10)}…${text.slice(-4)}` : text
  }
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${short(value)}`)
    .join(', ')
}
