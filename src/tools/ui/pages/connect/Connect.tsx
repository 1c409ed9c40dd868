import type { ComponentChild } from 'preact'
import type { NetworkName } from '../../../../deployments/networks.js'
import { answered, controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Act, Copy } from '../../parts/controls.js'
import { NetworkLabel } from '../../parts/labels.js'
import { CopiedFacts, Panel, Scroller, Table } from '../../parts/panels.js'
import { useQuery } from '../../shell/route.js'
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
    <div class="connect-page columns" style={{ '--least': '56rem' }}>
      <Panel title="Where it is">
        <CopiedFacts of={places} />
        <p class="small">
          For a shell: <code>eval "$(svc-sim env --base-url {url})"</code>
        </p>
      </Panel>
      <Snippets snippets={snippets} />
      <Panel title="Networks">
        <CopiedRows
          heads={[
            'Network',
            'Chain id',
            ...(wallet ? ['Wallet'] : []),
            'RPC URL, also for WebSocket',
          ]}
          rows={Object.entries(rpc).map(([network, at]) => [
            <NetworkLabel network={network} />,
            chainIds[network as NetworkName],
            ...(wallet
              ? [
                  <Act
                    aria-label={`Add ${network} to the wallet`}
                    done={`The wallet has ${network}`}
                    work={() => addNetwork(wallet, network as NetworkName, at)}
                  >
                    Add
                  </Act>,
                ]
              : []),
            at,
          ])}
        />
      </Panel>
      <Panel title="Accounts with money">
        <p class="small">
          10,000 native tokens each on every offline network. Their keys are public: never send them
          anything of value.
        </p>
        <CopiedRows
          heads={['Address', 'Private key']}
          rows={actors.map(({ address, privateKey }) => [<code>{address}</code>, privateKey])}
        />
      </Panel>
      <Panel title="Contracts of the simulator">
        <p class="small">At the same address on every network.</p>
        <CopiedRows heads={['Contract', 'Address']} rows={Object.entries(contracts)} />
      </Panel>
    </div>
  )
}

function Snippets({ snippets }: { snippets: Readonly<Record<string, string>> }) {
  const [asked, setAsked] = useQuery('for')
  const kind = asked in snippets ? asked : 'curl'
  const text = snippets[kind] ?? ''
  return (
    <Panel title="To paste" aside={<Copy label="Copy code" text={() => text} />}>
      <fieldset class="row" aria-label="For what">
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
    </Panel>
  )
}

/** A table whose last column, which can be copied, tells its rows apart. */
function CopiedRows({
  heads,
  rows,
}: {
  heads: readonly string[]
  rows: readonly (readonly [...cells: ComponentChild[], copied: string])[]
}) {
  return (
    <Scroller label={heads.join(', ')}>
      <Table
        heads={heads}
        rows={rows.map((row) => {
          const copied = row.at(-1) as string
          const last = (
            <span class="copied">
              <code>{copied}</code>
              <Copy label="Copy" text={() => copied} />
            </span>
          )
          return { key: copied, cells: [...row.slice(0, -1), last] }
        })}
      />
    </Scroller>
  )
}
