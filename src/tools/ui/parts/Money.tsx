import { assets } from '../api/assets.js'
import { overview } from '../api/live.js'
import { attempt } from '../shell/notices.js'
import { type MoneyFact, shownMoney } from './money.js'

/** `99.80 USDC ($99.80)`, at the price that was given or at today's. */
export function moneyText(money: MoneyFact): string {
  const usd = overview.value?.prices?.[money.symbol]
  return shownMoney(money, assets.value[money.symbol]?.decimals, usd)
}

/** An amount as a person reads it; the smallest units are in its title, and a press copies them. */
export function Money(money: MoneyFact) {
  return (
    <button
      type="button"
      class="money"
      title={`${money.raw} in the smallest unit. Press to copy.`}
      onClick={() => attempt('Copied', () => navigator.clipboard.writeText(money.raw))}
    >
      {moneyText(money)}
    </button>
  )
}
