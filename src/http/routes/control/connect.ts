import type { Request } from 'express'
import { z } from 'zod'
import { devAccounts } from '../../../chain/funds/faucet.js'
import { networkNames, networks, perNetwork } from '../../../deployments/networks.js'
import { chainId } from '../../../lib/scalars.js'
import { controlRoute, type Route } from '../../core/route.js'
import type { AppDeps } from '../../core/types.js'
import { namedContracts, type SnippetPlace, snippetsOf } from './snippets.js'

const perNetworkOf = <T extends z.ZodType>(value: T) => z.record(z.enum(networkNames), value)

const connectSchema = z
  .strictObject({
    url: z.string().meta({ description: 'Base URL of the service API.' }),
    apiKey: z.string(),
    controlUrl: z.string().meta({ description: 'Base URL of the control API of this world.' }),
    docsUrl: z.string(),
    ui: z.string().nullable().meta({ description: 'The dashboard; null with `--no-ui`.' }),
    rpc: perNetworkOf(z.string()).meta({
      description: 'JSON-RPC by network: HTTP, and WebSocket at the same path.',
    }),
    chainIds: perNetworkOf(chainId),
    actors: z.array(z.strictObject({ address: z.string(), privateKey: z.string() })).meta({
      description:
        'Accounts with 10,000 native tokens on every offline network. Their keys are public: never send them anything of value.',
    }),
    contracts: z.record(z.string(), z.string()).meta({
      description:
        'Contracts of the simulator by name, at the same address on every network. Scripts begin with `script `.',
    }),
    snippets: z.record(z.string(), z.string()).meta({
      description: 'Code to paste: `curl`, `viem`, `ethers`, `python`, `dotenv`, `wallet`.',
    }),
  })
  .meta({ id: 'Connect' })

/** What a client needs to connect to a simulator or to a world of it. */
export type Connect = z.infer<typeof connectSchema>

const examplePlace: SnippetPlace = {
  url: 'http://127.0.0.1:4477',
  apiKey: 'qk_local0_00000000000000000000',
  controlUrl: 'http://127.0.0.1:4477/_sim',
  rpc: perNetwork(({ name }) => `http://127.0.0.1:4477/rpc/${name}`),
}

export const connectRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getConnection',
    method: 'get',
    path: '/_sim/connect',
    summary: 'Connect a client',
    description:
      'URLs, API key, chain ids, actors, contracts, and snippets to paste. The URLs use the host of the request, so they work for the caller. `svc-sim env` prints the same for a shell.',
    locks: 'none',
    answer: {
      description: 'What a client needs.',
      schema: connectSchema,
      example: connectOf(examplePlace, 'http://127.0.0.1:4477/_sim/ui/'),
    },
    handler({ deps, req }) {
      const place = placeOf(deps, req)
      return connectOf(place, deps.access.noUi ? null : `${place.url}/_sim/ui/`)
    },
  }),
]

function connectOf(place: SnippetPlace, ui: string | null): Connect {
  return {
    url: place.url,
    apiKey: place.apiKey,
    controlUrl: place.controlUrl,
    docsUrl: `${place.url}/docs/`,
    ui,
    rpc: perNetwork(({ name }) => place.rpc[name]!),
    chainIds: Object.fromEntries(
      networks.map(({ name, chainId: id }) => [name, id]),
    ) as Connect['chainIds'],
    actors: devAccounts.map(({ address, privateKey }) => ({ address, privateKey })),
    contracts: namedContracts(),
    snippets: snippetsOf(place),
  }
}

/** Where this world is, under the name by which the caller has reached it. */
function placeOf({ access, place }: AppDeps, req: Request): SnippetPlace {
  const url = `http://${req.headers.host}`
  const id = place?.worldId
  const apiKey = access.keys.find(({ revoked }) => !revoked)?.key ?? ''
  return {
    url,
    apiKey,
    controlUrl: id === undefined ? `${url}/_sim` : `${url}/_sim/worlds/${id}`,
    rpc: perNetwork(({ name }) =>
      id === undefined ? `${url}/rpc/${name}` : `${url}/worlds/${id}/rpc/${name}`,
    ),
  }
}
