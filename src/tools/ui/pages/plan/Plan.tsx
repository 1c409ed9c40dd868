import { useEffect, useState } from 'preact/hooks'
import { changesAccounts, changesHoldings, findAccounts, lookAt } from '../../api/accounts.js'
import { documentOf } from '../../api/session.js'
import { newestSigner } from '../../api/signers.js'
import { useLoaded } from '../../api/useLoaded.js'
import { AccountField, accountIn } from '../../parts/AccountField.js'
import { Choice } from '../../parts/controls.js'
import { Described } from '../../parts/labels.js'
import { go, goInstead, href } from '../../shell/route.js'
import { planForms } from './forms.js'
import { Planning } from './Planning.js'

export default function Plan({ rest: [id, name] }: { rest: readonly string[] }) {
  const { data: forms } = useLoaded('forms', async () =>
    planForms(await documentOf('/openapi.json')),
  )
  const { data: view, refusal } = useLoaded(
    id,
    () => lookAt(id ?? ''),
    (message) => changesAccounts(message) || changesHoldings(id ?? '', message),
  )
  const isGone = refusal && (refusal.status === 404 || !view)
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
      {isGone && (
        <p role="alert" class="refused-text">
          {refusal.message}. Choose another account.
        </p>
      )}
      {form && view && !isGone && <Planning key={`${id} ${form.name}`} view={view} form={form} />}
    </div>
  )
}

/** The account that is chosen, at first the one that this tab made last; or a text that finds one. */
function AccountPicker({ id, onChoose }: { id: string | undefined; onChoose(id: string): void }) {
  const [typed, setTyped] = useState<string>()
  const signer = newestSigner.value
  const own = useLoaded(signer, () => findAccounts({ q: signer ?? '', limit: 1 }), changesAccounts)
  const newest = own.data?.accounts[0]?.account_id
  // Somebody who has just created an account wants that one.
  useEffect(() => {
    if (id === undefined && newest !== undefined) goInstead(['plan', newest])
  }, [id, newest])
  const any = useLoaded('any', () => findAccounts({ limit: 1 }), changesAccounts).data
  if (any?.total === 0)
    return (
      <p>
        No accounts yet. <a href={href(['accounts'])}>Create one first</a>.
      </p>
    )
  return (
    <AccountField
      label="Account"
      value={typed ?? id ?? ''}
      unfinished="Choose one of the offered accounts."
      onInput={(text) => {
        const chosen = accountIn(text)
        setTyped(chosen === undefined ? text : undefined)
        if (chosen !== undefined) onChoose(chosen)
      }}
    />
  )
}
