import { changesAccounts, findAccounts } from '../api/accounts.js'
import { canSign } from '../api/signers.js'
import { useLoaded, useSteady } from '../api/useLoaded.js'
import { TextField } from './controls.js'

const offered = 20

export const accountIn = (text: string): string | undefined =>
  /^acc_[0-9A-Za-z]{12,32}$/.test(text) ? text : undefined

export function AccountField({
  label,
  placeholder = '',
  value,
  unfinished,
  onInput,
}: {
  label: string
  placeholder?: string
  value: string
  /** What to do while the text is no id. */
  unfinished: string
  onInput(text: string): void
}) {
  const search = () => findAccounts({ q: value, limit: offered })
  const page = useSteady(useLoaded(`accounts ${value}`, search, changesAccounts).data)
  const isUnfinished = value !== '' && accountIn(value) === undefined
  return (
    <div>
      <TextField
        label={label}
        placeholder={`${placeholder}part of an id, signer or wallet`}
        autocomplete="off"
        list="found-accounts"
        value={value}
        aria-invalid={isUnfinished}
        onInput={(text) => onInput(text.trim())}
      />
      <datalist id="found-accounts">
        {page?.accounts.map(({ account_id, svc_wallet_address, signer_address }) => (
          <option
            key={account_id}
            value={account_id}
            label={`${account_id}: wallet ${svc_wallet_address}, signer ${signer_address}${canSign(signer_address) ? ', signs here' : ''}`}
          />
        ))}
      </datalist>
      <p class="small" role="status">
        {isUnfinished && (page?.accounts.length === 0 ? 'No account has this text.' : unfinished)}
      </p>
    </div>
  )
}
