import { useEffect, useRef, useState } from 'preact/hooks'
import { changesAccounts, findAccounts } from '../../api/accounts.js'
import { isReadOnly } from '../../api/live.js'
import { answered, serviceApi } from '../../api/session.js'
import { canSign, makeSigner } from '../../api/signers.js'
import type { ListedAccount } from '../../api/types.js'
import { useLoaded, useSteady } from '../../api/useLoaded.js'
import { TextField } from '../../parts/controls.js'
import { CopiedFacts, Panel, Table } from '../../parts/panels.js'
import { shownTime } from '../../parts/text.js'
import { RefusalBox } from '../../parts/verdicts.js'
import { attempt } from '../../shell/notices.js'
import { goInstead, href, useQuery } from '../../shell/route.js'
import { OneAccount } from './OneAccount.js'

export default function Accounts({ rest: [id] }: { rest: readonly string[] }) {
  return id === undefined ? <AccountList /> : <OneAccount key={id} id={id} />
}

const pageSize = 25

function AccountList() {
  const [search] = useQuery('q')
  // The accounts behind which the pages begin, up to the one that is shown.
  const [after, setAfter] = useQuery('after')
  const starts = after === '' ? [] : after.split(',')
  const q = search.trim()
  const load = () => findAccounts({ q, limit: pageSize, after: starts.at(-1) })
  const { data, refusal } = useLoaded(`${q} ${after}`, load, changesAccounts)
  const page = useSteady(data)
  const from = starts.length * pageSize
  return (
    <div class="stack">
      <CreateAccount />
      <Panel
        title="All accounts"
        aside={
          <TextField
            label="Search"
            kind="inline"
            type="search"
            value={search}
            placeholder="id, signer or wallet"
            onInput={(q) => goInstead(['accounts'], { q })}
          />
        }
      >
        {refusal && <RefusalBox refusal={refusal} />}
        {page?.total === 0 ? (
          <p class="empty">
            {search === ''
              ? `None${isReadOnly.value ? '.' : ' yet. Create one above.'}`
              : `No account has “${search}” in its id or addresses.`}
          </p>
        ) : (
          page && <AccountTable accounts={page.accounts} />
        )}
        {page && page.total > pageSize && (
          <div class="row pager">
            <button
              type="button"
              disabled={starts.length === 0}
              onClick={() => setAfter(starts.slice(0, -1).join(','))}
            >
              Newer
            </button>
            <span class="small">
              {from + 1} to {from + page.accounts.length} of {page.total}
            </span>
            <button
              type="button"
              disabled={from + page.accounts.length >= page.total}
              onClick={() => setAfter([...starts, page.accounts.at(-1)?.account_id].join(','))}
            >
              Older
            </button>
          </div>
        )}
      </Panel>
    </div>
  )
}

function AccountTable({ accounts }: { accounts: readonly ListedAccount[] }) {
  const rows = accounts.map((account) => ({
    key: account.account_id,
    cells: [
      <>
        <a href={href(['accounts', account.account_id])}>{account.account_id}</a>
        {canSign(account.signer_address) && <span class="pill good">signs here</span>}
      </>,
      shortened(account.svc_wallet_address),
      shortened(account.signer_address),
      <code>{account.prime_account_id}</code>,
      <span class="small">{shownTime(account.created_at)}</span>,
    ],
  }))
  return (
    <div class="scroller account-table">
      <Table heads={['Account', 'Wallet', 'Signer', 'Prime account', 'Created']} rows={rows} />
    </div>
  )
}

const shortened = (address: string) => (
  <code title={address}>
    {address.slice(0, 10)}…{address.slice(-6)}
  </code>
)

function CreateAccount() {
  const [created, setCreated] = useState<{ id: string; address: string; privateKey: string }>()
  const [isMaking, setMaking] = useState(false)
  const made = useRef<HTMLDivElement>(null)
  useEffect(() => made.current?.focus(), [created])
  const create = async (): Promise<void> => {
    setMaking(true)
    await attempt('Account created', async () => {
      const { address, privateKey } = await makeSigner()
      const body = { signer_type: 'eoa' as const, signer_address: address }
      const account = await answered(serviceApi.POST('/accounts', { body }))
      setCreated({ id: account.account_id, address, privateKey })
    })
    setMaking(false)
  }
  return (
    <Panel
      title="New account"
      kind="steers"
      aside={
        <button type="button" class="primary" disabled={isMaking} onClick={create}>
          Create an account
        </button>
      }
    >
      {created ? (
        <div ref={made} tabIndex={-1} class="created">
          <p>
            <a href={href(['accounts', created.id])}>{created.id}</a> is ready. This tab signs for
            it until you close the tab. To sign elsewhere, copy the key now: it is not shown again.
          </p>
          <CopiedFacts of={{ Signer: created.address, 'Private key': created.privateKey }} />
          <div class="row">
            <a class="button primary" href={href(['accounts', created.id])}>
              Fund it
            </a>
            <a class="button" href={href(['plan', created.id])}>
              Plan with it
            </a>
            <button type="button" class="quiet" onClick={() => setCreated(undefined)}>
              Hide the key
            </button>
          </div>
        </div>
      ) : (
        <p class="small">
          The page creates the signer too, so you can plan, sign and execute without a client.
        </p>
      )}
    </Panel>
  )
}
