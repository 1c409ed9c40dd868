import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vocabulary } from '../../tools/cli/process/vocabulary.js'
import { loadScenario, parseScenario, ScenarioFileError } from './load.js'
import type { Vocabulary } from './names.js'

function problemsOf(text: string, words?: Vocabulary): readonly string[] {
  try {
    parseScenario(text, 'x.yaml', words)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioFileError)
    return (error as ScenarioFileError).problems
  }
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
    'name: x\ngiven:\n  setup: { name: y, steps: [{ execute: { plan: late } }] }',
    'given.setup.steps.0.execute.plan: "late" is not the name of an earlier step (as)',
  ],
  ['name: x\nwhen:\n  - call: { path: /, expect: { any_of: [] } }', 'when.0.call.expect.any_of:'],
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
  [
    'name: x\ngiven: { clock: frosty }',
    'given.clock: must be real, auto, frozen, or frozen@ISO-TIME',
  ],
  [
    'name: x\nwhen:\n  - call: { path: /, expect: { error: nope } }',
    'when.0.call.expect.error: must be one of invalid_params,',
  ],
  [
    `name: x\nwhen:\n  - call: { path: /accounts, body: { signer_address: 0x${'0'.repeat(38)}12 } }`,
    `x.yaml:3:54 when.0.call.body.signer_address: 0x${'0'.repeat(38)}12 must be in quotes: YAML reads it as a number`,
  ],
  [
    'name: x\nwhen:\n  - call: { path: /, body: { list: [a, 0x12] } }',
    'when.0.call.body.list.1: 0x12 must be in quotes: YAML reads it as a number',
  ],
  ['when: []', 'name: is missing; it must be a text: What the scenario is called in reports.'],
  ['- a list', '(file): must be a map (name: value), but is a list'],
  [
    'name: x\nwhen:\n  - execute: {}',
    'x.yaml:3:14 when.0.execute.plan: is missing; it must be a text: The name (`as`) of the plan step whose plan is executed.',
  ],
  [
    'name: x\ngiven:\n  accounts: [ alice ]',
    'x.yaml:3:13 given.accounts: must be a map (name: value), but is a list',
  ],
  [
    'name: x\ngiven: { accounts: { a: {} } }\nwhen:\n  - plan: { account: a, kind: earn }',
    'when.0.plan.body: is missing: The body of the plan request.',
  ],
  ['name: x\nwhen: later', 'x.yaml:2:7 when: must be a list, but is a text'],
  [
    'name: x\ngiven: { accounts: { a: {} } }\nwhen:\n  - wait: { account: a, status: done }',
    'when.0.wait.status: must be one of pending, confirmed, failed',
  ],
  [
    'name: x\ngiven: { accounts: { a: {} } }\nwhen:\n  - advance: 5\n  - call: { path: "/accounts/{{bob.id}}/folio" }',
    'x.yaml:5:19 when.1.call.path: {{bob.id}}: there is no account and no earlier step (as) "bob"; known: a',
  ],
  [
    'name: x\ngiven: { accounts: { a: {} } }\nthen:\n  - equal: [ "{{a.address}}", 1 ]',
    'then.0.equal.0: {{a.address}}: an account has no "address"; it has id, wallet, signer, key',
  ],
  [
    'name: x\nwhen:\n  - snapshot: one\n  - restore: nothing',
    'x.yaml:4:14 when.1.restore: "nothing" is not the name of an earlier snapshot step; known: one',
  ],
  [
    'name: x\nfaults: [ { id: f1, on: quote, effect: unavailable } ]\nthen:\n  - hits: { f2: 0 }',
    'x.yaml:4:17 then.0.hits.f2: "f2" is not the id of a fault rule that the file has armed before; known: f1',
  ],
  [
    'name: x\nwhen:\n  - heal: f1\n  - fault: { id: f1, on: quote, effect: unavailable }',
    'when.0.heal: "f1" is not the id of a fault rule that the file has armed before; known: none',
  ],
  [
    'name: x\nwhen:\n  - plan: { account: bob, kind: earn, body: {} }',
    'when.0.plan.account: "bob" is not the name of an account in given.accounts; known: none',
  ],
  [
    'name: x\nwhen:\n  - execute: { plan: p }',
    'when.0.execute.plan: "p" is not the name of an earlier step (as); known: none',
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

test('behavior: names that only come about while it is played are left to that', () => {
  const text = `
name: x
given: { accounts: { a: {} } }
faults: [ { on: quote, effect: unavailable } ]
when:
  - call: { method: POST, path: /_sim/faults, body: { id: own, on: quote, effect: unavailable }, as: added }
  - snapshot: one
  - restore: one
  - heal: '{{added.body.id}}'
then:
  - hits: { fault_1: 0, own: 0 }
  - equal: [ '{{added.body.nothing}}', '{{a.id}}' ]
`
  expect(problemsOf(text)).toEqual([])
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

const earn =
  'name: x\ngiven: { accounts: { a: {} } }\nwhen:\n  - plan: { account: a, kind: earnn, body: {}'

test.each([
  [`${earn} }`, 'x.yaml:4:31 when.0.plan.kind: there is no plan kind "earnn"; kinds: earn, '],
  [
    'name: x\ngiven: { accounts: { a: {} }, positions: [ { account: a, plan: borow, body: {} } ] }',
    'given.positions.0.plan: there is no plan kind "borow"',
  ],
  [
    'name: x\nfaults:\n  - { on: quote, effect: nope }',
    'x.yaml:3:5 faults.0: seam quote has no effect "nope"; it has unavailable',
  ],
  [
    'name: x\ngiven: { accounts: { a: {} } }\nfaults:\n  - { on: execute, effect: { stuck: { seconds: -1 } }, match: { account_id: "{{a.id}}" } }',
    'faults.0: settings of execute.stuck do not fit: seconds',
  ],
  [
    'name: x\nwhen:\n  - fault: { on: qoute, effect: stale }',
    'when.0.fault: there is no seam "qoute"',
  ],
  [
    'name: x\nwhen:\n  - call: { path: /, fault: quote.nope }',
    'when.0.call.fault: seam quote has no',
  ],
])('error: %j: of what the simulator that plays it knows, %s', (text, message) => {
  const problems = problemsOf(text, vocabulary)
  expect(problems).toEqual([expect.stringContaining(message)])
  // Another simulator may know it.
  expect(problemsOf(text)).toEqual([])
})

test.each([
  `${earn}, expect: { status: 404 } }`,
  `${earn}, expect: { error: not_found } }`,
  `${earn}, fault: quote.nope, expect: { error: invalid_params } }`,
  'name: x\ngiven: { accounts: { a: {} } }\nfaults:\n  - { on: "{{a.id}}", effect: stale }',
])('behavior: %j: what is expected to be refused, or not known before, is played', (text) => {
  expect(problemsOf(text, vocabulary)).toEqual([])
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
