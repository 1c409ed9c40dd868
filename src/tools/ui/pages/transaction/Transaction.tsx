import { useEffect } from 'preact/hooks'
import type { components } from '../../../../clients/control/controlApi.js'
import { needAssets } from '../../api/assets.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Copy } from '../../parts/Copy.js'
import { Linked } from '../../parts/Linked.js'
import { Money } from '../../parts/Money.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { shownTime } from '../../parts/text.js'
import '../../styles/forms.css'
import '../../styles/journal.css'
import '../../styles/timeline.css'
import '../../styles/transaction.css'
import { Calls, TransactionLogs } from './Calls.js'

type Inspected = components['schemas']['Transaction']

/** One transaction: what it called, whose balances it changed, and why it reverted. */
export default function Transaction({ rest: [hash] }: { rest: readonly string[] }) {
  const { data: inspected, refusal } = useTransaction(hash)
  useEffect(needAssets, [])
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!inspected) return <p aria-busy="true">Loading…</p>
  return (
    <div class="transaction-page">
      <Facts {...inspected} />
      <Balances {...inspected} />
      <Calls {...inspected} />
      <TransactionLogs {...inspected} />
    </div>
  )
}

function Facts({ network, hash, status, block, at, gas_used, reason }: Inspected) {
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
        {shownTime(Date.parse(at))}, {Number(gas_used).toLocaleString('en-US')} gas
      </p>
    </section>
  )
}

function Balances({ balances, status }: Inspected) {
  return (
    <section class="panel" aria-labelledby="balances-title">
      <header>
        <h2 id="balances-title">Balance changes</h2>
        <span class="small">excluding gas</span>
      </header>
      {balances.length === 0 ? (
        <p class="empty">{status === 'reverted' ? 'None: the transaction reverted.' : 'None.'}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Account</th>
              <th>Change</th>
            </tr>
          </thead>
          <tbody>
            {balances.map(({ address, name, asset, change }) => (
              <tr key={`${address} ${asset}`}>
                <td title={address}>
                  <Linked text={name} />
                </td>
                <td>
                  {change.startsWith('-') ? '−' : '+'}
                  <Money raw={change.replace('-', '')} symbol={asset} price={undefined} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** A transaction; looked for again when blocks may have been replaced. */
function useTransaction(hash = '') {
  const load = () =>
    answered(controlApi.GET('/_sim/transactions/{hash}', { params: { path: { hash } } }))
  return useLoaded(hash, load, ({ type }) => type === 'snapshot' || type === 'fault')
}
