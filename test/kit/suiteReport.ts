import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { networks } from '../../src/deployments/networks.js'

/** The tiers of `npm test`. */
const fast = ['unit', 'node', 'sim', 'smoke']

/** The most that `npm test` may start, on any machine. */
const bounds = { simulators: 12, nodes: 30, commands: 30 }

/** How much a run has started: sets of five nodes by one process, nodes beside those, and processes of the command line. */
type Starts = Record<keyof typeof bounds, number>

/** How many of the slowest tests are printed. */
const slowest = 20

/**
 * Prints what a run has started and its slowest tests. Where only tiers of `npm test` ran, the run fails when it has started more than
 * its bounds.
 */
export default class SuiteReport implements Reporter {
  private starts: Starts = { simulators: 0, nodes: 0, commands: 0 }
  private text = ''
  private readonly tests: TestCase[] = []

  onTestModuleEnd(): void {
    // The file goes with the run's folder before the run has ended.
    this.text = readFileSync(process.env.TEST_STARTS_FILE!, 'utf8')
    this.starts = startsIn(this.text)
  }

  onTestCaseResult(test: TestCase): void {
    this.tests.push(test)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { simulators, nodes, commands } = this.starts
    say(`started: ${simulators} simulators, ${nodes} single nodes, ${commands} command lines`)
    this.checkBounds(modules)
    if (modules.length > 1) this.saySlowest()
  }

  private saySlowest(): void {
    say('slowest tests')
    const duration = (test: TestCase): number => test.diagnostic()?.duration ?? 0
    for (const test of this.tests.sort((a, b) => duration(b) - duration(a)).slice(0, slowest))
      say(
        `  ${(duration(test) / 1000).toFixed(1).padStart(5)} s  ${test.module.relativeModuleId}: ${test.fullName}`,
      )
  }

  private checkBounds(modules: readonly TestModule[]): void {
    if (!modules.every(({ project }) => fast.includes(project.name))) return
    for (const [name, most] of Object.entries(bounds) as [keyof Starts, number][])
      if (this.starts[name] > most) {
        say(`too many ${name}: ${this.starts[name]} (npm test may start ${most}). Share them.`)
        say(startersIn(this.text))
        process.exitCode = 1
      }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** `text` has a line per start: the process that starts it, then what `countStarts.cjs` says. */
export function startsIn(text: string): Starts {
  const byProcess = new Map<string, string[]>()
  for (const line of text.trim().split('\n')) {
    const [pid = '', what = '', testFile = ''] = line.split(' ')
    // Single nodes of several files are no simulator.
    const key = `${pid} ${testFile}`
    byProcess.set(key, [...(byProcess.get(key) ?? []), what])
  }
  const starts: Starts = { simulators: 0, nodes: 0, commands: 0 }
  for (const all of byProcess.values()) {
    const counts = networks.map(
      ({ chainId }) => all.filter((what) => what === String(chainId)).length,
    )
    const sets = Math.min(...counts)
    starts.simulators += sets
    starts.nodes += counts.reduce((sum, count) => sum + count - sets, 0)
    starts.nodes += all.filter((what) => what === 'node').length
    starts.commands += all.filter((what) => what === 'cli').length
  }
  return starts
}

/** Which test files have started how much; `-` stands for processes of their own. */
function startersIn(text: string): string {
  const counts = new Map<string, number>()
  for (const line of text.trim().split('\n')) {
    const [, what = '', file = '-'] = line.split(' ')
    const key = `${file} ${what}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => `  ${count} x ${key}`).join('\n')
}
