import { expect, test } from 'vitest'
import { planKinds } from '../../service/plans/kinds/index.js'
import { planCodes } from '../../service/plans/model/kind.js'
import { effects } from '../effects/index.js'
import { activeRuleOf } from './activeRule.js'
import type { FaultTools } from './effect.js'
import { concerns, type RuleMatch } from './effect.js'
import { parseRule } from './rules.js'
import type { RouteFacts, RuleTargets } from './targets.js'
import { viewOf } from './view.js'

const account = '/accounts/:account_id'
const plain = (method: string, path: string, codes: readonly string[]): RouteFacts => ({
  ...{ method, path, codes },
})
const routes: RouteFacts[] = [
  plain('GET', '/networks', ['timeout']),
  plain('GET', `${account}/folio`, ['timeout', 'not_found']),
  plain('POST', `${account}/plan/execute`, ['plan_stale']),
  ...planKinds.map((kind) => ({
    ...plain('POST', `${account}/plan/${kind.path}`, planCodes(kind)),
    kind,
  })),
]
const targets: RuleTargets = {
  ...{ effects, kinds: planKinds, routes },
  assets: (network) => (network === 'polygon' ? ['POL'] : ['USDC', 'POL']),
  hasAccount: async (id) => id === 'acc_1',
}

const matchOf = async (name: string, match: RuleMatch, settings?: object) => {
  const [on, effect = ''] = name.split('.')
  const rule = { on, match, effect: settings ? { [effect]: settings } : effect }
  return (await parseRule(rule, targets)).match
}

const paths = planKinds.map(({ path }) => path).join(', ')
const asking = planKinds.filter(({ quotes, quotesFrom }) => quotes ?? quotesFrom)
const listed = (some: readonly RouteFacts[]) =>
  some.map(({ method, path }) => `${method} ${path}`).join(', ')

test.each<[string, RuleMatch]>([
  ['request.hang', {}],
  ['request.hang', { path: '/accounts/acc_1/fol*', method: 'get' }],
  ['request.hang', { path: '*', method: '*' }],
  ['request.hang', { account_id: 'acc_1' }],
  ['request.hang', { account_id: 'acc_*' }],
  ['request.hang', { kind: 'swap*' }],
  ['request.hang', { asset: 'usdc', network: 'base' }],
  ['request.hang', { asset: 'U*', network: 'polygon' }],
  ['folio.timeout', { path: '*/folio' }],
  ['folio.timeout', { kind: 'earn' }],
  ['quote.unavailable', { kind: 'swap' }],
  ['execute.stuck', { kind: 'earn' }],
  ['execute.stuck', { path: '*/execute' }],
  ['bridge.refund', { network: 'base', asset: 'USDC' }],
  ['chain.slow', { network: 'base' }],
  ['chain.down', { network: 'base' }],
  ['events.drop', { account_id: 'acc_1' }],
])('default: %s may match %j', async (name, match) => {
  const settings = name === 'chain.slow' ? { ms: 5 } : undefined
  expect(await matchOf(name, match, settings)).toEqual(match)
})

test('behavior: a kind may be named by its path and is stored by its name', async () => {
  expect(await matchOf('request.hang', { kind: 'swap-and-supply' })).toEqual({
    kind: 'swapAndSupply',
  })
})

test.each<[string, RuleMatch, string]>([
  [
    'events.drop',
    { network: 'base' },
    'calls at events.drop carry no network; match by account_id',
  ],
  ['chain.down', { asset: 'USDC' }, 'calls at chain.down carry no asset; match by network'],
  [
    'bridge.refund',
    { kind: 'earn' },
    'calls at bridge.refund carry no kind; match by account_id, network, asset',
  ],
  [
    'request.hang',
    { account_id: 'acc_2' },
    'there is no account acc_2; create it first, or leave account_id out',
  ],
  ['request.hang', { kind: 'earm' }, `there is no plan kind "earm"; kinds: ${paths}`],
  ['request.hang', { kind: 'x*' }, `there is no plan kind "x*"; kinds: ${paths}`],
  [
    'quote.unavailable',
    { kind: 'earn' },
    `plans of kind earn ask for no quotes; ${asking.map(({ path }) => path).join(', ')} do`,
  ],
  [
    'request.hang',
    { asset: 'X' },
    'there is no asset "X" on any network; existing assets: USDC, POL',
  ],
  [
    'request.hang',
    { asset: 'USDC', network: 'polygon' },
    'there is no asset "USDC" on polygon; existing assets: POL',
  ],
  [
    'folio.timeout',
    { path: '/networks' },
    `no request at this seam is /networks; its requests: ${listed(routes.filter(({ kind, path }) => kind || path.endsWith('/folio')))}`,
  ],
  [
    'request.hang',
    { path: '/accounts/*/folio', method: 'POST' },
    `no request at this seam is POST /accounts/*/folio; its requests: ${listed(routes)}`,
  ],
  [
    'request.hang',
    { path: '/networks', network: 'base', asset: 'USDC' },
    `no request at this seam is /networks and names its asset and network; its requests: ${listed(routes)}`,
  ],
  [
    'execute.stuck',
    { path: '*/plan/earn' },
    `no request at this seam is */plan/earn; its requests: POST ${account}/plan/execute`,
  ],
])('error: %s can never match %j', async (name, match, message) => {
  await expect(matchOf(name, match)).rejects.toThrow(`the rule can never fire: ${message}`)
})

