import { answered, controlApi } from '../../api/session.js'
import type { TransactionView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Copy } from '../../parts/controls.js'
import { Linked } from '../../parts/Linked.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money } from '../../parts/Money.js'
import { Panel, Table } from '../../parts/panels.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { shownTime } from '../../parts/text.js'
import { Calls, TransactionLogs } from './Calls.js'

/** One transaction: what it called, whose balances it changed, and why it reverted. */
export default function Transaction({ rest: [hash] }: { rest: readonly string[] }) {
  const { data: inspected, refusal } = useTransaction(hash)
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!inspected) return <p aria-busy="true">Loading…</p>
  return (
    <div class="transaction-page stack">
      <Facts {...inspected} />
      <Balances {...inspected} />
      <Calls {...inspected} />
      <TransactionLogs {...inspected} />
    </div>
  )
}

function Facts({ network, hash, status, block, at, gas_used, reason }: TransactionView) {
  return (
    <section class="panel" aria-label="Facts">
      <header>
        <h2>
          <NetworkLabel network={network} /> block {block}
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

/** A transaction; looked for again when blocks may have been replaced. */
function useTransaction(hash = '') {
  const load = () =>
    answered(controlApi.GET('/_sim/transactions/{hash}', { params: { path: { hash } } }))
  return useLoaded(hash, load, ({ type }) => type === 'snapshot' || type === 'fault')
}
