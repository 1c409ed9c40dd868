import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScenarioOutcome } from '../../../clients/scenarios/schema.js'
import type { Schedule } from '../draw/draw.js'
import { effectOf } from '../draw/profiles.js'
import type { FindingKind } from '../judge/finding.js'
import type { Baseline } from '../judge/run.js'
import { worldSeed } from '../world/world.js'
import { expectationOf } from './expectation.js'

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

/** The files that a search has written, by the kind and cause of their finding: of two sightings, the smaller one. */
export type Written = Map<
  string,
  { name: string; scenario: string; trace: string; rules: Schedule; length: number }
>

function ownerOf({ kind, cause }: { kind: string; cause: string }): string {
  return `${kind} ${cause}`
}

/** What it takes to bring it about: `request.truncate`, `plan.stale.nonce`. */
function effectNames(rules: Schedule): string[] {
  const names = rules.map((rule) => {
    const { name, settings } = effectOf(rule)
    return [rule.on, name, settings.error ?? settings.by].filter(Boolean).join('.')
  })
  return [...new Set(names)].sort()
}

/** Two findings of the same effects have files of their own. */
function freeName(name: string, written: Written): string {
  const taken = new Set([...written.values()].map((each) => each.name))
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!taken.has(free)) return free
  }
}

/** Short: each rule, and each account, on a line; what YAML calls flow is JSON. */
function textOf({ name, given, faults, outcome }: Content): string {
  const list = (title: string, items: readonly unknown[], indent = ''): string =>
    items.length === 0
      ? `${indent}${title}: []\n`
      : `${indent}${title}:\n${items.map((each) => `${indent}  - ${JSON.stringify(each)}\n`).join('')}`
  const { accounts, cursor_rewinds, prices } = outcome
  const line = ([key, value]: [string, unknown]): string => `${key}: ${JSON.stringify(value)}\n`
  return [
    '# Fails until the client is fixed: svc-sim exec --scenario THIS-FILE -- COMMAND\n',
    ...Object.entries({ name, given }).map(line),
    list('faults', faults),
    '# What the command does without faults.\n',
    'outcome:\n',
    `  ${line(['cursor_rewinds', cursor_rewinds])}`,
    ...(prices ? [`  ${line(['prices', prices])}`] : []),
    list('accounts', accounts, '  '),
  ].join('')
}
