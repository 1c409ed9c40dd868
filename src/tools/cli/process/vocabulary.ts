import type { Vocabulary } from '../../../clients/scenarios/names.js'
import { effects } from '../../../faults/effects/index.js'
import { readRule, ruleOfText } from '../../../faults/rules/rules.js'
import { planKinds } from '../../../service/plans/kinds/index.js'

/** The plan kinds and fault rules of this version, to check scenarios before a simulator plays them. */
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
