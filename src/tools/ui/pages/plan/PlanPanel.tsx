import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import { isFillOf } from '../../../../service/plans/model/contexts.js'
import { endedPlans, networkOfChain, now } from '../../api/live.js'
import { canSign, takeKey } from '../../api/signers.js'
import type { AccountView } from '../../api/types.js'
import { useAsking } from '../../api/useAsking.js'
import { Form, TextField } from '../../parts/controls.js'
import { Due } from '../../parts/Flights.js'
import { HashLink } from '../../parts/Linked.js'
import { NetworkLabel } from '../../parts/labels.js'
import { Money, Sentence } from '../../parts/Money.js'
import { moneyIn, shownWorth } from '../../parts/money.js'
import { CopiedFacts, Facts } from '../../parts/panels.js'
import { planLife } from '../../parts/plans.js'
import { asText, shownSpan } from '../../parts/text.js'
import { RefusalBox, WhyVerdict } from '../../parts/verdicts.js'
import { href } from '../../shell/route.js'
import { signAndExecute } from './requests.js'

interface PlanPanelProps {
  plan: Schemas['Plan']
  view: AccountView
  isExecuted: boolean
  isNew: boolean
  activity: Schemas['Activity'] | undefined
  onSent(activityId: string): void
}

export function PlanPanel({ plan, view, isExecuted, isNew, activity, onSent }: PlanPanelProps) {
  const { plan_id, expires_at, details } = plan
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew) box.current?.focus()
  }, [plan_id])
  const left = (Date.parse(expires_at) - (now.value ?? 0)) / 1000
  const end = endedPlans.value.get(plan_id) ?? (!isExecuted && left <= 0 ? 'expired' : undefined)
  return (
    <section ref={box} tabIndex={-1} class="panel made-plan" aria-labelledby="plan-title">
      <header>
        <h2 id="plan-title">
          Plan <a href={href(['timeline', plan_id])}>{plan_id}</a>
        </h2>
        {(end || !isExecuted) && (
          <span class={`pill ${end ? 'bad' : `countdown ${left > 30 ? 'good' : 'warn'}`}`}>
            {end ?? `${shownSpan(left)} left`}
          </span>
        )}
      </header>
      {!isExecuted && !end && (
        <>
          <progress max={planLife} value={left} aria-label="Time left" />
          <p class="small">
            It expires <Due at={expires_at} early={1} what="one second before" />.
          </p>
        </>
      )}
      <ol class="operations">
        {details.svc_operation_actions.map((operation, i) => (
          <OperationCard key={i} {...operation} activity={activity} view={view} />
        ))}
      </ol>
      <details>
        <summary>What is signed</summary>
        <CopiedFacts of={details.eip712_data} />
      </details>
      {!isExecuted && <Signing plan={plan} view={view} end={end} onSent={onSent} />}
    </section>
  )
}

type PlannedOperation = Schemas['Plan']['details']['svc_operation_actions'][number]

function OperationCard({
  operation,
  action,
  activity,
  view,
}: PlannedOperation & Pick<PlanPanelProps, 'activity' | 'view'>) {
  const network = networkOfChain(action.chain_id)
  const items = activity?.activity_metadata ?? []
  const item = items.find(({ svc_operation_nonce }) => svc_operation_nonce === operation.nonce)
  const mint = item && items.find((each) => isMintOf(each, item))
  const state = stateOf(item, mint)
  // The same activity, with what really moved.
  const seen = view.activities.find(({ activity_id }) => activity_id === activity?.activity_id)
  const told = item && seen?.items[items.indexOf(item)]
  const { action_context } = told?.action_type === action.action_type ? told : action
  const when = action.execution_type === 'IMMEDIATE' ? 'immediately' : 'after the bridge delivers'
  const [tone, words] = shownStates[state] ?? ['', when]
  const fields = Object.entries(action.action_context).filter(
    ([name]) => name !== 'action_type' && name !== 'chain_id',
  )
  return (
    <li class={`operation ${state === 'returned' ? 'failed' : state}`} data-network={network}>
      <header class="words">
        <Sentence type={action.action_type} context={action_context} />
        <span class={`pill ${tone}`}>{words}</span>
      </header>
      {[item, mint].map((operation, index) => (
        <div key={index}>
          {operation?.transaction_hash && <HashLink hash={operation.transaction_hash} />}
          {operation?.revert_reason && <p class="refused-text">{operation.revert_reason}</p>}
        </div>
      ))}
      <details>
        <summary>All planned fields of {action.action_type}</summary>
        <Facts
          of={fields.map(([name, value]) => [
            name,
            <>
              <code>{asText(value)}</code>
              <Meaning name={name} value={value} context={action.action_context} />
            </>,
          ])}
        />
      </details>
      <details>
        <summary>Raw operation</summary>
        <CopiedFacts of={operation} />
      </details>
    </li>
  )
}

