import { useEffect, useState } from 'preact/hooks'
import {
  type AccountView,
  type ListedAccount,
  lookAt,
  onAccounts,
  onHoldings,
} from '../../api/accounts.js'
import { coalesced } from '../../api/coalesced.js'
import { documentOf } from '../../api/documents.js'
import { answered, Refused } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { canSign } from '../../api/signers.js'
import { Described } from '../../parts/Described.js'
import { go, goInstead, href } from '../../shell/route.js'
import '../../styles/forms.css'
import '../../styles/plan.css'
import { type PlanForm, planForms } from './kinds.js'
import { Planning } from './Planning.js'

/** Plans, signs and executes for an account, as a client would. */
export default function Plan({ rest: [id, name] }: { rest: readonly string[] }) {
  const forms = useForms()
  const view = useAccount(id)
  const form = forms?.find((each) => each.name === name) ?? forms?.[0]
  return (
    <div class="plan-page">
      <div class="panel chooser">
        <AccountPicker id={id} kind={name} />
        {forms && form && (
          <label class="field">
            <span>Plan kind</span>
            <select
              value={form.name}
              disabled={id === undefined}
              onChange={({ currentTarget }) => go(['plan', id ?? '', currentTarget.value])}
            >
              {forms.map((each) => (
                <option key={each.name} value={each.name}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
        )}
        {form && (
          <p class="about">
            <strong>{form.summary}.</strong> <Described text={form.description} />
          </p>
        )}
      </div>
      {typeof view === 'string' && (
        <p role="alert" class="refused-text">
          {view}
        </p>
      )}
      {form && view && typeof view !== 'string' && (
        <Planning key={`${id} ${form.name}`} view={view} form={form} />
      )}
    </div>
  )
}

function useForms(): readonly PlanForm[] | undefined {
  const [forms, setForms] = useState<readonly PlanForm[]>()
  useEffect(() => {
    void documentOf('/openapi.json').then((document) => setForms(planForms(document)))
  }, [])
  return forms
}

/** The account, or why there is none; looked at again when there may be others. */
function useAccount(id: string | undefined): AccountView | string | undefined {
  const [view, setView] = useState<AccountView | string>()
  useEffect(() => {
    let isHere = true
    setView(undefined)
    if (id === undefined) return
    const load = coalesced(async () => {
      try {
        const found = await lookAt(id)
        if (isHere) setView(found)
      } catch (error) {
        if (!isHere) return
        // Without an answer, what was seen last stands.
        const isGone = error instanceof Refused && error.status === 404
        const why = `${(error as Error).message}. Choose another account.`
        setView((before) => (isGone || typeof before !== 'object' ? why : before))
      }
    })
    load()
    const stops = [onAccounts(load), onHoldings(id, load)]
    return () => {
      isHere = false
      for (const stop of stops) stop()
    }
  }, [id])
  return view
}

function AccountPicker({ id, kind }: { id: string | undefined; kind: string | undefined }) {
  const [accounts, setAccounts] = useState<readonly ListedAccount[]>()
  useEffect(() => {
    const load = coalesced(async () => {
      const query = { limit: 1_000 }
      setAccounts(
        (await answered(controlApi.GET('/_sim/accounts', { params: { query } }))).accounts,
      )
    })
    load()
    return onAccounts(load)
  }, [])
  const own = accounts?.filter(({ signer_address }) => canSign(signer_address)) ?? []
  const newest = own.at(-1)?.account_id
  // Who has just made an account means that one.
  useEffect(() => {
    if (id === undefined && newest !== undefined) goInstead(['plan', newest])
  }, [id, newest])
  if (accounts?.length === 0)
    return (
      <p>
        No accounts yet. <a href={href(['accounts'])}>Create one first</a>.
      </p>
    )
  const others = accounts?.filter((each) => !own.includes(each)) ?? []
  const isListed = id === undefined || accounts?.some(({ account_id }) => account_id === id)
  return (
    <label class="field">
      <span>Account</span>
      <select
        value={id ?? ''}
        onChange={({ currentTarget }) => {
          const rest = kind === undefined ? [] : [kind]
          if (currentTarget.value !== '') go(['plan', currentTarget.value, ...rest])
        }}
      >
        {id === undefined && <option value="">Choose an account</option>}
        {!isListed && <option value={id}>{id}</option>}
        {own.length > 0 && (
          <optgroup label="signs here">
            {own.map(({ account_id }) => (
              <option key={account_id} value={account_id}>
                {account_id}
              </option>
            ))}
          </optgroup>
        )}
        {others.length > 0 && (
          <optgroup label="signs elsewhere">
            {others.map(({ account_id }) => (
              <option key={account_id} value={account_id}>
                {account_id}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  )
}