test('behavior: a plan that becomes stale by its price must buy, one by its balance must spend; by its nonce any', async () => {
  const stale = (by: string, kind: string) => matchOf('plan.stale', { kind }, { by })
  const have = (what: 'buys' | 'spends') => planKinds.filter((kind) => what in kind)
  for (const [by, what] of [
    ['price', 'buys'],
    ['balance', 'spends'],
  ] as const) {
    expect(have(what).length).toBeGreaterThan(0)
    expect(have(what).length).toBeLessThan(planKinds.length)
    for (const { kind } of have(what)) expect(await stale(by, kind)).toEqual({ kind })
    const lacking = planKinds.filter((kind) => !(what in kind))
    const those = have(what).map(({ path }) => `POST ${account}/plan/${path}`)
    for (const { kind } of lacking)
      await expect(stale(by, kind)).rejects.toThrow(
        `the rule can never fire: no request at this seam is of kind ${kind}; its requests: ${those.join(', ')}`,
      )
  }
  for (const { kind } of planKinds) expect(await stale('nonce', kind)).toEqual({ kind })
})

test.each([
  ['*/execute', '*/execute'],
  ['*/execute/', '*/execute'],
  ['/accounts/{account_id}/plan/execute', '/accounts/*/plan/execute'],
  ['/accounts/:account_id/plan/execute//', '/accounts/*/plan/execute'],
  ['/accounts/acc%5F1/plan/execute', '/accounts/acc_1/plan/execute'],
  ['*', '*'],
])('behavior: the path %s means the route %s', async (path, stored) => {
  expect(await matchOf('request.hang', { path })).toEqual({ path: stored })
})

test.each(['/accounts/{account_id}/plan/', '/accounts/:account_id/plan/executes', '/%/execute'])(
  'error: no route is %s, in any spelling',
  async (path) => {
    await expect(matchOf('request.hang', { path })).rejects.toThrow('the rule can never fire')
  },
)

test('behavior: two patterns meet when one text matches both, in any casing', async () => {
  const path = (path: string) =>
    matchOf('folio.timeout', { path }).then(
      () => true,
      () => false,
    )
  const met = ['*', '**', '/accounts/*', '*folio', '/ACCOUNTS/x/FOLIO', '/*/*/*', '*a*c*/f*o']
  for (const pattern of met) expect([pattern, await path(pattern)]).toEqual([pattern, true])
  for (const pattern of ['', 'folio', '/accounts', '/accounts/*/folios', '/accounts/folio', 'x*'])
    expect([pattern, await path(pattern)]).toEqual([pattern, false])
})

test('error: an error that no matching route returns; without a match, any', async () => {
  const respond = (match: RuleMatch) => matchOf('request.respond', match, { error: 'plan_stale' })
  expect(await respond({})).toEqual({})
  expect(await respond({ path: '*/execute' })).toEqual({ path: '*/execute' })
  for (const match of [{ path: '/networks' }, { path: '/networks', method: 'GET' }])
    await expect(respond(match)).rejects.toThrow(
      'the rule can never fire: no route that this matches returns plan_stale; they return timeout',
    )
})

test('default: a rule is shown as it was asked for, with its counts', async () => {
  const viewed = async (rule: object) =>
    viewOf(
      activeRuleOf(await parseRule(rule, targets), 'r', { tools: {} as FaultTools, onFired() {} }),
    )
  const counts = { match: {}, after: 0, seen: 0, hits: 0 }
  expect(await viewed({ on: 'folio', effect: 'timeout' })).toStrictEqual({
    ...{ id: 'r', on: 'folio', effect: 'timeout', ...counts },
  })
  const limits = { after: 1, times: 2, probability: 0.5 }
  const latency = { latency: { ms: 5 } }
  expect(await viewed({ on: 'folio', effect: latency, ...limits })).toStrictEqual({
    ...{ id: 'r', on: 'folio', effect: latency, ...counts, ...limits },
  })
  expect(await viewed({ on: 'folio', sequence: ['ok', latency] })).toStrictEqual({
    ...{ id: 'r', on: 'folio', sequence: ['ok', latency], used: 0, ...counts },
  })
})

test('default: a rule concerns the network that it names, or all', () => {
  const handle = (match: RuleMatch) => ({ match }) as Parameters<typeof concerns>[0]
  expect(concerns(handle({}), 'base')).toBe(true)
  expect(concerns(handle({ network: 'base' }), 'base')).toBe(true)
  expect(concerns(handle({ network: 'polygon' }), 'base')).toBe(false)
})
