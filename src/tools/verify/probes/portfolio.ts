import type { Probe } from '../probe.js'
import { ResponseValue } from '../responseValue.js'
import { chosen, probesOn, published, refusals, type Shared, shown } from './define.js'
import { bridgeDone, executesTransfer, readsFolio, stake } from './fixtures.js'
import { hasLength, hasType, is, reads, sends } from './steps.js'

const sections = [
  ...['balances', 'prices', 'yield_markets', 'borrow_markets', 'rewards', 'swap_hints'],
  ...['bridge_hints', 'hex_data', 'completion_statuses', 'patches'],
]
const newcomer = { newcomer: {} }

const emptyFolio: Shared = {
  accounts: newcomer,
  setup: { name: 'a folio', steps: [readsFolio('newcomer', 'empty')] },
}

export const portfolioProbes: Probe[] = probesOn('shapes', {
  'a folio stands under the key folio': {
    from: shown('Folio', '200@folio'),
    accounts: newcomer,
    steps: [reads('/accounts/{{newcomer.id}}/folio', hasType('folio', 'object'))],
  },
  'a folio has all its sections, also when they are empty': {
    from: published('folio', '200@folio'),
    accounts: newcomer,
    steps: [
      reads(
        '/accounts/{{newcomer.id}}/folio',
        ...sections.map((section) => hasType(`folio.${section}`, 'object')),
      ),
    ],
  },
  'balances have keys of the known form, and leave out what is zero': {
    from: published('folio', '200@folio'),
    accounts: { newcomer: {}, cached: stake },
    steps: [
      reads('/accounts/{{newcomer.id}}/folio', hasLength('folio.balances', 0)),
      reads(
        '/accounts/{{cached.id}}/folio',
        is(['folio', 'balances', 'token/base/USDC/{{cached.wallet_lower}}'], '4e6'),
      ),
    ],
  },
  'the folio names mainnet ethereum, and the next nonce of every network': {
    from: published('folio', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const secrets = body('empty').at('folio', 'hex_data')
      for (const network of ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon']) {
        const key = `nonce_secret/${network}/`
        const secret = secrets.entries(key)[0]?.[1] ?? secrets.at(key)
        secret.holds(/^0x[0-9a-f]{64}$/.test(String(secret.value)), '32 bytes of hex')
      }
    },
  },
  'a folio has no gas quotes, no other bridges and no other chains': {
    from: chosen('What public folios have and ours leaves out', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const folio = body('empty').at('folio')
      folio.at('solana_transaction_context').is(undefined)
      for (const [section, kind] of [
        ['prices', 'token'],
        ['bridge_hints', 'across'],
        ['swap_hints', 'wrapper'],
      ] as const) {
        const entries = folio.at(section).entries()
        const kinds = new Set(entries.map(([key]) => key.split('/')[0]))
        new ResponseValue(folio.where, [...kinds], `kinds of ${section}`).is([kind])
      }
    },
  },
  'the first market of a pair has the known key, another its id behind it': {
    from: chosen('Morpho markets of one pair', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const markets = body('empty').at('folio', 'borrow_markets')
      const keys = markets.entries('morpho/').map(([key]) => key)
      markets.holds(keys.length > 0, 'markets of morpho')
      for (const key of keys) {
        const [, network, collateral, loan, id] = key.split('/')
        const isKnown = keys.includes(`morpho/${network}/${collateral}/${loan}`)
        const isSo = id === undefined || (isKnown && /^0x[0-9a-f]{64}$/.test(id))
        const name = new ResponseValue(markets.where, key, 'a key')
        name.holds(isSo, 'morpho/NETWORK/COLLATERAL/LOAN, or that and its id')
      }
    },
  },
  'the collateral of a Morpho market has no total, since none is kept': {
    from: chosen('Sums Morpho Blue does not keep', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const markets = body('empty').at('folio', 'borrow_markets')
      for (const [, market] of markets.entries('morpho/'))
        for (const [, collateral] of market.at('collaterals').entries())
          collateral.at('total_supply').is(null)
    },
  },
  'Aave’s reserves are markets below the address of the pool': {
    from: chosen('Aave in the folio', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const folio = body('empty').at('folio')
      for (const section of ['yield_markets', 'borrow_markets']) {
        const keys = folio
          .at(section)
          .entries('aave/base/')
          .map(([key]) => key)
        const isSo = keys.some((key) => /^aave\/base\/0x[0-9a-f]{40}\/USDC$/.test(key))
        new ResponseValue(folio.where, keys, `${section} of Aave`).holds(
          isSo,
          'aave/base/POOL/USDC',
        )
      }
    },
  },
  'the cap of a vault is at least what it has': {
    from: chosen('`supply_cap` of a vault', '200@folio'),
    ...emptyFolio,
    compute({ body }) {
      const markets = body('empty').at('folio', 'yield_markets')
      const vaults = markets.entries('morpho_vault/')
      markets.holds(vaults.length > 0, 'vaults')
      for (const [, vault] of vaults) {
        const [cap, total] = [vault.at('supply_cap'), vault.at('total_supply')]
        cap.holds(numberOf(cap) >= numberOf(total), `at least ${total.value}`)
      }
    },
  },
  'the nonce of an executed operation is through': {
    from: published('completion statuses', '200@folio'),
    accounts: { nonces: stake },
    steps: [
      ...executesTransfer('plan', 'nonces', '100000'),
      reads(
        '/accounts/{{nonces.id}}/folio',
        is(
          [
            ...['folio', 'completion_statuses'],
            'svc_nonce/{{nonces.wallet_lower}}/{{plan.body.details.svc_operation_actions.0.operation.nonce}}',
          ],
          true,
        ),
      ),
    ],
  },
  'the fill of a bridge is listed, and through': {
    from: chosen('`across_fill`', '200@folio'),
    ...bridgeDone,
    steps: [readsFolio('bridged', 'later')],
    compute({ body }) {
      const folio = body('later').at('folio')
      const fills = folio.at('completion_statuses').entries('across_fill/')
      new ResponseValue(folio.where, fills.length, 'fills').is(1)
      fills[0]?.[1].is(true)
    },
  },
  'an activity has an item for the fill of its bridge': {
    axis: 'events',
    from: chosen('A fill that is expected', '200@GET /activities/{activity_id}'),
    ...bridgeDone,
    compute({ body }) {
      const items = body('bridged_out_activity').at('activity_metadata')
      const types = items.list().map((each) => each.at('action_type').value)
      items.holds(types.includes('BRIDGE_MINT'), 'an item BRIDGE_MINT')
    },
  },
  'an activity that is not there is not found': {
    axis: 'codes',
    from: chosen('Activity by id', '404:not_found@GET /activities/{activity_id}'),
    steps: [sends('GET', '/activities/act_000000000000', {}, { status: 404, error: 'not_found' })],
  },
  'cached is true or false': {
    axis: 'codes',
    from: published('query parameters', '400:invalid_params@folio'),
    accounts: newcomer,
    steps: [sends('GET', '/accounts/{{newcomer.id}}/folio?cached=maybe', {}, refusals.invalid)],
  },
})

/** Of "5.5e6", the 5.5: amounts of one market have the same decimals. */
const numberOf = ({ value }: ResponseValue): number => Number(String(value).split('e')[0])
