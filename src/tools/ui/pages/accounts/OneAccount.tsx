import { positionsOf, worthOf } from '../../../../service/folio/positions.js'
import { type AccountView, changesHoldings, lookAt } from '../../api/accounts.js'
import { canSign } from '../../api/signers.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Facts } from '../../parts/Facts.js'
import { shownUsd } from '../../parts/money.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { href } from '../../shell/route.js'
import { Fund } from './Fund.js'
import { History } from './History.js'
import { Holdings } from './Holdings.js'
import { ValueChart } from './ValueChart.js'

/** One account: what it has, what it owes, what happened to it. */
export function OneAccount({ id }: { id: string }) {
  const { data: view, refusal } = useLoaded(
    id,
    () => lookAt(id),
    (message) => changesHoldings(id, message),
  )
  if (refusal)
    return (
      <p role="alert">
        {refusal.message}. <a href={href(['accounts'])}>Show all accounts</a>
      </p>
    )
  if (!view) return <p aria-busy="true">Loading…</p>
  const positions = view.folio ? positionsOf(view.folio) : []
  return (
    <div class="account">
      <Head view={view} />
      <Missing missing={view.missing} />
      <div class="account-columns">
        <section class="panel value" aria-labelledby="value-title">
          <header>
            <h2 id="value-title">Value</h2>
            <span class="small">in simulator time; long waits are compressed</span>
          </header>
          {view.folio ? (
            <>
              <p class="total">{shownUsd(worthOf(positions))}</p>
              <ValueChart values={view.values} />
            </>
          ) : (
            <p class="refused-text">No network responds, so the balances are unknown.</p>
          )}
        </section>
        <Fund id={id} />
      </div>
      {view.folio && <Holdings id={id} folio={view.folio} isWhole={view.missing.length === 0} />}
      <History view={view} />
    </div>
  )
}

/** The networks whose balances are not among those on the page. */
function Missing({ missing }: Pick<AccountView, 'missing'>) {
  return missing.map(({ network, problem }) => (
    <p key={network} class="callout bad" role="status">
      <NetworkLabel network={network} /> does not respond, so its balances are not shown: {problem}
    </p>
  ))
}

function Head({ view: { account } }: { view: AccountView }) {
  const { account_id, signer_address, svc_wallet_address, prime_account_id } = account
  return (
    <section class="panel account-head" aria-label="Account">
      <header>
        <h2>
          <code>{account_id}</code>{' '}
          {canSign(signer_address) ? (
            <span class="pill good">signs here</span>
          ) : (
            <span class="pill">signs elsewhere</span>
          )}
        </h2>
        <div class="row">
          <a class="button primary steers" href={href(['plan', account_id])}>
            Plan
          </a>
          <a class="button" href={href(['timeline', account_id])}>
            Timeline
          </a>
          <a class="button" href={href(['accounts'])}>
            All accounts
          </a>
        </div>
      </header>
      <Facts
        of={{
          Wallet: svc_wallet_address,
          Signer: signer_address,
          'Prime account': prime_account_id,
        }}
      />
    </section>
  )
}
