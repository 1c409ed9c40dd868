import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../../../../clients/client/types.js'
import { positionsOf } from '../../../../service/folio/positions.js'
import { isOtherState } from '../../api/accounts.js'
import { assets, assetsOn, symbolAt } from '../../api/assets.js'
import { networkOfChain, onMessage } from '../../api/live.js'
import { answered, serviceApi, world } from '../../api/session.js'
import { keepInTab, kept } from '../../api/tabStorage.js'
import type { AccountView } from '../../api/types.js'
import { useAsking } from '../../api/useAsking.js'
import { type Loaded, useLoaded } from '../../api/useLoaded.js'
import { Form } from '../../parts/controls.js'
import { Flights } from '../../parts/Flights.js'
import { bodyOf, type FormValues, fieldOf, fieldValuesOf } from '../../parts/formValues.js'
import { moneyText } from '../../parts/Money.js'
import { shownUnits, typedAmount } from '../../parts/money.js'
import { SchemaFields } from '../../parts/SchemaFields.js'
import { RefusalBox, WhyVerdict } from '../../parts/verdicts.js'
import { href } from '../../shell/route.js'
import { assetFieldOf, offersOf, type PlanForm } from './forms.js'
import { PlanPanel } from './PlanPanel.js'
import { askForPlan, useActivity } from './requests.js'

interface Made {
  plan: Schemas['Plan']
  activityId?: string
}

export function Planning({ view, form }: { view: AccountView; form: PlanForm }) {
  const name = `plan ${world.value ?? ''} ${view.account.account_id} ${form.name}`
  const [before] = useState(() => kept<{ values?: FormValues; made?: Made }>(name))
  const [typed, setValues] = useState(before?.values)
  const values = typed ?? exampleOf(form)
  const [made, setMade] = useState(before?.made)
  // At once: a reload may come before the next frame.
  useLayoutEffect(() => keepInTab(name, { values: typed, made }), [typed, made])
  const followed = useActivity(view, made?.activityId)
  const { isAsking, refusal, ask, forgetRefusal } = useAsking()
  // The plan belongs to the state before.
  useEffect(
    () =>
      onMessage((message) => {
        if (!isOtherState(message)) return
        setMade(undefined)
        forgetRefusal()
      }),
    [],
  )
  const network = typeof values.network === 'string' ? values.network : undefined
  const make = () =>
    ask(async () => {
      setMade(undefined)
      const body = bodyOf(form.schema, sentValues(form, values))
      setMade({ plan: await askForPlan(view, form.name, body) })
    })
  const known = useKnown(view, network)
  const field = refusal && fieldOf(refusal.message, form.schema)
  return (
    <div class="planning stack">
      <Form class="panel" aria-label={`Plan ${form.name}`} onSubmit={make}>
        <SchemaFields
          id="plan"
          schema={form.schema}
          values={values}
          onChange={setValues}
          refused={refusal && { field, message: refusal.message, hint: refusal.hint }}
          offers={(name) => offersOf(name, values, form.name, known)}
          meaning={(name) => meaningOf(name, form, values)}
        />
        {refusal && <RefusalBox refusal={refusal} isShort={field !== undefined} />}
        <div class="row">
          <button
            type="submit"
            class="primary"
            disabled={isAsking || Object.keys(assets.value).length === 0}
          >
            {isAsking ? 'Planning…' : 'Make the plan'}
          </button>
          <Held view={view} network={network} />
        </div>
      </Form>
      {made && (
        <PlanPanel
          plan={made.plan}
          view={view}
          isExecuted={made.activityId !== undefined}
          isNew={made.plan !== before?.made?.plan}
          activity={followed.data}
          onSent={(activityId) => setMade({ ...made, activityId })}
        />
      )}
      {made?.activityId !== undefined && (
        <ExecutionPanel
          accountId={view.account.account_id}
          planId={made.plan.plan_id}
          activityId={made.activityId}
          followed={followed}
        />
      )}
    </div>
  )
}

