import type { ScenarioOutcome } from '../../../clients/scenarios/schema.js'
import type { Baseline } from '../judge/run.js'

/** The baseline as a scenario file keeps it: amounts as decimal strings. */
export function expectationOf({ outcome, cursorRewinds }: Baseline): ScenarioOutcome {
  const texts = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
    Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, `${amount}`]))
  return {
    cursor_rewinds: { to_start: cursorRewinds.toStart, to_earlier: cursorRewinds.toEarlier },
    ...(outcome.prices && { prices: { ...outcome.prices } }),
    accounts: outcome.accounts.map(({ holdings, moves }) => ({
      holdings: texts(holdings),
      moves: moves.map(({ intent, amounts }) => ({ intent, amounts: texts(amounts) })),
    })),
  }
}

/** The baseline that a scenario file keeps. */
export function baselineIn({ cursor_rewinds, accounts, prices }: ScenarioOutcome): Baseline {
  const amounts = (texts: Record<string, string>): Record<string, bigint> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, BigInt(text)]))
  return {
    tookMs: undefined,
    cursorRewinds: { toStart: cursor_rewinds.to_start, toEarlier: cursor_rewinds.to_earlier },
    outcome: {
      ...(prices && { prices }),
      accounts: accounts.map(({ holdings, moves }, place) => ({
        id: `number ${place + 1}`,
        holdings: amounts(holdings),
        moves: moves.map((move) => ({
          intent: move.intent,
          amounts: amounts(move.amounts),
          activityId: '',
          planId: '',
        })),
      })),
    },
  }
}
