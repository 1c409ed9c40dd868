import { mkdir, writeFile } from 'node:fs/promises'
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
  {
    baseline,
    timeoutMs,
    written,
  }: { baseline: Baseline; timeoutMs: number; written: Map<string, string> },
): Promise<{ scenario: string; trace: string }> {
  const { kind, rules } = finding
  const effects = effectNames(rules)
  const title = [kind, ...effects].join(' ')
  const name = freeName(title.replace(/[^A-Za-z0-9_.]+/g, '-').slice(0, 120), finding, written)
  const scenario = join(out, `${name}.yaml`)
  const content = {
    name: `${kind}: ${rules.length === 0 ? 'without any fault' : effects.join(' ')}`,
    given: { clock: 'auto', seed: Number(worldSeed) },
    faults: rules,
    outcome: expectationOf(baseline, timeoutMs),
  }
  await mkdir(out, { recursive: true })
  await writeFile(scenario, textOf(content))
  return { scenario, trace: join(out, `${name}.trace`) }
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
function freeName(
  name: string,
  { kind, cause }: { kind: string; cause: string },
  written: Map<string, string>,
): string {
  const owner = `${kind} ${cause}`
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if ((written.get(free) ?? owner) !== owner) continue
    written.set(free, owner)
    return free
  }
}

/** Short: each rule, and each account, on a line; what YAML calls flow is JSON. */
function textOf({ name, given, faults, outcome }: Content): string {
  const list = (title: string, items: readonly unknown[], indent = ''): string =>
    items.length === 0
      ? `${indent}${title}: []\n`
      : `${indent}${title}:\n${items.map((each) => `${indent}  - ${JSON.stringify(each)}\n`).join('')}`
  const { accounts, ...bounds } = outcome
  const line = ([key, value]: [string, unknown]): string => `${key}: ${JSON.stringify(value)}\n`
  return [
    '# Fails until the client is fixed: svc-sim exec --scenario THIS-FILE -- COMMAND\n',
    ...Object.entries({ name, given }).map(line),
    list('faults', faults),
    '# What the command does without faults.\n',
    'outcome:\n',
    ...Object.entries(bounds).map((each) => `  ${line(each)}`),
    list('accounts', accounts, '  '),
  ].join('')
}
