import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scenario, ScenarioOutcome } from '../../../clients/scenarios/schema.js'
import type { Schedule } from '../draw/draw.js'
import { effectOf } from '../draw/profiles.js'
import { expectedUnder, judgeRun } from '../judge/judgeRun.js'
import type { Baseline, Ending } from '../judge/run.js'
import type { ClientFinding, FindingKind } from '../types.js'
import { type Ready, worldOf, worldSeed } from '../world/world.js'

interface Content {
  name: string
  given: object
  faults: Schedule
  outcome: ScenarioOutcome
}

/** Writes the scenario that arms exactly these rules; returns its path, and the one for its trace. */
export async function writeScenario(
  out: string,
  finding: { kind: FindingKind; cause: string; rules: Schedule; seed: number },
  { baseline, clock, written }: { baseline: Baseline; clock: string; written: Written },
): Promise<{ scenario: string; trace: string }> {
  const { kind, rules } = finding
  const before = written.get(ownerOf(finding))
  if (before && before.length <= JSON.stringify(rules).length && before.rules !== rules)
    return before
  if (before)
    await Promise.all([before.scenario, before.trace].map((file) => rm(file, { force: true })))
  written.delete(ownerOf(finding))
  const effects = effectNames(rules)
  const title = [kind, ...effects].join(' ')
  const name = freeName(title.replace(/[^A-Za-z0-9_.]+/g, '-').slice(0, 120), written)
  const scenario = join(out, `${name}.yaml`)
  const content = {
    name: `${kind}: ${rules.length === 0 ? 'without any fault' : effects.join(' ')}`,
    given: { clock, seed: Number(worldSeed) },
    faults: rules,
    outcome: expectationOf(baseline),
  }
  await mkdir(out, { recursive: true })
  await writeFile(scenario, textOf(content))
  const files = { scenario, trace: join(out, `${name}.trace`) }
  written.set(ownerOf(finding), { ...files, name, rules, length: JSON.stringify(rules).length })
  return files
}

/** The files that a search has written, by the kind and cause of their finding. The shorter schedule replaces the longer one. */
export type Written = Map<
  string,
  { name: string; scenario: string; trace: string; rules: Schedule; length: number }
>

function ownerOf({ kind, cause }: { kind: string; cause: string }): string {
  return `${kind} ${cause}`
}

/** Such as `request.truncate`, `plan.stale.nonce`. */
function effectNames(rules: Schedule): string[] {
  const names = rules.map((rule) => {
    const { name, settings } = effectOf(rule)
    return [rule.on, name, settings.error ?? settings.by].filter(Boolean).join('.')
  })
  return [...new Set(names)].sort()
}

function freeName(name: string, written: Written): string {
  const taken = new Set([...written.values()].map((each) => each.name))
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!taken.has(free)) return free
  }
}

/** YAML with each rule and each account on one line, as JSON. */
function textOf({ name, given, faults, outcome }: Content): string {
  const list = (title: string, items: readonly unknown[], indent = ''): string =>
    items.length === 0
      ? `${indent}${title}: []\n`
      : `${indent}${title}:\n${items.map((each) => `${indent}  - ${JSON.stringify(each)}\n`).join('')}`
  const { accounts, cursor_rewinds, prices } = outcome
  const line = ([key, value]: [string, unknown]): string => `${key}: ${JSON.stringify(value)}\n`
  return [
    '# Fails until the client is fixed: svc-sim scenario run THIS-FILE -- COMMAND\n',
    ...Object.entries({ name, given }).map(line),
    list('faults', faults),
    '# What the command does without faults.\n',
    'outcome:\n',
    `  ${line(['cursor_rewinds', cursor_rewinds])}`,
    ...(prices ? [`  ${line(['prices', prices])}`] : []),
    list('accounts', accounts, '  '),
  ].join('')
}

/** The baseline in a scenario file, with amounts as decimal strings. */
function expectationOf({ outcome, cursorRewinds }: Baseline): ScenarioOutcome {
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

/** Judges a command that has ended in the world of a scenario with an `outcome`. */
export async function judgeScenario(
  { faults, outcome }: Pick<Scenario, 'faults'> & { outcome: ScenarioOutcome },
  ending: Ending,
  { simulator, controlToken }: { simulator: Ready; controlToken: string | undefined },
): Promise<ClientFinding[]> {
  const world = worldOf(simulator, async () => {}, controlToken)
  const rules = faults as Schedule
  const run = { rules, ending, ...(await world.settle()) }
  return judgeRun(baselineIn(outcome), run, expectedUnder(rules))
}
