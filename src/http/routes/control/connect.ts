import type { Request } from 'express'
import { z } from 'zod'
import { devAccounts } from '../../../chain/funds/faucet.js'
import { networkNames, networks, perNetwork } from '../../../deployments/networks.js'
import { packageVersion } from '../../../lib/files/packageFile.js'
import { chainId, count } from '../../../lib/scalars.js'
import { callerUrl } from '../../core/request.js'
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

export const connectRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getConnection',
    method: 'get',
    path: '/_sim/connect',
    isUnjournaled: true,
    summary: 'Connect a client',
    description:
      'URLs, API key, chain ids, actors, contracts, and snippets to paste. The URLs begin with `--advertise`; without it, they use the host of the request and the scheme in `X-Forwarded-Proto`, so they work for the caller. `svc-sim env` prints the same for a shell.',
    locks: 'none',
    answer: {
      description: 'What a client needs.',
      schema: connectSchema,
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

/** This world's URLs as the caller reaches them. */
function placeOf({ access, place }: AppDeps, req: Request): SnippetPlace {
  const url = callerUrl(req, access.bind)
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

const paths = {
  document: '/_sim/openapi.json',
  pages: {
    dashboard: '/_sim/ui/',
    documentation: '/_sim/docs/',
    service: '/docs/',
    control: '/_sim/openapi/',
  },
  connect: '/_sim/connect',
  overview: '/_sim/overview',
}

const indexSchema = z
  .strictObject({
    name: z.literal('svc-sim'),
    version: z.string().meta({ description: 'The version of the package.' }),
    process: count.meta({ description: 'Its process id.' }),
    startedIn: z.string().meta({ description: 'The folder in which it was started.' }),
    dataDir: z
      .string()
      .nullable()
      .meta({ description: 'Its data folder; null when its state is in memory.' }),
    document: z.string().meta({ description: 'The OpenAPI document of the control API.' }),
    pages: z
      .strictObject({
        dashboard: z.string().nullable(),
        documentation: z.string(),
        service: z.string(),
        control: z.string(),
      })
      .meta({
        description:
          'Pages for a browser: the dashboard, the documentation, and both APIs to try out.',
      }),
    connect: z.string(),
    overview: z.string(),
  })
  .meta({ id: 'ControlIndex' })

/** What `GET /_sim` returns: by it, `start` and `doctor` recognise a simulator that is already running. */
export type SimIndex = z.infer<typeof indexSchema>

export const simIndexRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getIndex',
    method: 'get',
    path: '/_sim',
    isUnjournaled: true,
    summary: 'Index of the control API',
    description: 'Identifies the simulator, with links to its document and pages.',
    locks: 'none',
    answer: {
      description: 'The index.',
      schema: indexSchema,
    },
    handler: ({ deps }) => ({
      name: 'svc-sim' as const,
      version: packageVersion(),
      process: process.pid,
      startedIn: process.cwd(),
      dataDir: deps.place?.dataDir ?? null,
      ...paths,
      pages: { ...paths.pages, dashboard: deps.access.noUi ? null : paths.pages.dashboard },
    }),
  }),
]
