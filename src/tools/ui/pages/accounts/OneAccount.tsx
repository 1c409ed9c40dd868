import { useRef, useState } from 'preact/hooks'
import type { NetworkName } from '../../../../deployments/networks.js'
import { positionsOf, worthOf } from '../../../../service/folio/positions.js'
import { changesHoldings, findAccounts, lookAt } from '../../api/accounts.js'
import { assets, assetsOn } from '../../api/assets.js'
import { overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { canSign } from '../../api/signers.js'
import type { AccountView } from '../../api/types.js'
import { useLoaded, useSteady } from '../../api/useLoaded.js'
import { Choice, Form, TextField } from '../../parts/controls.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Sentence } from '../../parts/Money.js'
import { shownUsd, typedAmount } from '../../parts/money.js'
import { CopiedFacts, Count, EventFeed, List, Panel } from '../../parts/panels.js'
import { shownTime } from '../../parts/text.js'
import { WhyVerdict } from '../../parts/verdicts.js'
import { attempt } from '../../shell/notices.js'
import { href } from '../../shell/route.js'
import { Holdings } from './Holdings.js'
import { ValueChart } from './ValueChart.js'

export function OneAccount({ id }: { id: string }) {
  const reads = useStoppableView(id)
  const { view, refusal } = reads
  if (refusal)
    return (
      <p role="alert">
        {refusal.message}. <a href={href(['accounts'])}>Show all accounts</a>
      </p>
    )
  if (!view)
    return (
      <div class="stack">
        {reads.phase === 'stopped' ? <HeadOnly id={id} /> : <p aria-busy="true">Loading…</p>}
        <Waiting {...reads} />
      </div>
    )
  const silent = view.missing.map(({ network }) => network).join(', ')
  return (
    <div class="stack">
      <Head account={view.account} />
      {view.missing.map(({ network, problem }) => (
        <p key={network} class="callout bad" role="status">
          <NetworkLabel network={network} /> does not respond, so its balances are not shown:{' '}
          {problem}
        </p>
      ))}
      <Waiting {...reads} />
      <div class="main-and-side stack">
        <Panel
          title="Value"
          aside={<span class="small">in simulator time; long waits are compressed</span>}
        >
          {view.folio ? (
            <>
              <p class="figure total">
                {silent && 'at least '}
                {shownUsd(worthOf(positionsOf(view.folio)))}
                {silent && <span class="small"> · no response from {silent}</span>}
              </p>
              <ValueChart values={view.values} />
            </>
          ) : (
            <p class="refused-text">No network responds, so the balances are unknown.</p>
          )}
        </Panel>
        <Fund id={id} />
      </div>
      {view.folio && <Holdings id={id} folio={view.folio} isWhole={view.missing.length === 0} />}
      <History view={view} />
    </div>
  )
}

function Waiting({ view, phase, stop, again }: StoppableView) {
  if (phase === 'stopped')
    return (
      <p class="callout" role="status">
        You stopped the read.{' '}
        {view
          ? 'The page shows what it read before, and no longer follows the account.'
          : 'The balances, activities and events are not shown.'}{' '}
        <button type="button" onClick={again}>
          Read again
        </button>
      </p>
    )
  // When all networks respond, a read that follows another takes no time to speak of.
  if (phase === 'read' || view?.missing.length === 0) return null
  return (
    <p class="late">
      <button type="button" onClick={stop}>
        Stop waiting
      </button>{' '}
      <span class="small">A network that does not respond delays each read by 2 s.</span>
    </p>
  )
}

/** The account as listed: the list asks no network. */
function HeadOnly({ id }: { id: string }) {
  const { data } = useLoaded(id, () => findAccounts({ q: id, limit: 1 }))
  const account = data?.accounts[0]
  return account ? <Head account={account} /> : null
}

function Head({ account }: Pick<AccountView, 'account'>) {
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
          <a class="button steers" href={href(['faults'], { account: account_id })}>
            Break something
          </a>
          <a class="button" href={href(['plans'], { q: account_id })}>
            Plans
          </a>
          <a class="button" href={href(['timeline', account_id])}>
            Timeline
          </a>
          <a class="button" href={href(['accounts'])}>
            All accounts
          </a>
        </div>
      </header>
      <CopiedFacts
        of={{
          Wallet: svc_wallet_address,
          Signer: signer_address,
          'Prime account': prime_account_id,
        }}
      />
      <WhyVerdict of={account_id} />
    </section>
  )
}