type Item = Schemas['ActivityItem']

/** Tone and words of the states that end the wait for an operation, or say what it waits for. */
const shownStates: Readonly<Record<string, readonly [tone: string, words: string]>> = {
  confirmed: ['good', 'done'],
  failed: ['bad', 'failed'],
  flying: ['warn', 'in flight'],
  returned: ['bad', 'did not arrive'],
  short: ['bad', 'arrived in part'],
}

/** The state of an operation. A bridge is done when the money has arrived. */
function stateOf(item: Item | undefined, mint: Item | undefined): string {
  if (item?.success === false) return 'failed'
  if (!item?.success) return item ? 'pending' : 'planned'
  if (!mint?.success && mint) return mint.success === null ? 'flying' : 'returned'
  return mint && outputOf(mint) !== outputOf(item) ? 'short' : 'confirmed'
}

const outputOf = (of: Item) => (of.action_context as { output_amount?: string }).output_amount

function isMintOf({ action_context: fill }: Item, { action_context: sent }: Item): boolean {
  return fill.action_type === 'BRIDGE_MINT' && sent.action_type === 'BRIDGE' && isFillOf(fill, sent)
}

/** The value in words: amounts in whole units, prices in USD, networks by name. */
function Meaning({ name, value, context }: { name: string; value: unknown; context: object }) {
  const money = moneyIn(name, context as Record<string, unknown>)
  if (money.length > 0) return money.map((each, index) => <Money key={index} {...each} />)
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === 'string' && /^\d+$/.test(each),
  )
  if (name.endsWith('chain_id'))
    return texts.map((each) => <NetworkLabel key={each} network={networkOfChain(each)} />)
  if (!/prices?$/.test(name)) return null
  return texts.map((price, index) => (
    <span key={index} class="small">
      {shownWorth('1', 0, price)}
    </span>
  ))
}

function Signing({
  plan,
  view,
  end,
  onSent,
}: Pick<PlanPanelProps, 'plan' | 'view' | 'onSent'> & { end: string | undefined }) {
  const { isAsking, refusal, ask } = useAsking()
  const { signer_address } = view.account
  const send = () => ask(async () => onSent((await signAndExecute(view, plan)).activity_id))
  if (!canSign(signer_address) && !end) return <KeyForm signerAddress={signer_address} />
  return (
    <>
      {refusal && <RefusalBox refusal={refusal} of={plan.plan_id} />}
      {!refusal && end && <WhyVerdict key={end} of={plan.plan_id} />}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={isAsking || (end !== undefined && end !== 'stale')}
          onClick={send}
        >
          {isAsking ? 'Executing…' : 'Sign and execute'}
        </button>
        <span class="small">
          {!end && `Signs as ${signer_address.slice(0, 10)}… with the key in this tab.`}
        </span>
      </div>
    </>
  )
}

function KeyForm({ signerAddress }: { signerAddress: string }) {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <Form
      class="key-form stack tight"
      // When it is taken, what signs stands here instead.
      onSubmit={() =>
        takeKey(key.trim(), signerAddress).catch((error: Error) => setProblem(error.message))
      }
    >
      <TextField
        label={`Private key of the signer ${signerAddress}, kept in this tab until it is closed`}
        type="password"
        autocomplete="off"
        required
        value={key}
        aria-invalid={problem !== undefined}
        onInput={setKey}
      />
      {problem !== undefined && (
        <p role="alert" class="refused-text">
          {problem}
        </p>
      )}
      <button type="submit">Use this key</button>
    </Form>
  )
}
