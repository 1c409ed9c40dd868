import type { ComponentChild } from 'preact'
import type { NetworkName } from '../../../../deployments/networks.js'
import { answered } from '../../api/refusal.js'
import { controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Copy } from '../../parts/Copy.js'
import { Facts } from '../../parts/Facts.js'
import { NetworkLabel } from '../../parts/NetworkLabel.js'
import { attempt } from '../../shell/notices.js'
import { useQuery } from '../../shell/route.js'
import '../../styles/connect.css'
import '../../styles/forms.css'
import { addNetwork, walletHere } from './wallet.js'

const titles: Readonly<Record<string, string>> = {
  curl: 'curl',
  viem: 'viem',
  ethers: 'ethers',
  python: 'Python',
  dotenv: '.env file',
  wallet: 'Wallet',
}

/** How clients reach this world: its URLs and keys, code to paste, chains, accounts with money, contracts. */
export default function Connect() {
  const { data } = useLoaded('connect', () => answered(controlApi.GET('/_sim/connect')))
  const wallet = walletHere()
  if (!data) return <p aria-busy="true">Loading…</p>
  const { url, apiKey, controlUrl, docsUrl, rpc, chainIds, actors, contracts, snippets } = data
  const places = { API: url, Key: apiKey, 'Control API': controlUrl, Documentation: docsUrl }
  return (
    <div class="connect-page">
      <section class="panel" aria-labelledby="places-title">
        <h2 id="places-title">Where it is</h2>
        <Facts of={places} />
        <p class="small">
          For a shell: <code>eval "$(svc-sim env --base-url {url})"</code>
        </p>
      </section>
      <Snippets snippets={snippets} />
      <section class="panel" aria-labelledby="chains-title">
        <h2 id="chains-title">Networks</h2>
        <Rows
          heads={[
            'Network',
            'Chain id',
            ...(wallet ? ['Wallet'] : []),
            'RPC URL, also for WebSocket',
          ]}
          rows={Object.entries(rpc).map(([network, at]) => ({
            cells: [
              <NetworkLabel network={network} />,
              chainIds[network as NetworkName],
              ...(wallet
                ? [
                    <button
                      type="button"
                      aria-label={`Add ${network} to the wallet`}
                      onClick={() =>
                        attempt(`The wallet has ${network}`, () =>
                          addNetwork(wallet, network as NetworkName, at),
                        )
                      }
                    >
                      Add
                    </button>,
                  ]
                : []),
            ],
            copied: at,
          }))}
        />
      </section>
      <section class="panel" aria-labelledby="actors-title">
        <h2 id="actors-title">Accounts with money</h2>
        <p class="small">
          10,000 native tokens each on every offline network. Their keys are public: never send them
          anything of value.
        </p>
        <Rows
          heads={['Address', 'Private key']}
          rows={actors.map(({ address, privateKey }) => ({
            cells: [<code>{address}</code>],
            copied: privateKey,
          }))}
        />
      </section>
      <section class="panel" aria-labelledby="contracts-title">
        <h2 id="contracts-title">Contracts of the simulator</h2>
        <p class="small">At the same address on every network.</p>
        <Rows
          heads={['Contract', 'Address']}
          rows={Object.entries(contracts).map(([name, address]) => ({
            cells: [name],
            copied: address,
          }))}
        />
      </section>
    </div>
  )
}

/** Code to paste, one kind at a time. */
function Snippets({ snippets }: { snippets: Readonly<Record<string, string>> }) {
  const [asked, setAsked] = useQuery('for')
  const kind = asked in snippets ? asked : 'curl'
  const text = snippets[kind] ?? ''
  return (
    <section class="panel" aria-labelledby="snippets-title">
      <header>
        <h2 id="snippets-title">To paste</h2>
        <Copy label="Copy code" text={() => text} />
      </header>
      <fieldset class="row choice" aria-label="For what">
        {Object.keys(snippets).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === kind}
            onClick={() => setAsked(name)}
          >
            {titles[name] ?? name}
          </button>
        ))}
      </fieldset>
      <pre>{text}</pre>
    </section>
  )
}

interface RowOf {
  cells: readonly ComponentChild[]
  /** The last cell, which can be copied. */
  copied: string
}

function Rows({ heads, rows }: { heads: readonly string[]; rows: readonly RowOf[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class="scroller" tabIndex={0} aria-label={heads.join(', ')}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, copied }) => (
            <tr key={copied}>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
              <td>
                <span class="copied">
                  <code>{copied}</code>
                  <Copy label="Copy" text={() => copied} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
