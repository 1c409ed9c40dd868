import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { type AccountView, lookAt, onHoldings } from '../../api/accounts.js'
import { coalesced } from '../../api/coalesced.js'
import { onMessage, toldClock } from '../../api/live.js'
import { now } from '../../api/now.js'
import { world } from '../../api/session.js'
import { canSign } from '../../api/signers.js'
import { Copy } from '../../parts/Copy.js'
import { type ChartPoint, LineChart } from '../../parts/LineChart.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { shownUsd } from '../../parts/text.js'
import { href } from '../../shell/route.js'
import { Fund } from './Fund.js'
import { positionsOf, worthOf } from './folio.js'
import { History } from './History.js'
import { Holdings } from './Holdings.js'

/** What the page has seen of the value of accounts, by world and account. It stays while the tab is open. */
const seenValues = signal<ReadonlyMap<string, readonly ChartPoint[]>>(new Map())

// After a reset an account of the same id is another one.
onMessage(({ type, data }) => {
  if (type === 'snapshot' && data.change === 'reset') seenValues.value = new Map()
})

/** So many points of a chart are kept. */
const keptPoints = 2_000

/** A value at the simulator's time. What was seen of a later time is of another life. */
function noteValue(id: string, value: number): void {
  const told = toldClock.peek()
  const at = told === undefined || told.mode === 'real' ? now.peek() : told.unix_ms
  if (at === undefined) return
  const name = `${world.peek() ?? ''} ${id}`
  const before = (seenValues.peek().get(name) ?? []).filter((point) => point.at < at)
  const points = [...before, { at, value }].slice(-keptPoints)
  seenValues.value = new Map([...seenValues.peek(), [name, points]])
}

/** One account: what it has, what it owes, what happened to it. */
export function OneAccount({ id }: { id: string }) {
  const { view, problem } = useView(id)
  if (problem !== undefined)
    return (
      <p role="alert">
        {problem}. <a href={href(['accounts'])}>Show all accounts</a>
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
            <span class="small">in simulator time, since this tab was opened</span>
          </header>
          {view.folio ? (
            <>
              <p class="total">{shownUsd(worthOf(positions))}</p>
              <LineChart
                label="Value"
                shown={shownUsd}
                points={seenValues.value.get(`${world.value ?? ''} ${id}`) ?? []}
              />
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

/** What is told of an account, anew whenever something may have changed it. */
function useView(id: string): { view?: AccountView; problem?: string } {
  const [state, setState] = useState<{ view?: AccountView; problem?: string }>({})
  useEffect(() => {
    let isHere = true
    const load = coalesced(async () => {
      try {
        const view = await lookAt(id)
        if (!isHere) return
        if (view.folio && view.missing.length === 0) noteValue(id, worthOf(positionsOf(view.folio)))
        setState({ view })
      } catch (error) {
        if (isHere) setState({ problem: (error as Error).message })
      }
    })
    load()
    const stop = onHoldings(id, load)
    return () => {
      isHere = false
      stop()
    }
  }, [id])
  return state
}

function Head({ view: { account } }: { view: AccountView }) {
  const { account_id, signer_address, svc_wallet_address, prime_account_id } = account
  const facts = { Wallet: svc_wallet_address, Signer: signer_address }
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
      <dl class="facts">
        {Object.entries(facts).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{text}</code>
              <Copy label={`Copy ${name.toLowerCase()}`} text={() => text} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Prime account</dt>
          <dd>
            <code>{prime_account_id}</code>
          </dd>
        </div>
      </dl>
    </section>
  )
}
