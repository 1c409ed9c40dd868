import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadScenario, parseScenario, ScenarioFileError } from './load.js'

function problemsOf(text: string): readonly string[] {
  try {
    parseScenario(text, 'x.yaml')
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioFileError)
    return (error as ScenarioFileError).problems
  }
  throw new Error('nothing was wrong with it')
}

test('default', () => {
  const scenario = parseScenario(
    `
name: A name
given: { accounts: { alice: { funds: { base: { USDC: "1" } } } } }
when:
  - plan: { as: p, account: alice, kind: earn, body: {} }
  - execute: { plan: p }
then:
  - balance: { account: alice, network: base, asset: USDC, is: "0" }
`,
    'x.yaml',
  )
  expect(scenario).toMatchObject({
    name: 'A name',
    given: { accounts: { alice: { funds: { base: { USDC: '1' } } } }, positions: [] },
    faults: [],
  })
  expect(scenario.when.map((step) => Object.keys(step))).toEqual([['plan'], ['execute']])
})

test('behavior: a file with given and faults only is a scenario; so is one with a name alone', () => {
  const scenario = parseScenario('name: Only a name', 'x.yaml')
  expect([scenario.when, scenario.then]).toEqual([[], []])
})

test('error: no YAML at all, with the place', () => {
  expect(problemsOf('name: x\nwhen: [')[0]).toMatch(/^x\.yaml:2:\d+ /)
})

test.each([
  ['name: x\nwhenn: []', 'x.yaml:2:8 whenn: "whenn" is unknown here; allowed: name, description'],
  [
    'name: x\nwhen:\n  - plann: {}',
    'x.yaml:3:12 when.0.plann: "plann" is unknown here; allowed: call, plan, execute',
  ],
  ['name: x\nwhen:\n  - {}', 'x.yaml:3:5 when.0: must have exactly one step'],
  [
    'name: x\ngiven: { accounts: { a: { funds: { bsae: { USDC: "1" } } } } }',
    '"bsae" is unknown here; allowed: mainnet, base, arbitrum, optimism, polygon',
  ],
  [
    'name: x\ngiven: { accounts: { a: { funds: { base: { USDC: 1.5 } } } } }',
    'given.accounts.a.funds.base.USDC: must be an amount in the smallest unit: digits as text',
  ],
  [
    'name: x\ngiven: { accounts: { a: { funds: { base: { USDC: 9007199254740993 } } } } }',
    'given.accounts.a.funds.base.USDC: must be an amount in the smallest unit: digits as text',
  ],
  [
    'name: x\ngiven: { accounts: { a: { funds: { base: { USDC: -1 } } } } }',
    'or an integer from 0 to 2^53-1; larger ones as text',
  ],
  ['name: x\ngiven: { clock: frosty }', 'given.clock: must be real, frozen, or frozen@ISO-TIME'],
  [
    'name: x\nwhen:\n  - call: { path: /, expect: { error: nope } }',
    'when.0.call.expect.error: must be one of invalid_params,',
  ],
  ['when: []', 'name: Invalid input: expected string, received undefined'],
  ['- a list', '(file): Invalid input: expected object'],
  [
    'name: x\nwhen:\n  - plan: { account: bob, kind: earn, body: {} }',
    'when.0.plan.account: "bob" is not the name of an account in given.accounts; there are: none',
  ],
  [
    'name: x\nwhen:\n  - execute: { plan: p }',
    'when.0.execute.plan: "p" is not the name of an earlier step (as); there are: none',
  ],
  [
    'name: x\nwhen:\n  - call: { path: /, background: true }',
    'when.0.call: a background step needs a name: as',
  ],
  [
    'name: x\nthen:\n  - balance: { account: bob, network: base, asset: USDC }',
    'then.0.balance.account: "bob" is not the name of an account',
  ],
])('error: %j says %s', (text, message) => {
  expect(problemsOf(text).join('\n')).toContain(message)
})

test('error: every problem is named, not only the first', () => {
  const problems = problemsOf('name: 5\nwhen: [ { a: 1 }, { b: 2 } ]')
  expect(problems.length).toBeGreaterThanOrEqual(3)
})

test('error: files that are missing, too large, or a bomb of aliases', () => {
  expect(() => loadScenario('/nowhere/x.yaml')).toThrow('/nowhere/x.yaml: cannot be read')
  const dir = mkdtempSync(join(tmpdir(), 'svc-sim-scenario-'))
  try {
    const large = join(dir, 'large.yaml')
    writeFileSync(large, `name: ${'x'.repeat(1024 * 1024)}`)
    expect(() => loadScenario(large)).toThrow('at most 1048576 are read')
  } finally {
    rmSync(dir, { recursive: true })
  }
  const levels = Array.from({ length: 12 }, (_, i) => {
    const of = i === 0 ? 'x' : `*a${i - 1}`
    return `a${i}: &a${i} [${Array(10).fill(of).join(', ')}]`
  })
  expect(problemsOf(levels.join('\n'))[0]).toMatch(/^x\.yaml:/)
})

test('behavior: any text is a scenario or a named problem', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parseScenario(text, 'x.yaml')
      } catch (error) {
        expect(error).toBeInstanceOf(ScenarioFileError)
        expect((error as Error).message).toMatch(/^x\.yaml:\d+:\d+ /)
      }
    }),
    { numRuns: 500 },
  )
})
