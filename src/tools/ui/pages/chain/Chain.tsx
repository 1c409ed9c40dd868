import { type NetworkName, networkOf } from '../../../../deployments/networks.js'
import { assets } from '../../api/assets.js'
import { isReadOnly, overview } from '../../api/live.js'
import { answered, controlApi } from '../../api/session.js'
import type { BlocksView } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Act } from '../../parts/controls.js'
import { NetworkLabel } from '../../parts/labels.js'
import { CopiedFacts, Panel } from '../../parts/panels.js'
import { SentLine } from '../../parts/Sent.js'
import { shownClock } from '../../parts/text.js'
import { RefusalBox } from '../../parts/verdicts.js'
import { href } from '../../shell/route.js'

const shownBlocks = 25

export default function Chain({ rest: [name = 'base', last] }: { rest: readonly string[] }) {
  const networks = (overview.value?.networks ?? []).map((each) => each.network)
  const network = networks.find((each) => each === name)
  if (!overview.value) return <p aria-busy="true">Loading…</p>
  return (
    <div class="stack">
      <nav class="links row" aria-label="Networks">
        {networks.map((listed) => (
          <a
            key={listed}
            href={href(['chain', listed])}
            aria-current={listed === network ? 'page' : undefined}
          >
            {listed}
          </a>
        ))}
      </nav>
      {network === undefined ? (
        <p role="alert">There is no network {name}.</p>
      ) : (
        <>
          <Blocks key={`${network} ${last}`} network={network} last={last} />
          <Places key={network} network={network} />
        </>
      )}
    </div>
  )
}

function Blocks({ network, last }: { network: NetworkName; last: string | undefined }) {
  const query = { limit: shownBlocks, ...(last !== undefined && { last: Number(last) }) }
  const { data, refusal } = useLoaded(
    network,
    () =>
      answered(controlApi.GET('/_sim/blocks/{network}', { params: { path: { network }, query } })),
    ({ type, data: change }) =>
      type === 'snapshot' || type === 'dropped' || (type === 'block' && change.network === network),
  )
  if (refusal) return <RefusalBox refusal={refusal} />
  if (!data) return <p aria-busy="true">Loading…</p>
  const lowest = data.blocks.at(-1)?.number ?? 0
  return (
    <Panel
      title={
        <>
          Blocks of <NetworkLabel network={network} />
        </>
      }
      aside={
        <div class="row">
          {last !== undefined && <a href={href(['chain', network])}>Latest</a>}
          {lowest > 0 && <a href={href(['chain', network, `${lowest - 1}`])}>Older</a>}
        </div>
      }
    >
      {data.blocks.length === 0 && (
        <p class="empty">
          {isReadOnly.value
            ? 'This trace has no transaction of this network.'
            : `Block ${last ?? 0} is not known: it is not mined yet, or older than the first block here.`}
        </p>
      )}
      <ol class="list">
        {runsOf(data.blocks).map(([block, through]) => (
          <li key={block.number}>
            <strong>
              {through === block.number ? block.number : `${block.number} to ${through}`}
            </strong>{' '}
            <time>{shownClock(block.at)}</time>{' '}
            {block.transactions.length === 0 && <span class="small">no transactions</span>}
            {block.transactions.map((sent) => (
              <SentLine key={sent.hash} sent={sent} network={network} />
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

type Block = BlocksView['blocks'][number]

/** Blocks, with empty ones that follow each other as one: the newest of them, and the number of the oldest. */
function runsOf(blocks: readonly Block[]): [newest: Block, oldest: number][] {
  const runs: [Block, number][] = []
  for (const block of blocks) {
    const run = runs.at(-1)
    const isEmpty = block.transactions.length === 0
    if (run && isEmpty && run[0].transactions.length === 0) run[1] = block.number
    else runs.push([block, block.number])
  }
  return runs
}

function Places({ network }: { network: NetworkName }) {
  const { data } = useLoaded(isReadOnly.value ? undefined : 'connect', () =>
    answered(controlApi.GET('/_sim/connect')),
  )
  const { ethereum: wallet } = globalThis as { ethereum?: Wallet }
  const tokens = Object.entries(assets.value).flatMap(([symbol, { networks }]) => {
    const at = networks[network]?.address
    return at ? [[symbol, at] as const] : []
  })
  return (
    <div class="columns" style={{ '--least': '40rem' }}>
      {data && (
        <Panel
          title="JSON-RPC"
          aside={
            wallet && (
              <Act
                done={`The wallet has ${network}`}
                work={() => addNetwork(wallet, network, data.rpc[network]!)}
              >
                Add {network} to the wallet
              </Act>
            )
          }
        >
          <CopiedFacts
            of={{
              'URL, also for WebSocket': data.rpc[network]!,
              'Chain id': `${data.chainIds[network]}`,
            }}
          />
        </Panel>
      )}
      <Panel title="Tokens">
        <CopiedFacts of={Object.fromEntries(tokens)} />
      </Panel>
      {data && (
        <Panel title="Contracts of the simulator">
          <p class="small">At the same address on every network.</p>
          <CopiedFacts of={data.contracts} />
        </Panel>
      )}
    </div>
  )
}

/** What wallets put into pages (EIP-1193). */
interface Wallet {
  request(call: { method: string; params: readonly unknown[] }): Promise<unknown>
}

/** Asks a wallet to add a network of the simulator (EIP-3085); the person confirms it there. */
function addNetwork(wallet: Wallet, network: NetworkName, rpcUrl: string): Promise<unknown> {
  const { chainId, displayName } = networkOf(network)
  const symbol = network === 'polygon' ? 'POL' : 'ETH'
  const chain = {
    chainId: `0x${chainId.toString(16)}`,
    chainName: `${displayName} (svc-sim)`,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: [rpcUrl],
  }
  return wallet.request({ method: 'wallet_addEthereumChain', params: [chain] })
}
