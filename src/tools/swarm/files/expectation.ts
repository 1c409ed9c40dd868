import type { ScenarioOutcome } from '../../../clients/scenarios/schema.js'
import type { Baseline } from '../judge/run.js'

/** The baseline as a scenario file keeps it: amounts as decimal strings. */
export function expectationOf(
  { tookMs, outcome, stepsBack }: Baseline,
  timeoutMs: number,
): ScenarioOutcome {
  const texts = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
    Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, `${amount}`]))
  return {
    took_ms: Math.round(tookMs),
    within_ms: Math.round(timeoutMs),
    steps_back: [stepsBack.toStart, stepsBack.behind],
    accounts: outcome.accounts.map(({ holdings, moves }) => ({
      holdings: texts(holdings),
      moves: moves.map(({ wish, amounts }) => ({ wish, amounts: texts(amounts) })),
    })),
  }
}

/** The baseline that a scenario file keeps. */
export function baselineIn({ took_ms, steps_back, accounts }: ScenarioOutcome): Baseline {
  const amounts = (texts: Record<string, string>): Record<string, bigint> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, BigInt(text)]))
  const [toStart, behind] = steps_back
  return {
    tookMs: took_ms,
    stepsBack: { toStart, behind },
    outcome: {
      accounts: accounts.map(({ holdings, moves }, place) => ({
        id: `number ${place + 1}`,
        holdings: amounts(holdings),
        moves: moves.map((move) => ({
          wish: move.wish,
          amounts: amounts(move.amounts),
          activityId: '',
          planId: '',
        })),
      })),
    },
  }
}