function useKnown({ folio }: AccountView, network: string | undefined) {
  const { data } = useLoaded('markets', () => answered(serviceApi.GET('/markets')))
  const symbols = assetsOn(network)
  return { folio, symbols, markets: data?.markets ?? [], networkOf: networkOfChain, symbolAt }
}

/** What was typed into a field with an amount, and in smallest units when it is an amount of the field's asset. */
function amountTyped(name: string, { schema }: PlanForm, values: FormValues) {
  const text = values[name]
  const asset = assetFieldOf(name, schema)
  const symbol = asset === undefined ? undefined : values[asset]
  if (typeof text !== 'string' || typeof symbol !== 'string') return
  const decimals = assets.value[symbol]?.decimals
  // The service refuses an unknown asset, and not the amount.
  const raw = typedAmount(text, symbol, decimals ?? 18)
  return { text, symbol, raw, isKnown: decimals !== undefined }
}

function meaningOf(name: string, form: PlanForm, values: FormValues): string | undefined {
  const typed = amountTyped(name, form, values)
  if (!typed?.isKnown) return
  const { text, symbol, raw } = typed
  if (raw !== undefined) return `= ${moneyText({ raw, symbol })}, raw:${raw}`
  return /\d/.test(text) ? `Not a valid amount of ${symbol}.` : undefined
}

function exampleOf(form: PlanForm): FormValues {
  const values = fieldValuesOf(form.example)
  const entries = Object.entries(values).map(([name, value]) => {
    const field = assetFieldOf(name, form.schema)
    if (field === undefined || !/^\d+$/.test(`${value}`)) return [name, value]
    const asset = assets.value[`${values[field]}`]
    return [
      name,
      asset ? shownUnits(`${value}`, asset.decimals).replaceAll(',', '') : `raw:${value}`,
    ]
  })
  return Object.fromEntries(entries)
}

/** The fields as the service takes them: amounts in smallest units. */
function sentValues(form: PlanForm, values: FormValues): FormValues {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    amountTyped(name, form, values)?.raw ?? value,
  ])
  return Object.fromEntries(entries)
}

function Held({
  view: { account, folio, missing },
  network,
}: {
  view: AccountView
  network: string | undefined
}) {
  const held = (folio ? positionsOf(folio) : []).flatMap((position) => {
    const { kind, amount, decimals, symbol, network: net } = position
    const units = shownUnits(amount.toString(), decimals)
    return kind === 'balance' ? [`${units} ${symbol} on ${net}`] : []
  })
  return (
    <span class="small">
      {held.length === 0 && missing.length > 0
        ? `Balances on ${missing.map((each) => each.network).join(', ')} are unknown: no response.`
        : held.length === 0
          ? 'The wallet is empty on all networks.'
          : `The wallet has ${held.slice(0, 4).join(', ')}${held.length > 4 ? ' …' : ''}.`}{' '}
      <a href={href(['accounts', account.account_id])}>Fund it</a>.
      {held.length > 0 &&
        network !== undefined &&
        ` The plan bridges what is missing on ${network}.`}
    </span>
  )
}

function ExecutionPanel({
  accountId,
  planId,
  activityId,
  followed: { data: activity, refusal },
}: {
  accountId: string
  planId: string
  activityId: string
  followed: Loaded<Schemas['Activity']>
}) {
  const status = activity?.activity_status ?? 'pending'
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [status])
  return (
    <section ref={panel} class={`panel execution ${status}`} aria-labelledby="execution-title">
      <header>
        <h2 id="execution-title">
          Execution <a href={href(['timeline', activityId])}>{activityId}</a>
        </h2>
        <span class={`pill ${status}`} role="status">
          {status}
        </span>
      </header>
      {refusal && <RefusalBox refusal={refusal} />}
      <WhyVerdict of={activityId} />
      <Flights of={{ activity_id: activityId }} />
      {status !== 'pending' && (
        <div class="row">
          <a class="button" href={href(['timeline', planId])}>
            {status === 'failed' ? 'Why did it fail?' : 'Full timeline'}
          </a>
          <a class="button" href={href(['accounts', accountId])}>
            Open the account
          </a>
        </div>
      )}
    </section>
  )
}
