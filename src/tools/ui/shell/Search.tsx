import { useState } from 'preact/hooks'
import { findAccounts } from '../api/accounts.js'
import { assets } from '../api/assets.js'
import { faults, isReadOnly, overview } from '../api/live.js'
import { answered, controlApi, documentOf } from '../api/session.js'
import { useLoaded } from '../api/useLoaded.js'
import { Form, TextField } from '../parts/controls.js'
import { type Found, foundAtOnce } from './found.js'
import { KeyDialog } from './KeyDialog.js'
import { shownPages } from './pages.js'
import { go, href } from './route.js'

export function Search() {
  const [text, setText] = useState('')
  const { found, isKnown } = useFound(text.trim())
  return (
    <KeyDialog
      title="Search"
      opensOn={({ key, ctrlKey, metaKey }) => key.toLowerCase() === 'k' && (ctrlKey || metaKey)}
    >
      {(close) => (
        <Form
          class="stack tight"
          onSubmit={() => {
            const [first] = found
            if (!first) return
            go(first.path, first.query)
            close()
          }}
        >
          <TextField
            label="Id, hash, wallet, block, network, token, error code, fault or action"
            value={text}
            maxLength={80}
            autocomplete="off"
            onInput={setText}
          />
          <ul class="list" aria-label="Results">
            {found.map(({ title, path, query }) => (
              <li key={`${title} ${path}`}>
                <a href={href(path, query)} onClick={close}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
          <p class="small" role="status">
            {text.trim() !== '' && found.length === 0 && isKnown && 'Nothing found.'}
          </p>
        </Form>
      )}
    </KeyDialog>
  )
}

function useFound(text: string): { found: readonly Found[]; isKnown: boolean } {
  const isSought = text.length >= 3
  const { data } = useLoaded(isSought ? text : undefined, () => findAccounts({ q: text, limit: 5 }))
  const { data: named } = useLoaded(text === '' ? undefined : 'named', loadNamed)
  const accounts = (isSought ? (data?.accounts ?? []) : []).map(
    ({ account_id, svc_wallet_address }) => ({
      title: `Account ${account_id}, wallet ${svc_wallet_address}`,
      path: ['accounts', account_id],
    }),
  )
  const networks = overview.value?.networks ?? []
  const tokens = Object.entries(assets.value).flatMap(([symbol, asset]) =>
    Object.entries(asset.networks).map(([network, { address }]) => ({
      name: `Token ${symbol}`,
      address,
      network,
    })),
  )
  const contracts = networks
    .slice(0, 1)
    .flatMap(({ network }) => (named?.contracts ?? []).map((each) => ({ ...each, network })))
  const known = {
    pages: shownPages.value,
    networks,
    rules: faults.value.map(({ id }) => id),
    codes: named?.codes ?? [],
    effects: named?.effects ?? [],
    addresses: [...tokens, ...contracts],
  }
  return {
    found: [...foundAtOnce(text, known), ...accounts],
    isKnown: (!isSought || !!data) && !!named,
  }
}

/** What has a name in the documents, and the simulator's contracts: asked for when somebody types. */
async function loadNamed() {
  const [{ paths }, { effects }, contracts] = await Promise.all([
    documentOf('/openapi.json'),
    answered(controlApi.GET('/_sim/effects')),
    isReadOnly.peek()
      ? ({} as Record<string, string>)
      : answered(controlApi.GET('/_sim/connect')).then((connection) => connection.contracts),
  ])
  const texts = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses = {} }) => Object.values(responses))
    .map(({ description = '' }) => description)
  const codes = texts.flatMap((text) => [...text.matchAll(/^`(\w+)`: /gm)].map(([, code]) => code!))
  return {
    codes: [...new Set(codes)].sort(),
    effects: effects.map(({ on, effect }) => `${on}.${effect}`),
    contracts: Object.entries(contracts).map(([name, address]) => ({
      name: `Contract ${name}`,
      address,
    })),
  }
}
