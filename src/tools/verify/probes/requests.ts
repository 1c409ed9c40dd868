import { holds, must, same } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, exampleOf, nobody, probe, published, shown } from './define.js'

const invalid = { status: 400, code: 'invalid_params' }
const earn = `/accounts/${nobody}/plan/earn`

/** Requests as such: bodies, queries, headers. */
export const requestProbes: Probe[] = [
  probe({
    name: 'a body that is no JSON is refused',
    axis: 'codes',
    cells: ['400:invalid_params@POST accounts'],
    from: shown('Errors'),
    reach: 'read',
    attempt: async ({ caller }) =>
      void must(
        'POST /accounts',
        await caller.send({ method: 'POST', path: '/accounts', raw: 'hello' }),
        invalid,
      ),
  }),
  probe({
    name: 'a body of another content type is refused',
    axis: 'codes',
    cells: ['400:invalid_params@POST accounts'],
    from: shown('Request and response bodies are JSON'),
    reach: 'read',
    async attempt({ caller }) {
      const headers = { 'content-type': 'text/plain' }
      const request = { method: 'POST', path: '/accounts', raw: '{}', headers }
      must('POST /accounts', await caller.send(request), invalid)
    },
  }),
  probe({
    name: 'a body over 1 MiB is refused',
    axis: 'codes',
    cells: ['413:payload_too_large@earn'],
    from: chosen('Body size'),
    reach: 'read',
    async attempt({ caller }) {
      const raw = JSON.stringify({ ...exampleOf('earn'), more: 'x'.repeat(1_048_577) })
      must(`POST ${earn}`, await caller.send({ method: 'POST', path: earn, raw }), {
        status: 413,
        code: 'payload_too_large',
      })
    },
  }),
  probe({
    name: 'a body of 65 lists in each other is refused',
    axis: 'codes',
    cells: ['400:invalid_params@earn'],
    from: chosen('Depth of a body'),
    reach: 'read',
    concerns: ({ sent }) => JSON.stringify(sent ?? null).includes('['.repeat(20)),
    async attempt({ caller }) {
      const deep = `${'['.repeat(65)}${']'.repeat(65)}`
      const text = JSON.stringify(exampleOf('earn'))
      const raw = `${text.slice(0, -1)},"more":${deep}}`
      must(`POST ${earn}`, await caller.send({ method: 'POST', path: earn, raw }), invalid)
    },
  }),
  probe({
    name: 'nobody is told to come again later',
    axis: 'codes',
    cells: ['200@networks'],
    from: chosen('Rate limits'),
    reach: 'read',
    isSlow: true,
    concerns: () => false,
    async attempt({ caller }) {
      // Of the whole run: this comes behind nearly all of it.
      must('GET /networks', await caller.get('/networks'), { status: 200 })
      same('answers of this run that were 429', caller.limited, 0)
    },
  }),
  probe({
    name: 'a version that is asked for changes nothing',
    axis: 'codes',
    cells: ['200@networks'],
    from: chosen('Versioning'),
    reach: 'read',
    concerns: () => false,
    async attempt({ caller }) {
      const plain = must('GET /networks', await caller.get('/networks'), { status: 200 })
      const headers = { 'accept-version': '99', 'api-version': '2001-01-01' }
      const asked = must('GET /networks', await caller.get('/networks', { headers }), {
        status: 200,
      })
      same('GET /networks', JSON.stringify(asked), JSON.stringify(plain))
    },
  }),
  probe({
    name: 'integers of queries are decimal digits, given once, without leading zeros',
    axis: 'codes',
    cells: ['400:invalid_params@events'],
    from: chosen('Integers of query strings'),
    reach: 'read',
    async attempt({ caller }) {
      for (const query of ['since=01', 'since=1&since=2', 'since=0x1', 'since=-1', 'since=1.5']) {
        const path = `/accounts/${nobody}/events?${query}`
        must(`GET ${path}`, await caller.get(path), invalid)
      }
    },
  }),
  probe({
    name: 'HEAD of the folio stream has a head alone, and ends',
    axis: 'codes',
    cells: ['200@stream'],
    from: chosen('HEAD of the folio stream'),
    reach: 'plan',
    concerns: ({ method }) => method === 'HEAD',
    async attempt({ caller, member }) {
      const path = `${(await member('newcomer')).path}/folio/stream`
      const answer = await caller.send({ method: 'HEAD', path, withinMs: 20_000 })
      must(`HEAD ${path}`, answer, { status: 200 })
      same(`HEAD ${path}: body`, answer.body as string, '')
    },
  }),
  probe({
    name: 'the networks are the five of the interface, with their chain ids',
    axis: 'shapes',
    cells: ['200@networks'],
    from: shown('Network'),
    reach: 'read',
    async attempt({ caller }) {
      const body = must('GET /networks', await caller.get('/networks'), { status: 200 })
      const found = (body as { networks?: { name: string; chain_id: number }[] }).networks ?? []
      const expected = { mainnet: 1, base: 8453, arbitrum: 42161, optimism: 10, polygon: 137 }
      for (const [name, chainId] of Object.entries(expected))
        same(
          `GET /networks: chain_id of ${name}`,
          found.find((each) => each.name === name)?.chain_id,
          chainId,
        )
    },
  }),
  probe({
    name: 'assets have the decimals that amounts count in',
    axis: 'shapes',
    cells: ['200@assets'],
    from: published('assets'),
    reach: 'read',
    async attempt({ caller }) {
      const body = must('GET /assets', await caller.get('/assets'), { status: 200 })
      const { assets = {} } = body as { assets?: Record<string, { decimals?: number }> }
      const decimals = new Map(
        Object.entries(assets).map(([symbol, each]) => [symbol.toUpperCase(), each?.decimals]),
      )
      for (const [symbol, expected] of Object.entries({ USDC: 6, ETH: 18, WETH: 18 }))
        same(`GET /assets: decimals of ${symbol}`, decimals.get(symbol), expected)
    },
  }),
  probe({
    name: 'markets of every protocol are listed',
    axis: 'shapes',
    cells: ['200@markets'],
    from: published('markets'),
    reach: 'read',
    async attempt({ caller }) {
      const body = must('GET /markets', await caller.get('/markets'), { status: 200 })
      const { markets = [] } = body as { markets?: { protocol: string }[] }
      const protocols = new Set(markets.map(({ protocol }) => protocol))
      for (const each of ['comet', 'aave_market', 'morpho_market', 'morpho_vault'])
        holds(`GET /markets: ${each}`, protocols.has(each), `a market of ${each}`, [...protocols])
    },
  }),
  probe({
    name: 'the key has a prime account',
    axis: 'shapes',
    cells: ['200@prime_account'],
    from: published('prime account'),
    reach: 'read',
    attempt: async ({ caller }) =>
      void must('GET /prime_account', await caller.get('/prime_account'), { status: 200 }),
  }),
]
