import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScenarioOutcome } from '../../../clients/scenarios/schema.js'
import type { Schedule } from '../draw/draw.js'
import { fingerprint } from '../draw/fingerprint.js'
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
  finding: { kind: FindingKind; rules: Schedule; seed: number },
  { baseline, timeoutMs }: { baseline: Baseline; timeoutMs: number },
): Promise<{ scenario: string; trace: string }> {
  const { kind, rules } = finding
  const name = fingerprint({ kind }, rules)
    .replace(/[^A-Za-z0-9_.]+/g, '-')
    .slice(0, 120)
  const scenario = join(out, `${name}.yaml`)
  const content = {
    name: `${kind}: ${rules.length === 0 ? 'without any fault' : fingerprint({ kind }, rules).slice(kind.length + 1)}`,
    given: { clock: 'auto', seed: Number(worldSeed) },
    faults: rules,
    outcome: expectationOf(baseline, timeoutMs),
  }
  await mkdir(out, { recursive: true })
  await writeFile(scenario, textOf(content))
  return { scenario, trace: join(out, `${name}.trace`) }
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
    '# Fails until the client is mended: svc-sim exec --scenario THIS-FILE -- COMMAND\n',
    ...Object.entries({ name, given }).map(line),
    list('faults', faults),
    '# What the command does without faults.\n',
    'outcome:\n',
    ...Object.entries(bounds).map((each) => `  ${line(each)}`),
    list('accounts', accounts, '  '),
  ].join('')
}
