import { useEffect, useState } from 'preact/hooks'
import { changesAccounts, changesHoldings, findAccounts, lookAt } from '../../api/accounts.js'
import { documentOf } from '../../api/session.js'
import { canSign, newestSigner } from '../../api/signers.js'
import type { AccountView, ListedAccount } from '../../api/types.js'
import { useLoaded, useSteady } from '../../api/useLoaded.js'
import { Choice } from '../../parts/controls.js'
import { Described } from '../../parts/labels.js'
import { go, goInstead, href } from '../../shell/route.js'
import { planForms } from './forms.js'
import { Planning } from './Planning.js'

export default function Plan({ rest: [id, name] }: { rest: readonly string[] }) {
  const { data: forms } = useLoaded('forms', async () =>
    planForms(await documentOf('/openapi.json')),
  )
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

/** The account, kept up to date, or why there is none. */
function useAccount(id: string | undefined): AccountView | string | undefined {
  const { data, refusal } = useLoaded(
    id,
    () => lookAt(id ?? ''),
    (message) => changesAccounts(message) || changesHoldings(id ?? '', message),
  )
  const isGone = refusal?.status === 404 || (refusal && !data)
  return isGone ? `${refusal.message}. Choose another account.` : data
}

const offered = 8

/** Offers the account of this tab and the newest; finds any other by a part of its id, signer or wallet. */
function AccountPicker({ id, onChoose }: { id: string | undefined; onChoose(id: string): void }) {
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const { accounts, hasNone, newestOwn } = useOffered(typed ?? '')
  // Somebody who has just created an account wants that one.
  useEffect(() => {
    if (id === undefined && newestOwn !== undefined) goInstead(['plan', newestOwn])
  }, [id, newestOwn])
  if (hasNone)
    return (
      <p>
        No accounts yet. <a href={href(['accounts'])}>Create one first</a>.
      </p>
    )
  const isOpen = typed !== undefined && accounts.length > 0
  const choose = (account: ListedAccount | undefined): void => {
    setTyped(undefined)
    if (account) onChoose(account.account_id)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setActive((active + 1) % accounts.length),
    ArrowUp: () => setActive((active + accounts.length - 1) % accounts.length),
    Enter: () => choose(accounts[active]),
    Escape: () => setTyped(undefined),
  }
  return (
    <div class="field picker">
      <label class="small" for="account-picker">
        Account
      </label>
      <input
        id="account-picker"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls="account-picker-list"
        aria-activedescendant={isOpen ? `offered-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="part of an id, signer or wallet"
        value={typed ?? id ?? ''}
        onFocus={({ currentTarget }) => {
          setTyped('')
          currentTarget.select()
        }}
        onBlur={() => setTyped(undefined)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value.trim())
          setActive(0)
        }}
        onKeyDown={(event) => {
          const act = isOpen ? keys[event.key] : undefined
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <div
        id="account-picker-list"
        class="offered"
        role="listbox"
        aria-label="Accounts"
        hidden={!isOpen}
      >
        {accounts.map((account, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input has focus and keys
          <div
            key={account.account_id}
            id={`offered-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the input loses the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(account)}
          >
            <code>{account.account_id}</code>
            {canSign(account.signer_address) && <span class="pill good">signs here</span>}
          </div>
        ))}
      </div>
      <p class="small" role="status">
        {typed !== undefined &&
          typed !== '' &&
          accounts.length === 0 &&
          'No account has this text.'}
      </p>
    </div>
  )
}

/** The accounts found; without a text, the one that this tab made last, then the newest. */
function useOffered(text: string) {
  const load = () => findAccounts({ q: text, limit: offered })
  const page = useSteady(useLoaded(`q ${text}`, load, changesAccounts).data)
  const signer = newestSigner.value
  const own = useLoaded(
    signer,
    () => findAccounts({ q: signer ?? '', limit: 1 }),
    changesAccounts,
  ).data
  const first = text === '' ? (own?.accounts ?? []) : []
  const others = (page?.accounts ?? []).filter(
    ({ account_id }) => account_id !== first[0]?.account_id,
  )
  return {
    accounts: [...first, ...others],
    hasNone: text === '' && page?.total === 0,
    newestOwn: own?.accounts[0]?.account_id,
  }
}
