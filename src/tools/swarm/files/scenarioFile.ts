import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Schedule } from '../draw/draw.js'
import { fingerprint } from '../draw/fingerprint.js'
import type { FindingKind } from '../judge/finding.js'
import type { Baseline } from '../judge/run.js'
import { worldSeed } from '../world/world.js'
import { expectationOf } from './expectation.js'

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

/** Short: each rule, and each account, on a line. */
function textOf(content: { outcome: { accounts: readonly unknown[] }; faults: Schedule }): string {
  const { outcome, faults, ...head } = content
  const { accounts, ...bounds } = outcome
  const list = (name: string, items: readonly unknown[], indent = ''): string =>
    items.length === 0
      ? `${indent}${name}: []\n`
      : `${indent}${name}:\n${items.map((each) => `${indent}  - ${JSON.stringify(each)}\n`).join('')}`
  return [
    '# Fails until the client is mended: svc-sim exec --scenario THIS-FILE -- COMMAND\n',
    stringify(head),
    list('faults', faults),
    stringify({ outcome: bounds }),
    list('accounts', accounts, '  '),
  ].join('')
}
