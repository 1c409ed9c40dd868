import type { Step } from '../../../clients/scenarios/schema.js'
import type { Documented } from '../documented.js'
import { cellName } from '../documented.js'
import type { Probe } from '../probe.js'
import { ResponseValue } from '../responseValue.js'
import {
  chosen,
  exampleOf,
  nobody,
  noPlan,
  type ProbeSource,
  planEndpoints,
  probesFor,
  probesOn,
  published,
  refusals,
  shown,
} from './define.js'
import { executesTransfer, plansTransfer, stake } from './fixtures.js'
import { as, type Expected, hasType, is, reads, refusesToExecute, sends } from './steps.js'

const { invalid } = refusals
const earn = `/accounts/${nobody}/plan/earn`

const chainIds = { mainnet: 1, base: 8453, arbitrum: 42161, optimism: 10, polygon: 137 }

function tooDeep(): string {
  const text = JSON.stringify(exampleOf('earn'))
  return `${text.slice(0, -1)},"more":${'['.repeat(65)}${']'.repeat(65)}}`
}

/** Requests as such: bodies, queries, headers. */
export const requestProbes: Probe[] = probesOn('codes', {
  'a body that is no JSON is refused': {
    from: shown('Errors', '400:invalid_params@POST accounts'),
    steps: [sends('POST', '/accounts', { raw: 'hello' }, invalid)],
  },
  'a body of another content type is refused': {
    from: shown('Request and response bodies are JSON', '400:invalid_params@POST accounts'),
    steps: [
      sends('POST', '/accounts', { raw: '{}', headers: { 'content-type': 'text/plain' } }, invalid),
    ],
  },
  'a body over 1 MiB is refused': {
    from: chosen('Body size', '413:payload_too_large@earn'),
    compute({ play }) {
      const raw = JSON.stringify({ ...exampleOf('earn'), more: 'x'.repeat(1_048_577) })
      return play(sends('POST', earn, { raw }, { status: 413, error: 'payload_too_large' }))
    },
  },
  'a body of 65 lists in each other is refused': {
    from: chosen('Depth of a body', '400:invalid_params@earn'),
    steps: [sends('POST', earn, { raw: tooDeep() }, invalid)],
  },
  'no request was rate limited': {
    from: chosen('Rate limits', '200@networks'),
    isSlow: true,
    // Counts the whole run, so this probe runs near its end.
    steps: [reads('/networks')],
    compute({ wire }) {
      new ResponseValue('answers of this run that were 429', wire.limited()).is(0)
    },
  },
  'a version that is asked for changes nothing': {
    from: chosen('Versioning', '200@networks'),
    steps: [
      reads('/networks', as('networks')),
      sends(
        'GET',
        '/networks',
        { headers: { 'accept-version': '99', 'api-version': '2001-01-01' } },
        { status: 200 },
        is('', '{{networks.body}}'),
      ),
    ],
  },
  'integers of queries are decimal digits, given once, without leading zeros': {
    from: chosen('Integers of query strings', '400:invalid_params@events'),
    steps: ['since=01', 'since=1&since=2', 'since=0x1', 'since=-1', 'since=1.5'].map((query) =>
      sends('GET', `/accounts/${nobody}/events?${query}`, {}, invalid),
    ),
  },
  'HEAD of the folio stream returns headers only, and ends': {
    from: chosen('HEAD of the folio stream', '200@stream'),
    accounts: { newcomer: {} },
    steps: [
      sends('HEAD', '/accounts/{{newcomer.id}}/folio/stream', {}, { status: 200 }, is('', '')),
    ],
  },
  'the networks are the five of the interface, with their chain ids': {
    axis: 'shapes',
    from: shown('Network', '200@networks'),
    steps: [
      reads(
        '/networks',
        ...Object.entries(chainIds).map(([name, id]) => is(['networks', { name }, 'chain_id'], id)),
      ),
    ],
  },
  'assets have the decimals that amounts count in': {
    axis: 'shapes',
    from: published('assets', '200@assets'),
    steps: [reads('/assets', as('assets'))],
    compute({ body }) {
      const assets = body('assets').at('assets')
      for (const [symbol, decimals] of Object.entries({ USDC: 6, ETH: 18, WETH: 18 })) {
        const [, listed] = assets.entries().find(([name]) => name.toUpperCase() === symbol) ?? []
        const asset = listed ?? assets.at(symbol)
        asset.at('decimals').is(decimals)
      }
    },
  },
  'markets of every protocol are listed': {
    axis: 'shapes',
    from: published('markets', '200@markets'),
    steps: [
      reads(
        '/markets',
        ...['comet', 'aave_market', 'morpho_market', 'morpho_vault'].map((protocol) =>
          hasType(['markets', { protocol }], 'object'),
        ),
      ),
    ],
  },
  'the key has a prime account': {
    axis: 'shapes',
    from: published('prime account', '200@prime_account'),
    steps: [reads('/prime_account')],
  },
})

