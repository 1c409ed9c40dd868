import type { Vocabulary } from '../../../clients/scenarios/names.js'
import { effects } from '../../../faults/effects/index.js'
import { readRule, ruleOfText } from '../../../faults/rules/rules.js'
import { planKinds } from '../../../service/plans/kinds/index.js'

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
