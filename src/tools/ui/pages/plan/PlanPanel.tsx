import { useState } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import type { AccountView } from '../../api/accounts.js'
import { assets } from '../../api/assets.js'
import { overview, stalePlans } from '../../api/live.js'
import { now } from '../../api/now.js'
import { Refused } from '../../api/refusal.js'
import { canSign, takeKey } from '../../api/signers.js'
import { Copy } from '../../parts/Copy.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { RefusalBox } from '../../parts/RefusalBox.js'
import { shownSpan, shownUsd, wholeUnits } from '../../parts/text.js'
import { href } from '../../shell/route.js'
import { signAndExecute } from './requests.js'

/** Plans live for 120 seconds. */
const lifeSeconds = 120

interface PlanPanelProps {
  plan: Schemas['Plan']
  view: AccountView
  isExecuted: boolean
  onSent(activityId: string): void
}

/** A plan: what it will do, how long it lives, and the way to execute it. */
export function PlanPanel({ plan, view, isExecuted, onSent }: PlanPanelProps) {
  const { plan_id, expires_at, details } = plan
  const isStale = stalePlans.value.has(plan_id)
  const left = (Date.parse(expires_at) - (now.value ?? 0)) / 1000
  return (
    <section class="panel made-plan" aria-labelledby="plan-title">
      <header>
        <h2 id="plan-title">
          Plan <a href={href(['timeline', plan_id])}>{plan_id}</a>
        </h2>
        {isStale && <span class="pill bad">stale</span>}
        {!isExecuted && !isStale && (
          <span class={`pill countdown ${left > 30 ? 'good' : left > 0 ? 'warn' : 'bad'}`}>
            {left > 0 ? `${shownSpan(left)} left` : 'expired'}
          </span>
        )}
      </header>
      {!isExecuted && !isStale && (
        <progress max={lifeSeconds} value={Math.max(0, left)} aria-label="Time left" />
      )}
      <ol class="operations">
        {details.svc_operation_actions.map((operation, i) => (
          <OperationCard key={i} {...operation} />
        ))}
      </ol>
      <details>
        <summary>What is signed</summary>
        <dl class="facts">
          {Object.entries(details.eip712_data).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
                <Copy label={`Copy ${name}`} text={() => text} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {!isExecuted && (
        <Signing plan={plan} view={view} isExpired={left <= 0} isStale={isStale} onSent={onSent} />
      )}
    </section>
  )
}

function OperationCard({
  operation,
  action,
}: Schemas['Plan']['details']['svc_operation_actions'][number]) {
  const network = networkOfChain(action.chain_id)
  const fields = Object.entries(action.action_context).filter(
    ([name]) => name !== 'action_type' && name !== 'chain_id',
  )
  return (
    <li class="operation" data-network={network}>
      <header>
        <h3>{action.action_type}</h3>
        <NetworkLabel network={network} />
        <span class={action.execution_type === 'IMMEDIATE' ? 'pill' : 'pill warn'}>
          {action.execution_type === 'IMMEDIATE' ? 'at once' : 'when the bridge has delivered'}
        </span>
      </header>
      <dl class="facts">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{shown(value)}</code>
              <Meaning name={name} value={value} context={action.action_context} />
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>The operation</summary>
        <dl class="facts">
          {Object.entries(operation).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{shown(value)}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** What a value of an action says in words: amounts in whole units, prices in USD, networks by their names. */
function Meaning({ name, value, context }: { name: string; value: unknown; context: object }) {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return null
  if (name.endsWith('chain_id')) return <NetworkLabel network={networkOfChain(value)} />
  if (name.endsWith('price')) return <span class="small">{shownUsd(Number(value) / 1e8)}</span>
  const symbol = symbolOf(name, context as Record<string, unknown>)
  const known = symbol === undefined ? undefined : assets.value[symbol]
  if (!known) return null
  return (
    <span class="small">
      {wholeUnits(value, known.decimals)} {symbol}
    </span>
  )
}

/** Of which asset an amount is: `collateral_amount` of `collateral_asset_symbol`. */
function symbolOf(name: string, context: Record<string, unknown>): string | undefined {
  if (!/amount/.test(name)) return undefined
  const stem = /backing/.test(name) ? 'backing' : name.replace(/_?amount$/, '')
  const isOfAsset = ['', 'input', 'output'].includes(stem)
  const symbol = context[`${stem}_asset_symbol`] ?? (isOfAsset ? context.asset_symbol : undefined)
  return typeof symbol === 'string' ? symbol : undefined
}

/** The network with this chain id; the id itself where there is none. */
export function networkOfChain(chainId: string | number): string {
  const known = overview.value?.networks.find(({ chain_id }) => chain_id === Number(chainId))
  return known?.network ?? String(chainId)
}

interface SigningProps extends Omit<PlanPanelProps, 'isExecuted'> {
  isExpired: boolean
  isStale: boolean
}

function Signing({ plan, view, isExpired, isStale, onSent }: SigningProps) {
  const [refusal, setRefusal] = useState<Refused>()
  const [isSending, setSending] = useState(false)
  const { signer_address } = view.account
  const send = async (): Promise<void> => {
    setSending(true)
    setRefusal(undefined)
    try {
      onSent((await signAndExecute(view, plan)).activity_id)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setRefusal(error)
    } finally {
      setSending(false)
    }
  }
  if (!canSign(signer_address)) return <KeyForm signerAddress={signer_address} />
  return (
    <>
      {refusal && <RefusalBox refusal={refusal} of={plan.plan_id} />}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={isSending || isExpired || isStale}
          onClick={send}
        >
          {isSending ? 'Executing…' : 'Sign and execute'}
        </button>
        <span class="small">
          {isStale
            ? 'This plan is stale. Make a new one.'
            : isExpired
              ? 'The service has forgotten an expired plan; make it again.'
              : `Signs the digest as ${signer_address.slice(0, 10)}…, by the key in this tab.`}
        </span>
      </div>
    </>
  )
}

function KeyForm({ signerAddress }: { signerAddress: string }) {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        // When it is taken, what signs stands here instead.
        takeKey(key.trim(), signerAddress).catch((error: Error) => setProblem(error.message))
      }}
    >
      <label class="field">
        <span>Private key of the signer {signerAddress}, kept in this tab until it is closed</span>
        <input
          type="password"
          autocomplete="off"
          required
          value={key}
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      </label>
      {problem !== undefined && (
        <p role="alert" class="refused-text">
          {problem}
        </p>
      )}
      <button type="submit">Take the key</button>
    </form>
  )
}
