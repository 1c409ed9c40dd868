import { executes, plans, reads, sends } from '../corpus/steps.js'
import { at, holds, same } from '../expect.js'
import type { Probe } from '../probe.js'
import type { ProbeContext } from '../probeContext.js'
import { chosen, probeOn, published, shown } from './define.js'
import { accountWith, bridgeDone, stake, transferFrom } from './fixtures.js'

const probe = probeOn('shapes')

const sections = [
  ...['balances', 'prices', 'yield_markets', 'borrow_markets', 'rewards', 'swap_hints'],
  ...['bridge_hints', 'hex_data', 'completion_statuses', 'patches'],
]

/** What the folio holds, and how it says so. */
export const portfolioProbes: Probe[] = [
  probe({
    name: 'a folio stands under the key folio',
    cells: ['200@folio'],
    from: shown('Folio'),
    steps: [
      { account: 'newcomer' },
      reads('/accounts/{newcomer.id}/folio', { checks: [{ at: ['folio'], type: 'object' }] }),
    ],
  }),
  probe({
    name: 'a folio has all its sections, also when they are empty',
    cells: ['200@folio'],
    from: published('folio'),
    steps: [
      { account: 'newcomer' },
      reads('/accounts/{newcomer.id}/folio', {
        checks: sections.map((section) => ({ at: ['folio', section], type: 'object' as const })),
      }),
    ],
  }),
  probe({
    name: 'balances have keys of the known form, and leave out what is zero',
    cells: ['200@folio'],
    from: published('folio'),
    steps: [
      { account: 'newcomer' },
      reads('/accounts/{newcomer.id}/folio', {
        checks: [{ at: ['folio', 'balances'], length: 0 }],
      }),
      accountWith('cached', stake),
      reads('/accounts/{cached.id}/folio', {
        checks: [
          { at: ['folio', 'balances', 'token/base/USDC/{cached.wallet_lower}'], equals: '4e6' },
        ],
      }),
    ],
  }),
  probe({
    name: 'the folio names mainnet ethereum, and the next nonce of every network',
    cells: ['200@folio'],
    from: published('folio'),
    reach: 'plan',
    async attempt(context) {
      const { hex_data = {} } = await emptyFolio(context)
      for (const network of ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon']) {
        const found = Object.entries(hex_data).find(([key]) =>
          key.startsWith(`nonce_secret/${network}/`),
        )
        holds(
          `GET folio: hex_data.nonce_secret/${network}`,
          /^0x[0-9a-f]{64}$/.test(String(found?.[1])),
          '32 bytes of hex',
          found?.[1],
        )
      }
    },
  }),
  probe({
    name: 'a folio has no gas quotes, no other bridges and no other chains',
    cells: ['200@folio'],
    from: chosen('What public folios have and ours leaves out'),
    reach: 'plan',
    async attempt(context) {
      const folio = await emptyFolio(context)
      same('GET folio: solana_transaction_context', 'solana_transaction_context' in folio, false)
      for (const [section, kind] of [
        ['prices', 'token'],
        ['bridge_hints', 'across'],
        ['swap_hints', 'wrapper'],
      ] as const) {
        const kinds = [
          ...new Set(Object.keys(folio[section] ?? {}).map((key) => key.split('/')[0])),
        ]
        same(`GET folio: kinds of ${section}`, kinds.join(), kind)
      }
    },
  }),
  probe({
    name: 'the first market of a pair has the known key, another its id behind it',
    cells: ['200@folio'],
    from: chosen('Morpho markets of one pair'),
    reach: 'plan',
    async attempt(context) {
      const { borrow_markets = {} } = await emptyFolio(context)
      const keys = Object.keys(borrow_markets).filter((key) => key.startsWith('morpho/'))
      holds(
        'GET folio: borrow_markets',
        keys.length > 0,
        'markets of morpho',
        Object.keys(borrow_markets),
      )
      for (const key of keys) {
        const [, network, collateral, loan, id] = key.split('/')
        const isKnown = id === undefined || keys.includes(`morpho/${network}/${collateral}/${loan}`)
        holds(
          `GET folio: borrow_markets.${key}`,
          isKnown && (id === undefined || /^0x[0-9a-f]{64}$/.test(id)),
          'morpho/NETWORK/COLLATERAL/LOAN, or that and its id',
          key,
        )
      }
    },
  }),
  probe({
    name: 'the collateral of a Morpho market has no total, since none is kept',
    cells: ['200@folio'],
    from: chosen('Sums Morpho Blue does not keep'),
    reach: 'plan',
    async attempt(context) {
      const { borrow_markets = {} } = await emptyFolio(context)
      for (const [key, market] of Object.entries(borrow_markets).filter(([key]) =>
        key.startsWith('morpho/'),
      ))
        for (const [symbol, collateral] of Object.entries(
          (at(market, 'collaterals') ?? {}) as object,
        ))
          same(
            `GET folio: borrow_markets.${key}.collaterals.${symbol}.total_supply`,
            at(collateral, 'total_supply') as null,
            null,
          )
    },
  }),
  probe({
    name: 'Aave’s reserves are markets below the address of the pool',
    cells: ['200@folio'],
    from: chosen('Aave in the folio'),
    reach: 'plan',
    async attempt(context) {
      const folio = await emptyFolio(context)
      for (const section of ['yield_markets', 'borrow_markets']) {
        const key = Object.keys(folio[section] ?? {}).find((each) =>
          /^aave\/base\/0x[0-9a-f]{40}\/USDC$/.test(each),
        )
        holds(
          `GET folio: ${section}`,
          key !== undefined,
          'aave/base/POOL/USDC',
          Object.keys(folio[section] ?? {}),
        )
      }
    },
  }),
  probe({
    name: 'the cap of a vault is at least what it has',
    cells: ['200@folio'],
    from: chosen('`supply_cap` of a vault'),
    reach: 'plan',
    async attempt(context) {
      const { yield_markets = {} } = await emptyFolio(context)
      const vaults = Object.entries(yield_markets).filter(([key]) =>
        key.startsWith('morpho_vault/'),
      )
      holds('GET folio: yield_markets', vaults.length > 0, 'vaults', Object.keys(yield_markets))
      for (const [key, vault] of vaults) {
        const read = (name: string) => Number(String(at(vault, name)).split('e')[0])
        const isSo = read('supply_cap') >= read('total_supply')
        holds(
          `GET folio: yield_markets.${key}.supply_cap`,
          isSo,
          `at least ${at(vault, 'total_supply')}`,
          at(vault, 'supply_cap'),
        )
      }
    },
  }),
  probe({
    name: 'the nonce of an executed operation is through',
    cells: ['200@folio'],
    from: published('completion statuses'),
    steps: [
      accountWith('nonces', stake),
      plans('plan', 'nonces', 'transfer', transferFrom('nonces', '100000'), {
        keep: { nonce: ['details', 'svc_operation_actions', 0, 'operation', 'nonce'] },
      }),
      executes('plan'),
      { settle: 'plan' },
      reads('/accounts/{nonces.id}/folio', {
        checks: [
          {
            at: ['folio', 'completion_statuses', 'svc_nonce/{nonces.wallet_lower}/{nonce}'],
            equals: true,
          },
        ],
      }),
    ],
  }),
  probe({
    name: 'the fill of a bridge is listed, and through',
    cells: ['200@folio'],
    from: chosen('`across_fill`'),
    reach: 'all',
    concerns: () => false,
    async attempt(context) {
      const { user } = await bridgeDone(context)
      const { completion_statuses = {} } = await user.folio()
      const fills = Object.entries(completion_statuses).filter(([key]) =>
        key.startsWith('across_fill/'),
      )
      same(`GET ${user.path}/folio: fills`, fills.length, 1)
      same(`GET ${user.path}/folio: ${fills[0]?.[0]}`, fills[0]?.[1] as boolean, true)
    },
  }),
  probe({
    name: 'an activity has an item for the fill of its bridge',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('A fill that is expected'),
    reach: 'all',
    concerns: () => false,
    async attempt(context) {
      const { activity, activityId } = await bridgeDone(context)
      const items = (activity.activity_metadata ?? []) as unknown[]
      const types = items.map((each) => at(each, 'action_type'))
      holds(
        `GET /activities/${activityId}: activity_metadata`,
        types.includes('BRIDGE_MINT'),
        'an item BRIDGE_MINT',
        types,
      )
    },
  }),
  probe({
    name: 'an activity that is not there is not found',
    axis: 'codes',
    cells: ['404:not_found@GET /activities/{activity_id}'],
    from: chosen('Activity by id'),
    steps: [sends('GET', '/activities/act_000000000000', {}, { status: 404, code: 'not_found' })],
  }),
  probe({
    name: 'cached is true or false',
    axis: 'codes',
    cells: ['400:invalid_params@folio'],
    from: published('query parameters'),
    steps: [
      { account: 'newcomer' },
      sends(
        'GET',
        '/accounts/{newcomer.id}/folio?cached=maybe',
        {},
        { status: 400, code: 'invalid_params' },
      ),
    ],
  }),
]

function emptyFolio(context: ProbeContext) {
  return context.once('a folio', async () => (await context.account('newcomer')).folio())
}
