import { formatUnits, parseUnits } from 'viem/utils'
import { answerOf, type ControlClient, RefusedError } from '../../clients/control/controlClient.js'

/** To where prices are moved and back, in hundredths: what lies between has then been read in both directions. */
const stations = [110n, 90n]

const decimals = 8

/**
 * Moves the price of each asset up and down, so that all that a move reads of feeds, oracles and pools is kept. What cannot be moved is
 * remarked on. The prices stay moved.
 */
export async function touchPrices(
  control: ControlClient,
  remark: (text: string) => void,
): Promise<void> {
  const { prices } = await answerOf(control.GET('/prices'))
  const done = new Set<string>()
  for (const [asset, usd] of Object.entries(prices)) {
    if (done.has(asset)) continue
    for (const hundredths of stations) {
      const price = (parseUnits(usd, decimals) * hundredths) / 100n
      const params = { path: { asset } }
      const body = { usd: formatUnits(price, decimals) }
      try {
        const { moved } = await answerOf(control.PUT('/prices/{asset}', { params, body }))
        for (const symbol of moved) done.add(symbol)
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        remark(`no move of the price of ${asset}: ${error.message}`)
      }
    }
  }
}
