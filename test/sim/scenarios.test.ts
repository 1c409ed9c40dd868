import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadScenario, parseScenario } from '../../src/clients/scenarios/load.js'
import { play } from '../../src/clients/scenarios/run.js'
import { scenarioJsonSchema } from '../../src/clients/scenarios/schema.js'
import { startSimulator } from '../../src/simulator/sim.js'
import { createStage } from '../../src/tools/cli/commands/scenario.js'
import { vocabulary } from '../../src/tools/cli/process/vocabulary.js'
import { probeScenario } from '../../src/tools/verify/corpus.js'
import { readDocument } from '../../src/tools/verify/documented.js'
import { allProbes } from '../../src/tools/verify/probes/index.js'
import { lendChains } from '../kit/simulator.js'

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
const stage = createStage((options) => startSimulator({ ...options, openChains: lendChains }))
afterAll(() => stage.close())

async function playText(text: string) {
  const scenario = parseScenario(text, 'test.yaml')
  const { target, seed } = await stage.setFor(scenario)
  return play(target, { file: 'test.yaml', scenario }, seed)
}

const played = files.map((file) => ({
  file,
  scenario: loadScenario(`${folder}${file}`, vocabulary),
}))

test.each(played.filter(({ scenario }) => scenario.when.length > 0))(
  'default: $file: $scenario.name',
  async (named) => {
    const { target, seed } = await stage.setFor(named.scenario)
    const { failure } = await play(target, named, seed)
    expect(failure).toBeUndefined()
  },
)

test('default: the example of scenarios/README.md runs as it stands', async () => {
  const readme = readFileSync(`${folder}README.md`, 'utf8')
  const [, text] = /^```yaml\n([\s\S]*?)^```$/m.exec(readme)!
  expect(parseScenario(text!, 'README.md', vocabulary).when).toHaveLength(7)
  expect((await playText(text!)).failure).toBeUndefined()
})

test('behavior: the JSON Schema for editors is what the loader reads, and takes every shipped file', () => {
  const schema = scenarioJsonSchema()
  expect(JSON.parse(readFileSync(`${folder}scenario.schema.json`, 'utf8'))).toEqual(schema)
  const validate = new Ajv2020({ strict: false }).compile(schema)
  for (const file of files) {
    validate(parse(readFileSync(`${folder}${file}`, 'utf8'), { merge: true }))
    expect({ file, errors: validate.errors }).toEqual({ file, errors: null })
  }
})

test('behavior: a setup is played before the faults are armed, and its results are there for the steps', async () => {
  const { failure } = await playText(`
name: x
given:
  clock: frozen
  accounts: { alice: { funds: { base: { USDC: '5000000' } } } }
  setup:
    name: a supply
    steps:
      - plan: { as: plan, account: alice, kind: earn, body: { asset: USDC, amount: '1000000', network: base, protocol: compound } }
      - execute: { as: supply, plan: plan, expect: { any_of: [{ status: 200 }, { status: 202 }] } }
      - wait: { account: alice, activity: supply, status: ended }
faults: [{ id: late, on: execute, effect: revert }]
when:
  - call:
      as: own
      path: '/activities/{{supply.body.activity_id}}'
      expect: { where: [{ at: [activity_status], is: confirmed }, { at: [nothing], exists: false }] }
  - call: { path: '/activities/{{own.body.id}}', expect: { where: [{ at: [], is: '{{own.body}}' }] } }
  - call:
      path: '/accounts/{{alice.id}}/folio'
      expect: { where: [{ at: [folio, balances, 'token/base/USDC/{{alice.wallet_lower}}'], is: '4e6' }] }
  - call: { path: /networks, key: null, expect: { any_of: [{ status: 401, error: missing_auth_header }] } }
  - call: { method: POST, path: /accounts, raw: hello, expect: { status: 400, error: invalid_params } }
  - call: { method: HEAD, path: /networks, expect: { where: [{ at: [], is: '' }] } }
then:
  - hits: { late: 0 }
`)
  expect(failure).toBeUndefined()
})

// One or two of each file of probes, those with a setup among them.
const replayed = allProbes(readDocument()).filter(({ name }) =>
  [
    'POST /accounts without a key is refused',
    'a body of 65 lists in each other is refused',
    'staleness is checked before the signature',
    'a new account is in the list, and reads the same there',
    'balances have keys of the known form, and leave out what is zero',
    'the nonce of an executed operation is through',
    'a signature of another key, of the digest as a message, or of no form is refused',
    'the last unit can be sent, and not one more',
    'a position can be planned to be withdrawn, and to be migrated',
    'a loan makes a plan of the same moment stale',
    'the passing of time does not make a plan stale',
    'what an execution under way needs is not there for another plan',
    'an activity reads the same by itself, below its account, in the list, and by its number',
  ].includes(name),
)

