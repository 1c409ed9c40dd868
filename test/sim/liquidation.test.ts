import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createClient } from '../kit/client.js'
import { positionsOn } from '../kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

const book = loadAddressBook()
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

const control = () => createClient({ url: sim.url, apiKey: sim.apiKey })
const price = (asset: string, usd: string) => control().put(`/_sim/prices/${asset}`, { usd })
const liquidate = async (body: unknown) => {
  const reply = await control().post('/_sim/liquidations', body)
  expect(reply.status).toBe(200)
  return reply.body.liquidations as { protocol: string; market: string; transaction_hash: string }[]
}

/** One WETH at 3000 carries a debt of 2000 USDC. */
const loan = {
  amount: '2000000000',
  asset: 'USDC',
  collateral_amount: '1000000000000000000',
  collateral_asset: 'WETH',
  network: 'base',
}
const market = book
  .on('base')
  .morpho.markets.find((m) => m.loanSymbol === 'USDC' && m.collateralSymbol === 'WETH')!

async function borrower(body: object) {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', 10n ** 18n)
  const { activity } = await user.run('borrow', body)
  expect(activity.activity_status).toBe('confirmed')
  return user
}

test.each([
  ['compound', { ...loan, protocol: 'compound' }],
  ['morpho', { ...loan, protocol: 'morpho', market: market.id }],
])(
  'default: on %s to the edge nothing happens, over it the bot liquidates, and the account sees it',
  async (protocol, body) => {
    const user = await borrower(body)
    const at = positionsOn(sim, 'base')
    const position = () =>
      protocol === 'compound'
        ? at.comet('USDC', 'WETH', user.wallet)
        : at.morpho(market.id, user.wallet)
    try {
      // 2000 of debt is liquidated above 90 % (Comet) or 86 % (Morpho) of the collateral's worth.
      await price('ETH', '2350')
      expect(await liquidate({ account_id: user.id })).toEqual([])
      expect((await position()).collateral).toBe(10n ** 18n)

      await price('ETH', '2200')
      const [done, ...others] = await liquidate({ account_id: user.id, network: 'base' })
      expect(others).toEqual([])
      expect(done).toMatchObject({ network: 'base', protocol })
      const after = await position()
      expect(after.debt).toBe(0n)
      expect(after.collateral).toBeLessThan(10n ** 18n)

      const { events } = (await user.api.get(`${user.path}/events`)).body
      expect(events.at(-1).data).toMatchObject({
        activity_type: 'exogenous',
        activity_status: 'confirmed',
      })
      const { body: activity } = await user.api.get(`/activities/${events.at(-1).data.activity_id}`)
      expect(activity).toMatchObject({ activity_type: 'exogenous', plan_id: null })
      const [item] = activity.activity_metadata
      expect(item).toMatchObject({
        activity_record_type: 'exogenous',
        transaction_hash: done!.transaction_hash,
      })
      const types = item.semantic_events.map((each: { event_type: string }) => each.event_type)
      expect(types).toEqual(
        protocol === 'compound'
          ? ['comet_liquidation_collateral_absorbed', 'comet_liquidation_base_paid_out']
          : ['morpho_liquidation'],
      )
      // Once, although the bot and the chain's log both tell of it.
      const { activities } = (await user.api.get(`${user.path}/activities`)).body
      expect(activities).toHaveLength(2)

      const { folio } = (await user.api.get(`${user.path}/folio`)).body
      const debts = Object.entries(folio.balances).filter(([key]) =>
        key.startsWith('borrow_market/'),
      )
      expect(debts.every(([, amount]) => String(amount).startsWith('0e'))).toBe(true)
      expect(await liquidate({ account_id: user.id })).toEqual([])
    } finally {
      await price('ETH', '3000')
    }
  },
)

test('behavior: worth less than the debt, all collateral is taken and the rest of the debt is the lenders’ loss', async () => {
  const user = await borrower({ ...loan, protocol: 'morpho', market: market.id })
  try {
    await price('ETH', '1000')
    expect(await liquidate({ address: user.wallet })).toHaveLength(1)
    const after = await positionsOn(sim, 'base').morpho(market.id, user.wallet)
    expect(after).toMatchObject({ collateral: 0n, debt: 0n })
  } finally {
    await price('ETH', '3000')
  }
})

test('error: neither or both of account_id and address; an unknown account; a bad network', async () => {
  const post = (body: unknown) => control().post('/_sim/liquidations', body)
  const address = '0x00000000000000000000000000000000000f41e7'
  for (const body of [{}, { account_id: 'acc_000000000000', address }])
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { message: 'exactly one of account_id and address must be given' },
    })
  expect(await post({ account_id: 'acc_000000000000' })).toMatchObject({ status: 404 })
  expect(await post({ address, network: 'solana' })).toMatchObject({ status: 400 })
  expect(await liquidate({ address })).toEqual([])
})
