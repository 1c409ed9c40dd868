import { assets } from '../api/assets.js'
import { networkOfChain, overview } from '../api/live.js'
import { attempt } from '../shell/notices.js'
import { NetworkLabel } from './labels.js'
import { type MoneyFact, shownMoney } from './money.js'
import { actionSentence } from './sentences.js'

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

export function Sentence(action: { type: string; context: object; state?: string }) {
  const { type, context, state = 'done' } = action
  const phrases = actionSentence(type, context as Record<string, unknown>)
  return (
    <p class="sentence">
      {phrases.map((phrase, index) =>
        typeof phrase === 'string' ? (
          phrase
        ) : 'chain' in phrase ? (
          <NetworkLabel key={index} network={networkOfChain(phrase.chain)} />
        ) : (
          <Money key={index} {...phrase} />
        ),
      )}
      {state !== 'done' && <span class="small"> ({state})</span>}
    </p>
  )
}
