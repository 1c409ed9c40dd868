import { networks } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'

/** Where a simulator is, as far as the snippets name it. */
export interface SnippetPlace {
  url: string
  apiKey: string
  controlUrl: string
  rpc: Readonly<Record<string, string>>
}

/** The variables that `svc-sim exec` sets and every client of ours reads. */
export function connectVariables(
  { url, apiKey, controlUrl, rpc }: SnippetPlace,
  controlToken?: string,
): Record<string, string> {
  return {
    SVC_BASE_URL: url,
    SVC_API_KEY: apiKey,
    SVC_CONTROL_URL: controlUrl,
    // With it, tests that run in parallel can lease worlds.
    ...(controlToken === undefined ? {} : { SVC_CONTROL_TOKEN: controlToken }),
    ...Object.fromEntries(
      Object.entries(rpc).map(([network, at]) => [`SVC_RPC_${network.toUpperCase()}`, at]),
    ),
  }
}

/** The variable that names an empty folder of a run, for what a client has to find again after it was killed. */
export const runFolder = 'SVC_RUN_DIR'

/** Has leases and fixtures use the world of the other variables, instead of one of their own in which nothing is armed. */
export const sharesWorld = { SVC_WORLD: 'shared' }

export function dotenv(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** The contracts of the simulator by name; scripts begin with `script `. */
export function namedContracts(): Record<string, string> {
  const { scripts, ...contracts } = svcAddresses
  const named = Object.entries(scripts).map(([name, address]) => [`script ${name}`, address])
  return { ...contracts, ...Object.fromEntries(named) }
}

/** Code to paste, by what it is for. Keys are plain characters, so nothing needs quoting. */
export function snippetsOf(place: SnippetPlace): Record<string, string> {
  const { url, apiKey, rpc } = place
  const base = networks.find(({ name }) => name === 'base')!
  return {
    curl: `curl -sS ${url}/networks -H 'Authorization: Bearer ${apiKey}'\n`,
    viem: `import { createPublicClient, defineChain, http } from 'viem'

const chain = defineChain({
  id: ${base.chainId},
  name: '${base.displayName}',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['${rpc.base}'] } },
})
const client = createPublicClient({ chain, transport: http() })
console.log(await client.getBlockNumber())
`,
    ethers: `import { JsonRpcProvider } from 'ethers'

const provider = new JsonRpcProvider('${rpc.base}', ${base.chainId}, { staticNetwork: true })
console.log(await provider.getBlockNumber())
`,
    python: `import json, urllib.request

request = urllib.request.Request("${url}/networks", headers={"Authorization": "Bearer ${apiKey}"})
print(json.load(urllib.request.urlopen(request)))
`,
    dotenv: dotenv(connectVariables(place)),
    wallet: `${[
      'Wallets refuse a second network with the same chain id.',
      'Edit the network that is there, and change its RPC URL:',
      ...networks.map(
        ({ name, displayName, chainId }) =>
          `  ${displayName} (chain id ${chainId}): ${rpc[name] ?? ''}`,
      ),
      'Use a browser profile that holds no real funds.',
    ].join('\n')}\n`,
  }
}
