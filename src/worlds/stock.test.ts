import { expect, onTestFinished, test } from 'vitest'
import { createStock } from './stock.js'
import type { WorldSupply } from './supply.js'

/** A stock of at most `maxWorlds` worlds over a supply without processes. */
async function stockOf({ keepWarm, maxWorlds }: { keepWarm: number; maxWorlds: number }) {
  const alive = new Set<string>()
  let made = 0
  const supply: Pick<WorldSupply, 'bring' | 'has' | 'size' | 'hasEnded'> = {
    async bring(_, from) {
      if (from !== undefined) alive.delete(from)
      const id = `wld_${++made}`
      alive.add(id)
      return { id, apiKey: id, socket: id }
    },
    has: (id) => alive.has(id),
    size: () => alive.size,
    hasEnded: () => false,
  }
  const errors: Error[] = []
  const stock = createStock(
    supply as WorldSupply,
    { keepWarm, maxWorlds },
    { onChange() {}, onError: (error) => errors.push(error) },
  )
  onTestFinished(() => stock.clear())
  stock.refill()
  await expect.poll(() => stock.size()).toBe(keepWarm)
  expect(errors).toEqual([])
  return stock
}

test('default: a warm world is leased once; then new ones are started, up to the limit', async () => {
  const stock = await stockOf({ keepWarm: 1, maxWorlds: 2 })
  expect(await stock.find({})).toMatchObject({ id: 'wld_1' })
  expect(stock.size()).toBe(0)
  expect(await stock.find({})).toMatchObject({ id: 'wld_2' })
  expect(stock.find({})).toBeUndefined()
})

test('behavior: a warm world is restarted for a lease with wishes', async () => {
  const stock = await stockOf({ keepWarm: 1, maxWorlds: 1 })
  expect(await stock.find({ seed: '7' })).toMatchObject({ id: 'wld_2' })
  expect(stock.find({ seed: '7' })).toBeUndefined()
})
