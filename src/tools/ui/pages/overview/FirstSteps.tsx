import { useState } from 'preact/hooks'
import { exchanges } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Copy } from '../../parts/controls.js'
import { CopiedFacts, Panel } from '../../parts/panels.js'
import { here, href, useQuery } from '../../shell/route.js'

/** The first steps, until somebody asks for a plan; after that only how to connect a client. */
export function FirstSteps() {
  const newest = exchanges.value.find(
    ({ method, url }) => method === 'POST' && /\/plan\/|^\/_sim\/reset$/.test(url),
  )
  const hasBegun = newest?.url.includes('/plan/') === true
  return (
    <Panel title={hasBegun ? 'Connect a client' : 'First steps'} kind="steers">
      {!hasBegun && (
        <ol class="bullets">
          <li>Connect your client as below, or go on in this page.</li>
          <li>
            <a href={href(['accounts'])}>Create an account</a> and give it funds.
          </li>
          <li>
            <a href={href(['plan'])}>Make a plan</a>, then sign and execute it. If its funds are on
            another network, the plan bridges them.
          </li>
          <li>
            <a href={href(['faults', 'bridge', 'refund'])}>Break something</a>, make the same plan
            again, and see in its timeline what went wrong.
          </li>
        </ol>
      )}
      <Connect />
    </Panel>
  )
}

const titles: Readonly<Record<string, string>> = {
  python: 'Python',
  dotenv: '.env file',
  wallet: 'Wallet',
}

/** The client whose code is shown is in the URL: a link with it opens the details. */
function Connect() {
  const [isOpen, setOpen] = useState(here.value.query.has('for'))
  const [wantedKind, setWantedKind] = useQuery('for')
  const { data } = useLoaded('connect', () => answered(controlApi.GET('/_sim/connect')))
  if (!data) return null
  const { url, apiKey, controlUrl, docsUrl, actors, snippets } = data
  const kind = wantedKind in snippets ? wantedKind : 'curl'
  const text = snippets[kind] ?? ''
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{url}</code> with the key <code>{apiKey}</code>
      </summary>
      {isOpen && (
        <>
          <CopiedFacts
            of={{ API: url, Key: apiKey, 'Control API': controlUrl, Documentation: docsUrl }}
          />
          <p class="small">
            For a shell: <code>eval "$(svc-sim env --base-url {url})"</code>
          </p>
          <fieldset class="row" aria-label="For what">
            {Object.keys(snippets).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === kind}
                onClick={() => setWantedKind(name)}
              >
                {titles[name] ?? name}
              </button>
            ))}
            <Copy label="Copy code" text={() => text} />
          </fieldset>
          <pre class="scroller">{text}</pre>
          <details>
            <summary>Accounts with 10,000 native tokens on every offline network</summary>
            <p class="small">Their private keys are public: never send them anything of value.</p>
            <CopiedFacts
              of={Object.fromEntries(
                actors.map(({ address, privateKey }) => [address, privateKey]),
              )}
            />
          </details>
        </>
      )}
    </details>
  )
}
