import { effects } from '../faults/effects/index.js'
import { readRule, ruleOfText } from '../faults/rules.js'
import { planKinds } from '../plans/kinds/index.js'
import type { Vocabulary } from '../scenarios/names.js'

/** What a simulator of this version knows, for scenarios that one of its own is to play. */
export const vocabulary: Vocabulary = {
  kinds: planKinds.map(({ path }) => path),
  ruleProblem(rule) {
    try {
      readRule(typeof rule === 'string' ? ruleOfText(rule) : rule, effects)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  },
}