type StoppableView = ReturnType<typeof useStoppableView>

/** Keeps an account up to date. A network that does not respond delays each read by 2 s, so a person can stop the reads. */
function useStoppableView(id: string) {
  /** `stopped`: the view is the last one that was read, if any, and no longer follows the account. */
  const [phase, setPhase] = useState<'reading' | 'read' | 'stopped'>('reading')
  const [round, setRound] = useState(1)
  const stopping = useRef(new AbortController())
  const { data, refusal } = useLoaded(
    `${round}`,
    async () => {
      const { signal } = stopping.current
      if (!signal.aborted) setPhase('reading')
      try {
        return await lookAt(id, signal)
      } finally {
        if (!signal.aborted) setPhase('read')
      }
    },
    (message) => !stopping.current.signal.aborted && changesHoldings(id, message),
  )
  return {
    phase,
    view: useSteady(data),
    refusal,
    stop() {
      stopping.current.abort()
      setPhase('stopped')
    },
    again() {
      stopping.current = new AbortController()
      setRound(round + 1)
    },
  }
}

/** In whole units. */
const usual = [
  { asset: 'USDC', amount: '1000' },
  { asset: 'WETH', amount: '1' },
  { asset: 'ETH', amount: '1' },
]

function Fund({ id }: { id: string }) {
  const [network, setNetwork] = useState<NetworkName>('base')
  const [asset, setAsset] = useState('USDC')
  const [amount, setAmount] = useState('1000')
  const symbols = assetsOn(network)
  const decimals = assets.value[asset]?.decimals
  const smallest = decimals === undefined ? undefined : typedAmount(amount, asset, decimals)
  const give = (given: string, symbol: string): Promise<boolean> =>
    attempt(`Added ${given} ${symbol} on ${network}`, async () => {
      const units = typedAmount(given, symbol, assets.value[symbol]?.decimals ?? 0)
      const body = { account_id: id, asset: symbol, amount: units ?? given, network }
      await answered(controlApi.POST('/_sim/fund', { body }))
    })
  return (
    <Panel title="Give funds" kind="steers">
      <Form class="fund columns fit" onSubmit={() => give(amount.trim(), asset)}>
        <Choice
          label="Network"
          of={(overview.value?.networks ?? []).map((each) => each.network)}
          value={network}
          onChange={(value) => setNetwork(value as NetworkName)}
        />
        <Choice
          label="Asset"
          of={[...new Set([...symbols, asset])]}
          value={asset}
          onChange={setAsset}
        />
        <TextField
          label="Amount"
          inputMode="decimal"
          value={amount}
          aria-invalid={amount !== '' && decimals !== undefined && smallest === undefined}
          onInput={setAmount}
        />
        <button type="submit" class="primary" disabled={smallest === undefined}>
          Fund
        </button>
      </Form>
      <div class="row">
        {usual
          .filter((each) => symbols.includes(each.asset))
          .map((offer) => (
            <button key={offer.asset} type="button" onClick={() => give(offer.amount, offer.asset)}>
              +{offer.amount} {offer.asset}
            </button>
          ))}
      </div>
      <p class="small">
        In whole units (<code>raw:10</code> is in the smallest), added to the wallet’s balance.
      </p>
    </Panel>
  )
}

function History({ view: { activities, events } }: { view: AccountView }) {
  return (
    <div class="main-and-side stack">
      <Panel title="Activities" aside={<Count of={activities} />}>
        <List empty="None yet.">
          {activities.map((activity) => (
            <li key={activity.activity_id} class="activity spread">
              <span class="words">
                <a href={href(['timeline', activity.activity_id])}>{activity.activity_id}</a>
                <span class="small">
                  {shownTime(activity.occurred_at)}
                  {activity.activity_type === 'exogenous' ? ', from outside' : ''}
                </span>
                {activity.items.map(({ action_type, action_context, state }, i) => (
                  <Sentence key={i} type={action_type} context={action_context} state={state} />
                ))}
              </span>
              <span class={`pill ${activity.activity_status}`}>{activity.activity_status}</span>
            </li>
          ))}
        </List>
      </Panel>
      <Panel title="Events" aside={<Count of={events} />}>
        <EventFeed of={events} />
      </Panel>
    </div>
  )
}
