import { changesAccounts, changesHoldings, lookAt } from '../../api/accounts.js'
import { documentOf } from '../../api/documents.js'
import type { AccountView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Choice } from '../../parts/controls.js'
import { Described } from '../../parts/labels.js'
import { go } from '../../shell/route.js'
import { AccountPicker } from './AccountPicker.js'
import { type PlanForm, planForms } from './kinds.js'
import { Planning } from './Planning.js'

/** Plans, signs and executes for an account, as a client would. */
export default function Plan({ rest: [id, name] }: { rest: readonly string[] }) {
  const forms = useForms()
  const view = useAccount(id)
  const form = forms?.find((each) => each.name === name) ?? forms?.[0]
  return (
    <div class="stack">
      <div class="panel chooser">
        <AccountPicker
          id={id}
          onChoose={(chosen) => go(['plan', chosen, ...(name === undefined ? [] : [name])])}
        />
        {forms && form && (
          <Choice
            label="Plan kind"
            of={forms.map((each) => each.name)}
            value={form.name}
            disabled={id === undefined}
            onChange={(kind) => go(['plan', id ?? '', kind])}
          />
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
  const { data } = useLoaded('forms', async () => planForms(await documentOf('/openapi.json')))
  return data
}

/** The account, or why there is none; looked at again when there may be others, or when it may have something else. */
function useAccount(id: string | undefined): AccountView | string | undefined {
  const { data, refusal } = useLoaded(
    id,
    () => lookAt(id ?? ''),
    (message) => changesAccounts(message) || changesHoldings(id ?? '', message),
  )
  const isGone = refusal?.status === 404 || (refusal && !data)
  return isGone ? `${refusal.message}. Choose another account.` : data
}
