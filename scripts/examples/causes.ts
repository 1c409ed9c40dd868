import type { Route } from '../../src/http/core/route.js'
import type { ProblemCode } from '../../src/lib/errors.js'
import type { Cause, Places } from './errors.js'
import {
  type Answer,
  bearer,
  type Call,
  filled,
  kindExample,
  recordOf,
  routeOf,
  send,
} from './recorder.js'

/** Errors of a few operations each, and what causes them. */

const anyHash = `0x${'5c50'.repeat(16)}`
const stopped = { on: 'chain', effect: 'down', match: { network: 'base' } }
const halted = { on: 'chain', effect: 'halt', match: { network: 'base' } }

/** Looks up the cause of an error of an operation; undefined when it is one that many operations have. */
export function causesOf({ sim, poor, rich }: Places) {
  /** Asks with the path, query and body of the recorded request, unless they are given. */
  const at = (
    { operationId, method, path }: Route,
    {
      query = '',
      values = {},
      ...call
    }: Partial<Call> & { query?: string; values?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const { path: recorded = {}, body } = recordOf(operationId)
    return send(sim.url, {
      method,
      path: filled(path, { ...recorded, account_id: poor.id, ...values }) + query,
      ...(body !== undefined && { body }),
      headers: bearer(sim.apiKey),
      ...call,
    })
  }
  const bodyOf = (route: Route) => recordOf(route.operationId).body as Record<string, unknown>
  const withBody =
    (change: object): Cause =>
    (route) =>
      at(route, { body: { ...bodyOf(route), ...change } })
  const withQuery =
    (query: string): Cause =>
    (route) =>
      at(route, { query })
  const withPath =
    (values: Record<string, string>): Cause =>
    (route) =>
      at(route, { values })
  const whileHalted: Cause = (route) => poor.whileFault(halted, () => withOwner(poor.id, {})(route))
  /** Most bodies name an account: one that is here. */
  const withOwner =
    (account_id: string, change: object): Cause =>
    (route) =>
      at(
        route,
        'account_id' in (bodyOf(route) ?? {})
          ? { body: { ...bodyOf(route), account_id, ...change } }
          : {},
      )
  const transfer = () => rich.plan('transfer', { ...kindExample('planTransfer'), amount: '1000' })

  const rules = (route: Route, rule: object) => (route.method === 'put' ? [rule] : rule)

  const causes: [operationIds: string, code: ProblemCode, cause: Cause][] = [
    ['createAccount', 'invalid_params', withBody({ signer_address: '0x12' })],
    ['createAccount', 'account_already_exists', withBody({ signer_address: poor.signer_address })],
    ['listAccounts listAllAccounts listExchanges', 'invalid_params', withQuery('?limit=0')],
    ['getFolio', 'invalid_params', withQuery('?cached=yes')],
    [
      'getFolio getFolioStream',
      'timeout',
      (route) => poor.whileFault({ on: 'folio', effect: 'timeout' }, () => at(route)),
    ],
    ['listEvents', 'invalid_params', withQuery('?since=-1')],
    ['getAccountActivity getActivity', 'not_found', withPath({ activity_id: 'act_000000000000' })],
    ['executePlan', 'invalid_params', withBody({ signature: undefined })],
    ['executePlan', 'plan_not_found', withBody({ plan_id: 'pln_3vd81mz5c0xe' })],
    [
      'executePlan',
      'plan_stale',
      (route) =>
        rich.whileFault({ on: 'plan', effect: 'stale' }, async () => {
          const body = await rich.signed(await transfer())
          return at(route, { values: { account_id: rich.id }, body })
        }),
    ],
    [
      'executePlan',
      'internal_error',
      async (route) => {
        const { plan_id } = await transfer()
        const signature = `0x${'1'.repeat(128)}1b`
        return at(route, { values: { account_id: rich.id }, body: { plan_id, signature } })
      },
    ],
    ['inspectAccount', 'not_found', withPath({ id: 'acc_000000000000' })],
    ['fundWallet liquidate', 'invalid_params', withBody({ account_id: undefined })],
    ['grantRewards', 'invalid_params', withOwner(poor.id, { asset: 'COMP' })],
    ['fundWallet grantRewards liquidate setPrice', 'conflict', whileHalted],
    ['takeSnapshot', 'invalid_params', withBody({ name: 'a/b' })],
    [
      'restoreSnapshot deleteSnapshot',
      'not_found',
      async (route) => {
        const first = await sim.snapshot()
        const id = await sim.snapshot()
        await sim.restore(first)
        return at(route, { values: { id } })
      },
    ],
    ['advanceClock waitForClock', 'invalid_params', withBody({ seconds: -1 })],
    ['freezeClock', 'invalid_params', withBody({ at: 'tomorrow' })],
    [
      'addFault replaceFaults',
      'invalid_params',
      (route) => at(route, { body: rules(route, { on: 'quote', effect: 'slow' }) }),
    ],
    [
      'addFault',
      'conflict',
      async (route) => {
        await sim.faults.set(Array(1_000).fill({ on: 'folio', effect: 'timeout' }))
        return at(route).finally(() => sim.faults.clear())
      },
    ],
    ['replaceFaults', 'conflict', (route) => at(route, { body: [stopped, halted] })],
    [
      'removeFault',
      'not_found',
      (route) =>
        poor.whileFault({ id: 'slow_earn', on: 'folio', effect: 'timeout' }, () =>
          at(route, { values: { id: 'slow' } }),
        ),
    ],
    [
      'removeFault',
      'conflict',
      async (route) => {
        await sim.faults.set([{ ...halted, id: 'slow_earn' }, stopped] as never)
        return at(route, { values: { id: 'slow_earn' } }).finally(() => sim.faults.clear())
      },
    ],
    ['setPrice', 'invalid_params', withBody({ usd: '0' })],
    ['repeatEvent', 'invalid_params', withOwner(poor.id, { cursor: 0 })],
    ['repeatEvent', 'not_found', withOwner(poor.id, { cursor: 1 })],
    ['exportScenario', 'invalid_params', withQuery('?name=')],
    [
      'exportScenario',
      'conflict',
      async (route) => {
        const before = await sim.snapshot()
        await poor.fund('1')
        await sim.restore(before)
        await poor.fund('2')
        return at(route)
      },
    ],
    ['forkJournal', 'invalid_params', withBody({ before: 'x' })],
    ['forkJournal', 'not_found', withBody({ before: 1_000_000 })],
    ['explain', 'not_found', withPath({ id: 'pln_000000000000' })],
    ['listBlocks', 'not_found', withPath({ network: 'goerli' })],
    [
      'listBlocks',
      'conflict',
      (route) => poor.whileFault(stopped, () => at(route, { values: { network: 'base' } })),
    ],
    ['inspectTransaction', 'invalid_params', withPath({ hash: '0x12' })],
    ['inspectTransaction', 'not_found', withPath({ hash: anyHash })],
    ['getCoverage', 'invalid_params', withQuery('?worlds=yes')],
    ['runScenarioText', 'invalid_params', withBody({ yaml: '{}' })],
    ['getScenario runScenario', 'not_found', withPath({ name: 'nowhere' })],
    ['runScenario runScenarioText', 'conflict', (route) => whilePlayed(route)],
    ['leaseWorld', 'invalid_params', withBody({ lease_seconds: 0 })],
    [
      'getWorld releaseWorld reportFailedTest renewWorld',
      'not_found',
      withPath({ id: 'wld_5t0p9x2m4k1c' }),
    ],
  ]
  const byOperation = new Map(
    causes.flatMap(([operationIds, code, cause]) =>
      operationIds.split(' ').map((id): [string, Cause] => [`${id} ${code}`, cause]),
    ),
  )

  /** While the scenario of the examples is played; whoever comes second is refused. */
  const whilePlayed: Cause = async (route) => {
    const play = routeOf('runScenario')
    for (;;) {
      const playing = at(play)
      const refused = await at(route)
      if ((await playing).status === 200 && refused.status === 409) return refused
    }
  }

  /** The example body of the kind: wrong, of a wallet that has nothing, or while something fails. */
  const ofPlan = (code: ProblemCode): Cause | undefined =>
    ({
      invalid_params: (route: Route) => {
        const { network, asset: _, ...rest } = kindExample(route.operationId)
        const all = kindExample(route.operationId)
        return at(route, { body: network === undefined ? rest : { ...all, network: 'x' } })
      },
      plan_failed: (route: Route) => at(route),
      timeout: (route: Route) =>
        poor.whileFault({ on: 'folio', effect: 'timeout' }, () => at(route)),
      no_wallet: (route: Route) =>
        poor.whileFault({ on: 'plan', effect: 'no_wallet' }, () => at(route)),
      swap_quote_failed: (route: Route) =>
        poor.whileFault({ on: 'quote', effect: 'unavailable' }, () =>
          at(route, { values: { account_id: rich.id } }),
        ),
    })[code as string]

  return (route: Route, code: ProblemCode): Cause | undefined =>
    byOperation.get(`${route.operationId} ${code}`) ?? (route.planKind && ofPlan(code))
}
