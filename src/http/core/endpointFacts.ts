import type { Access } from './route.js'

/** What the steps around the routes go by. A route has these as fields; until a route is reached, the beginning of the path decides. */
export interface EndpointFacts {
  /** The template of its route, such as `/accounts/:account_id/folio`; undefined until it is reached, and for pages. */
  path?: string
  /** `control` and `rpc` have guards of their own, and ask for the control token where one is needed. */
  access?: Access | 'rpc'
  /** The journal leaves it out: it only watches, or is for another world. A route's requests are recorded where a guard refuses them first. */
  isUnjournaled?: boolean
  /** A file of ours, which browsers cache by their own clock. */
  isFile?: boolean
}

const control = { access: 'control' } as const
const unjournaled = { isUnjournaled: true }
const page = { ...unjournaled, isFile: true }

/** Parts of the API by the first segments of their paths; everything else is the service API. */
const areas: Readonly<Record<string, EndpointFacts>> = {
  '/_sim': control,
  '/metrics': control,
  '/rpc': { access: 'rpc', ...unjournaled },
  // Other worlds are reached below these.
  '/worlds': { access: 'rpc', ...unjournaled },
  '/_sim/worlds': { ...control, ...unjournaled },
  '/docs': page,
  '/_sim/docs': { ...control, ...page },
  '/_sim/ui': { ...control, ...page },
  '/_sim/openapi': { ...control, ...page },
  '/_sim/mcp': { ...control, ...unjournaled },
}
const serviceApi: EndpointFacts = {}

/** What is known of a request by its path alone; `url` may have a query. */
export function areaOf(url: string): EndpointFacts {
  const [first = '', second] = /^\/([^/?#]*)(?:\/([^/?#]*))?/.exec(url)?.slice(1) ?? []
  return areas[`/${first}/${second}`] ?? areas[`/${first}`] ?? serviceApi
}