const unauthorized = { status: 401, error: 'missing_auth_header' } as const
const inOrder = (cell: string) => chosen('Order of checks', cell)
const execute = `/accounts/${nobody}/plan/execute`

/** When several things are wrong: which of them is answered. */
export const orderProbes: Probe[] = probesOn('order', {
  'the key is asked for before the body is read': {
    from: inOrder('401:missing_auth_header@earn'),
    steps: [sends('POST', earn, { raw: '{"amount": ', key: null }, unauthorized)],
  },
  'the key is asked for before the fields': {
    from: inOrder('401:missing_auth_header@POST accounts'),
    steps: [sends('POST', '/accounts', { body: { signer_type: 'x' }, key: null }, unauthorized)],
  },
  'a body that is no JSON is refused before the account is looked for': {
    from: inOrder('400:invalid_params@earn'),
    steps: [sends('POST', earn, { raw: '{"amount": ' }, invalid)],
  },
  'fields are checked before the account': {
    from: inOrder('400:invalid_params@earn'),
    steps: [sends('POST', earn, { body: { ...exampleOf('earn'), amount: 'many' } }, invalid)],
  },
  'fields of execute are checked before the account and the plan': {
    from: inOrder('400:invalid_params@execute'),
    steps: [sends('POST', execute, { body: { plan_id: noPlan } }, invalid)],
  },
  'the account is looked for before the plan': {
    from: inOrder('404:account_not_found@execute'),
    steps: [
      sends(
        'POST',
        execute,
        { body: { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` } },
        { status: 404, error: 'account_not_found' },
      ),
    ],
  },
  'query parameters are checked before the account': {
    from: inOrder('400:invalid_params@events'),
    steps: [sends('GET', `/accounts/${nobody}/events?since=soon`, {}, invalid)],
  },
  'an unknown route is not there for anybody, with a key or without': {
    from: chosen('Unknown route, other method', '404:not_found@(no route)'),
    steps: [{}, { key: null }].map((more) =>
      sends('GET', '/atlantis', more, { status: 404, error: 'not_found' }),
    ),
  },
  'another method is refused before the key is asked for': {
    from: chosen('Unknown route, other method', '405:method_not_allowed@(other method)'),
    steps: [
      sends('DELETE', '/networks', { key: null }, { status: 405, error: 'method_not_allowed' }),
    ],
  },
  'staleness is checked before the signature': {
    from: chosen('Order: staleness, then signature', '409:plan_stale@execute'),
    accounts: { order: stake },
    steps: [
      plansTransfer('late', 'order', '100000'),
      ...executesTransfer('done', 'order', '100000'),
      refusesToExecute('late', refusals.stale, 'other_key'),
    ],
  },
})

/** What every endpoint that takes a key answers without one, with a wrong one, and for an account that is not there. */
export function accessProbes({ cells }: Documented): Probe[] {
  const refused = (
    answer: Expected,
    how: string,
    more: { key?: string | null },
    from: (cell: string, path: string) => ProbeSource,
  ) =>
    probesFor(
      cells.filter(({ code }) => code === answer.error),
      (cell) => [
        `${cell.method} ${cell.path} ${how} is refused`,
        { from: from(cellName(cell), cell.path), steps: [requestFor(cell, more, answer)] },
      ],
    )
  const authentication = (cell: string) => published('authentication', cell)
  const noKey = { status: 401, error: 'missing_auth_header' } as const
  const wrongKey = { status: 401, error: 'invalid_api_key' } as const
  const noAccount = { status: 404, error: 'account_not_found' } as const
  return probesOn('codes', {
    ...refused(noKey, 'without a key', { key: null }, authentication),
    ...refused(wrongKey, 'with an unknown key', { key: stranger }, authentication),
    ...refused(noAccount, 'of an account that is not there', {}, (cell, path) => {
      if (/\/(folio|events)$/.test(path)) return shown('Errors', cell)
      return path.includes('/plan/')
        ? chosen('Unknown account on plan endpoints and execute', cell)
        : published('an account that is not there', cell)
    }),
  })
}

const stranger = 'qk_nobody_00000000000000000000'

/** A well-formed request for an account that does not exist. */
function requestFor(
  { method, path }: { method: string; path: string },
  more: { key?: string | null },
  answer: Expected,
): Step {
  const values: Record<string, string> = { account_id: nobody, activity_id: 'act_000000000000' }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  if (method !== 'POST') return sends('GET', filled, more, answer)
  return sends('POST', filled, { body: bodyFor(path.split('/plan/')[1]), ...more }, answer)
}

function bodyFor(kind: string | undefined): Record<string, unknown> {
  if (kind === undefined) return { signer_type: 'eoa', signer_address: `0x${'11'.repeat(20)}` }
  if (kind === 'execute') return { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` }
  return planEndpoints.find((each) => each.kind === kind)?.example ?? {}
}
