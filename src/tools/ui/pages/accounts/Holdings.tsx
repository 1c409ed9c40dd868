import {
  type Debt,
  loansOf,
  type Position,
  positionsOf,
  worthOf,
} from '../../../../service/folio/positions.js'
import { answered, controlApi } from '../../api/session.js'
import type { AccountView } from '../../api/types.js'
import { Act } from '../../parts/controls.js'
import { Flights } from '../../parts/Flights.js'
import { NetworkLabel } from '../../parts/labels.js'
import { shownUnits, shownUsd } from '../../parts/money.js'
import { Panel, Table } from '../../parts/panels.js'
import { shownPercent } from '../../parts/text.js'

export function Holdings({
  id,
  folio,
  isWhole,
}: {
  id: string
  folio: NonNullable<AccountView['folio']>
  isWhole: boolean
}) {
  const positions = positionsOf(folio)
  const networks = [...new Set(positions.map(({ network }) => network))]
  return (
    <section aria-label="Holdings" class="stack">
      {networks.length === 0 && isWhole && (
        <p class="panel empty">The wallet is empty. Give it funds, then make a plan.</p>
      )}
      <Loans id={id} loans={loansOf(folio)} />
      <div class="columns fit" style={{ '--least': '26rem' }}>
        {networks.map((network) => (
          <OnNetwork
            key={network}
            network={network}
            positions={positions.filter((each) => each.network === network)}
          />
        ))}
      </div>
      <Flights of={{ account_id: id }} />
    </section>
  )
}

function OnNetwork({ network, positions }: { network: string; positions: readonly Position[] }) {
  return (
    <article class="panel holding" data-network={network}>
      <header>
        <h3>
          <NetworkLabel network={network} />
        </h3>
        <strong>{shownUsd(worthOf(positions))}</strong>
      </header>
      <Table
        heads={['Where', 'Amount', 'USD', 'APR']}
        numbersFrom={1}
        rows={positions.map(({ protocol, kind, symbol, amount, decimals, usd, apr }, i) => ({
          key: i,
          kind,
          cells: [
            <>
              {protocol}
              {kind !== 'balance' && <span class="small"> {kind}</span>}
            </>,
            `${shownUnits(amount.toString(), decimals)} ${symbol}`,
            usd === undefined ? '?' : shownUsd(usd),
            apr === undefined ? '' : shownPercent(apr),
          ],
        }))}
      />
    </article>
  )
}

function Loans({ id, loans }: { id: string; loans: readonly Debt[] }) {
  if (loans.length === 0) return null
  return (
    <Panel
      title="Debts"
      aside={
        loans.some(({ health }) => health < 1) ? (
          <Act
            done="Unsafe positions were liquidated"
            work={() =>
              answered(controlApi.POST('/_sim/liquidations', { body: { account_id: id } }))
            }
          >
            Liquidate
          </Act>
        ) : (
          <span class="small">anyone can liquidate below a health of 1</span>
        )
      }
    >
      <ul class="list">
        {loans.map(({ network, protocol, what, debtUsd, health }) => (
          <li key={`${network} ${protocol} ${what}`} class="loan spread">
            <span>
              <NetworkLabel network={network} /> {protocol}: {what}
            </span>
            <span>{shownUsd(debtUsd)}</span>
            <span class={`pill ${health < 1 ? 'bad' : health < 1.15 ? 'warn' : 'good'}`}>
              health {health.toFixed(2)}
            </span>
            <meter
              min={0}
              max={3}
              low={1}
              high={1.15}
              optimum={2}
              value={Math.min(health, 3)}
              aria-label={`Health of ${what}`}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
