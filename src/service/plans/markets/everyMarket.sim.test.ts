import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../../test/kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'

/** Every market of the address book takes a deposit and gives it back. */

const book = loadAddressBook()
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

const places = networkNames.flatMap((network) => {
  const { aave, comets, morpho } = book.on(network)
  return [
    ...comets.map((comet) => ({
      ...{ network, asset: comet.baseSymbol, protocol: 'compound', market: comet.address },
      ...{ name: comet.name, holder: comet.address },
    })),
    ...aave.reserves.map((reserve) => ({
      ...{ network, asset: reserve.symbol, protocol: 'aave', market: aave.pool },
      ...{ name: `Aave ${reserve.symbol}`, holder: reserve.aToken },
    })),
    ...morpho.vaults.map((vault) => ({
      ...{ network, asset: vault.assetSymbol, protocol: 'morpho_vault', market: vault.address },
      ...{ name: vault.name, holder: vault.address },
    })),
  ]
})

test.each(places)('default: $network: $name takes $asset and gives it back', async (place) => {
  const { name: _, holder, ...request } = place
  const { network, asset } = request
  const chain = readsOf(sim)
  const amount = 10n ** BigInt(book.token(network, asset)!.decimals)
  const user = await openUser(sim)
  await user.fund(network, asset, amount)
  const { activity } = await user.run('earn', { ...request, amount: 'max' })
  expect(activity.activity_status).toBe('confirmed')
  expect(await chain.balance(network, asset, user.wallet)).toBe(0n)
  expect(await chain.balanceIn(network, holder, user.wallet)).toBeGreaterThan(0n)
  await user.run('withdraw', { ...request, amount: 'max' })
  expect(await chain.balanceIn(network, holder, user.wallet)).toBe(0n)
  // Comet and vaults may keep a unit or two of the rounding.
  expect(amount - (await chain.balance(network, asset, user.wallet))).toBeLessThanOrEqual(2n)
})
