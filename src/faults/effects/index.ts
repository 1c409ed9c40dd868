import type { Effect, Lasting } from '../rules/effect.js'
import { seamOf } from '../rules/rules.js'
import { variantEffects } from './answer.js'
import { choiceEffects } from './answerChoices.js'
import { bridgeEffects } from './bridge.js'
import { chainEffects } from './chain.js'
import { eventEffects } from './events.js'
import { executeEffects } from './execute.js'
import { folioEffects } from './folio.js'
import { planEffects } from './plan.js'
import { quoteEffects } from './quote.js'
import { requestEffects } from './request.js'

/** Every effect of the seam `answer`: readings that the interface allows beside ours. */
export const answerEffects: readonly Effect[] = [...variantEffects, ...choiceEffects]

export const effects: readonly Effect[] = [
  ...requestEffects,
  ...folioEffects,
  ...quoteEffects,
  ...planEffects,
  ...executeEffects,
  ...bridgeEffects,
  ...chainEffects,
  ...eventEffects,
  ...answerEffects,
]

/** Of an effect by its name with its seam; words may follow it: `plan.stale by nonce`. */
export function lastingOf(effect: string): Lasting | undefined {
  const [name] = effect.split(' ')
  return effects.find((each) => `${seamOf(each)}.${each.name}` === name)?.lasts
}
