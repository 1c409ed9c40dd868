import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readProfile } from './profileFile.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-sim-profile-'))
const file = join(folder, 'profile.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  writeFileSync(file, text)
  return readProfile(file)
}

test('default: effects with their weights and bounds, and with the usual settings where none are named', () => {
  const { name, mostRules, effects } = read(
    `most_rules: 2
effects:
  execute.stuck: { weight: 3 }
  bridge.delay: { times: [1, 2], settings: { seconds: [30, 120] } }
  plan.stale: { settings: { by: { oneOf: [price, balance] } } }
  request.respond: { settings: { error: timeout } }
`,
  )
  expect({ name, mostRules }).toEqual({ name: file, mostRules: 2 })
  expect(effects).toMatchObject([
    { name: 'execute.stuck', weight: 3, settings: { seconds: [1, 60] }, survivable: true },
    { name: 'bridge.delay', times: [1, 2], settings: { seconds: [30, 120] } },
    { name: 'plan.stale', settings: { by: { oneOf: ['price', 'balance'] } }, survivable: false },
    { name: 'request.respond', settings: { error: 'timeout' } },
  ])
})

const unusable: [text: string, says: string][] = [
  [
    'execute.stuck: { settings: { secs: [30, 120] } }',
    'effects.execute.stuck.settings: "secs" does not exist; known fields: seconds; received {"seconds":1,"secs":30}.',
  ],
  [
    'bridge.delay: { settings: { seconds: [0, 120] } }',
    'effects.bridge.delay.settings: seconds: must be a number from 0.001 to 86400, such as 2.5; received {"seconds":0}.',
  ],
  [
    'bridge.delay: { settings: { seconds: [1, 90000] } }',
    'effects.bridge.delay.settings: seconds: must be a number from 0.001 to 86400, such as 2.5; received {"seconds":90000}.',
  ],
  [
    'plan.stale: { settings: { by: { oneOf: [nonce, prize] } } }',
    'effects.plan.stale.settings: by: must be one of nonce, price, balance; received {"by":"prize"}.',
  ],
  [
    'events.drop: { settings: { every: 2 } }',
    'effects.events.drop.settings: "every" does not exist; known fields: none; received {"every":2}.',
  ],
  [
    'bridge.delay: { weigth: 3 }',
    'effects.bridge.delay: "weigth" does not exist; known fields: weight, times, settings.',
  ],
  [
    'bridge.delay: { weight: 0 }',
    'effects.bridge.delay.weight: must be a number above 0 and up to 1000, such as 1.',
  ],
  [
    'bridge.delay: { times: 3 }',
    'effects.bridge.delay.times: must be a list of 2 items, such as [30,120].',
  ],
  ['bridge.delay: { times: [0, 3] }', 'effects.bridge.delay.times: must be 1 or more.'],
  [
    'bridge.delay: { settings: { seconds: [120, 30] } }',
    'effects.bridge.delay.settings.seconds: must be [least, most].',
  ],
  ['bridge.dealy: {}', 'there is no effect "bridge.dealy".'],
]

test.each(unusable)('error: the effect %s says what is allowed', (text, says) => {
  expect(() => read(`effects:\n  ${text}\n`)).toThrow(
    `The profile ${file} cannot be used: ${says} The built-in profiles are survivable, any, open. docs/swarm.md describes profile files.`,
  )
})

test('error: a file without effects, with other keys, or that is not YAML', () => {
  expect(() => read('effects: {}\n')).toThrow('it has no effects.')
  expect(() => read('most_rule: 2\neffects: {}\n')).toThrow(
    '"most_rule" does not exist; known fields: most_rules, effects.',
  )
  expect(() => read('effects: [\n')).toThrow(`The profile ${file} cannot be used: `)
})

test('error: a misspelled profile is no file, and the built-in ones are named', () => {
  expect(() => readProfile('survivible')).toThrow(
    'There is no built-in profile and no file survivible. The built-in profiles are survivable, any, open. docs/swarm.md describes profile files.',
  )
})
