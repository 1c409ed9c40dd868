import { formatUnits, parseUnits } from 'viem/utils'
import type { clientOf } from './client.js'

/** To where prices are moved and back, in hundredths: what lies between has then been read in both directions. */
const stations = [110n, 90n]

/** Decimals of prices. */
const decimals = 8

/**
 * Moves the price of each asset up and down, so that all that a move reads of feeds, oracles and pools is kept. What cannot be moved is
 * remarked on. The prices stay moved.
 */
export async function touchPrices(
  client: ReturnType<typeof clientOf>,
  remark: (text: string) => void,
): Promise<void> {
  const { prices } = await client.control('/prices')
  const done = new Set<string>()
  for (const [asset, usd] of Object.entries(prices as Record<string, string>)) {
    if (done.has(asset)) continue
    for (const hundredths of stations) {
      const price = (parseUnits(usd, decimals) * hundredths) / 100n
      const end = await client.movePrice(asset, formatUnits(price, decimals))
      if (end.refusal !== undefined) remark(`no move of the price of ${asset}: ${end.refusal}`)
      for (const symbol of end.moved) done.add(symbol)
    }
  }
}