test('default: a probe of verify replays as a scenario', async () => {
  expect(replayed).toHaveLength(13)
  for (const probe of replayed) {
    const { failure } = await playText(JSON.stringify(probeScenario(probe)))
    expect({ probe: probe.name, failure }).toEqual({ probe: probe.name, failure: undefined })
  }
})

const given = 'given: { clock: frozen, accounts: { alice: { funds: { base: { USDC: "5" } } } } }'

test.each([
  [
    'then:\n  - balance: { account: alice, network: base, asset: USDC, is: "6" }',
    'then.0 (balance)',
    "alice's USDC on base to be 6, but it is 5",
  ],
  [
    'then:\n  - balance: { account: alice, network: base, asset: USDC, at_most: "4" }',
    'then.0 (balance)',
    'to be at most 4',
  ],
  [
    'then:\n  - folio: { account: alice, section: balances, key: nothing, exists: true }',
    'then.0 (folio)',
    'to exist; it is missing',
  ],
  [
    'then:\n  - events: { account: alice, statuses: [confirmed] }',
    'then.0 (events)',
    'to be a list of 1',
  ],
  [
    'then:\n  - activities: { account: alice, count: 1 }',
    'then.0 (activities)',
    'to be 1, but it is 0',
  ],
  [
    'when:\n  - fault: { id: gone, on: quote, effect: drain }\n  - heal: gone\nthen:\n  - hits: { gone: 0 }',
    'then.0 (hits)',
    'there is no fault "gone"',
  ],
  ['then:\n  - equal: [1, 2]', 'then.0 (equal)', '1 is not equal to 2'],
  ['when:\n  - call: { path: /nowhere }', 'when.0 (call)', 'expected a success, got 404'],
  [
    'when:\n  - call: { path: "/{{alice.id.name}}" }',
    'when.0 (call)',
    '"alice.id" has no "name"; it is "acc_',
  ],
  ['when:\n  - call: { path: /assets, as: a, background: true }', 'when', 'never joined: a'],
  [
    'when:\n  - snapshot: one\n  - snapshot: two\n  - restore: one\n  - restore: two',
    'when.3 (restore)',
    'There is no snapshot snp_2 any more',
  ],
  ['when:\n  - wait: { account: alice }', 'when.0 (wait)', 'alice has no activity'],
  [
    `when:
  - plan: { as: p, account: alice, kind: transfer, body: { amount: "5", asset: USDC, network: base, recipient: "0x00000000000000000000000000000000000a11ce" } }
  - execute: { plan: p, as: e }
  - wait: { account: alice, activity: e, status: failed }`,
    'when.2 (wait)',
    'to be failed, but it is confirmed',
  ],
  ['when:\n  - price: { DOGE: "1" }', 'when.0 (price)', 'has no price; allowed: COMP'],
  ['when:\n  - fault: { on: nothing, effect: x }', 'when.0 (fault)', 'there is no seam'],
  ['when:\n  - rpc: { network: base, method: eth_nothing }', 'when.0 (rpc)', 'eth_nothing on base'],
  [
    'faults:\n  - { id: idle, on: execute, effect: response_lost }\nwhen:\n  - advance: 1',
    'faults',
    'armed, but never hit: idle',
  ],
])('error: %s fails at %s: %s', async (text, where, message) => {
  const { failure } = await playText(`name: x\n${given}\n${text}`)
  expect(failure).toMatchObject({ where, message: expect.stringContaining(message) })
})

test('behavior: snapshots, references, background requests and prices within a scenario', async () => {
  const { failure } = await playText(
    `
name: everything else
given:
  clock: frozen
  prices: { ETH: "2000" }
  accounts: { alice: { funds: { base: { USDC: "5000000" } } } }
when:
  - snapshot: before
  - call: { as: poll, path: "/accounts/{{alice.id}}/events?since=0&poll=true", background: true }
  - plan: { as: p, account: alice, kind: earn, body: { amount: "{{alice.amount}}", asset: USDC, network: base, protocol: compound }, expect: { status: 201 } }
`.replace('{{alice.amount}}', '1000000') +
      `
  - execute: { plan: p, as: e }
  - join: poll
  - wait: { account: alice, activity: e }
  - check: { activity: { of: e, status: confirmed } }
  - check: { response: { of: p, status: 201, body: { plan_id: "{{p.body.plan_id}}" } } }
  - check: { folio: { account: alice, section: prices, key: token/ETH, is: "2000" } }
  - restore: before
  - check: { activities: { account: alice, count: 0 } }
  - rpc: { as: block, network: base, method: eth_chainId }
then:
  - equal: ["{{block.result}}", "0x2105"]
  - balance: { account: alice, network: base, asset: USDC, is: "5000000" }
`,
  )
  expect(failure).toBeUndefined()
})
