import { expect, test } from 'vitest'
import { ServiceError } from '../../lib/errors.js'
import { effects } from '../effects/index.js'
import { readRule, ruleOfText, seamOf } from './rules.js'

/** What is said of a rule that is refused. */
function refusal(rule: unknown): ServiceError {
  try {
    readRule(rule, effects)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(rule)} is not refused`)
}

const ms = 'ms: must be an integer from 1 to 600000, such as 200'
const seconds = 'seconds: must be a number from 0.001 to 86400, such as 2.5'

const unfit: [string, unknown, string][] = [
  ['request.latency', { ms: 0 }, ms],
  ['request.latency', { ms: '5' }, ms],
  ['request.latency', { ms: 1.5 }, ms],
  ['request.latency', {}, ms],
  ['request.latency', null, 'must be a JSON object'],
  ['folio.latency', { ms: 600_001 }, ms],
  ['chain.slow', { ms: null }, ms],
  ['quote.slippage', { bps: 5001 }, 'bps: must be an integer from 1 to 5000, such as 50'],
  ['quote.http_error', { status: 200 }, 'status: must be an integer from 400 to 599, such as 503'],
  ['bridge.partial', { percent: 100 }, 'percent: must be an integer from 1 to 99, such as 50'],
  ['bridge.delay', { seconds: 0 }, seconds],
  ['execute.stuck', { seconds: '1' }, seconds],
  ['chain.reorg', { depth: 31 }, 'depth: must be an integer from 1 to 30, such as 1'],
  ['chain.reorg', { keep: 'yes' }, 'keep: must be true or false'],
  [
    'request.rate_limit',
    { retry_after: -1 },
    'retry_after: must be an integer from 0 to 86400, such as 1',
  ],
  [
    'request.respond',
    { error: 'timeout', message: 5 },
    'message: must be text of at most 500 characters',
  ],
  ['plan.stale', { by: 'x' }, 'by: must be one of nonce, price, balance'],
  [
    'plan.fail',
    { reason: '' },
    'reason: must be text of 1 to 500 characters, such as "No valid plan"',
  ],
  ['chain.reorg', { deep: 1 }, '"deep" does not exist; known fields: depth, keep'],
  ['events.drop', { every: 2 }, '"every" does not exist; known fields: none'],
]

test.each(unfit)('error: %s with %j says what is allowed and what came', (name, settings, says) => {
  const [on, effect] = name.split('.') as [string, string]
  const { code, message } = refusal({ on, effect: { [effect]: settings } })
  expect(code).toBe('invalid_params')
  expect(message).toBe(
    `settings of ${name} do not fit: ${says}; received ${JSON.stringify(settings)}`,
  )
})

test('error: what is sent is shown, but not without end', () => {
  const effect = { respond: { error: 'timeout', message: 'x'.repeat(501) } }
  expect(refusal({ on: 'request', effect }).message).toMatch(/characters; received .{200}…$/)
})

test('behavior: whatever effect is refused, the rule of the hint is taken', () => {
  for (const effect of effects) {
    const { hint = '' } = refusal({ on: seamOf(effect), effect: { [effect.name]: { nope: 1 } } })
    const [, fitting = ''] = /^A rule that fits: (\{.*\})\. GET/.exec(hint) ?? []
    expect(readRule(JSON.parse(fitting), effects).steps[0]).toMatchObject({ effect })
  }
})

const malformed: [object | number, string][] = [
  [5, 'must be a JSON object'],
  [{}, 'on: must be text of 1 to 200 characters, such as "quote"'],
  [{ on: 'request', effect: 5 }, 'effect: must be text of 1 to 200 characters or a JSON object'],
  [{ on: 'request', effect: 'hang', times: 0 }, 'times: must be an integer from 1 to 1000000000'],
  [
    { on: 'request', effect: 'hang', probability: 0 },
    'probability: must be a number above 0 and up to 1',
  ],
  [
    { on: 'request', effect: 'hang', match: { network: 'gnosis' } },
    'match.network: must be one of mainnet, base, arbitrum, optimism, polygon',
  ],
  [
    { on: 'request', effect: 'hang', match: { signer: 'x' } },
    'match: "signer" does not exist; known fields: account_id, kind, network, asset, path, method',
  ],
  [
    { on: 'request', sequence: [] },
    'sequence: must be a list of 1 to 100 items, such as ["ok","unavailable x2","ok"]',
  ],
  [
    { on: 'request', sequence: [5] },
    'sequence.0: must be text of 1 to 200 characters or a JSON object',
  ],
]

test.each(malformed)('error: the rule %j says what is allowed', (rule, says) => {
  expect(refusal(rule).message).toBe(
    `the rule is malformed: ${says}; received ${JSON.stringify(rule)}`,
  )
})

const wrong: [object, string][] = [
  [{ effect: 'hang', sequence: ['hang'] }, 'a rule has exactly one of "effect" and "sequence"'],
  [{}, 'a rule has exactly one of "effect" and "sequence"'],
  [
    { sequence: ['hang'], times: 1 },
    '"times" does not apply to a sequence; write the counts into it ("stale x2")',
  ],
  [
    { on: 'nowhere', effect: 'hang' },
    `there is no seam "nowhere"; seams: ${[...new Set(effects.map(seamOf))].join(', ')}`,
  ],
  [{ sequence: ['ok x3'] }, 'this sequence never fires: all of it is "ok"'],
  [{ sequence: ['hang x0'] }, '"hang x0" of the sequence never comes: the count must be 1 or more'],
  [
    { on: 'folio', sequence: ['timeout', 'serve_stale'] },
    'timeout and serve_stale come in at different places of folio; make two rules',
  ],
  [
    { on: 'events', effect: 'nothing' },
    'seam events has no effect "nothing"; it has delay, duplicate, drop, reorder',
  ],
  [
    { effect: { hang: {}, latency: {} } },
    '"effect" is a name, or an object of one name with its settings; this one has 2 names',
  ],
  ...[{ after: 1 }, { times: 1 }, { probability: 0.5 }].map((more): [object, string] => [
    { on: 'chain', effect: 'down', ...more },
    'chain.down applies from when it is added until it is removed: "after", "times", "sequence" and "probability" do not apply',
  ]),
]

test.each(wrong)('error: a rule with %j', (part, message) => {
  expect(refusal({ on: 'request', ...part }).message).toBe(message)
})

test('default: a rule is read with its defaults, and a sequence with its counts', () => {
  expect(readRule({ on: 'folio', effect: 'timeout' }, effects)).toMatchObject({
    ...{ id: undefined, on: 'folio', seam: 'folio', isSequence: false, match: {}, after: 0 },
    ...{ times: undefined, probability: undefined },
  })
  const { isSequence, steps } = readRule({ on: 'folio', sequence: ['ok', 'timeout x2'] }, effects)
  expect(isSequence).toBe(true)
  expect(steps.map((step) => (step === 'ok' ? step : step.effect.name))).toEqual([
    ...['ok', 'timeout', 'timeout'],
  ])
})

test('default: a header holds JSON or a name', () => {
  expect(ruleOfText(' folio.serve_stale ')).toEqual({ on: 'folio', effect: 'serve_stale' })
  expect(ruleOfText(' {"on": "folio"}')).toEqual({ on: 'folio' })
  for (const text of ['folio', 'folio.', 'a.b.c', 'folio.x y'])
    expect(() => ruleOfText(text)).toThrow(
      `x-svc-sim-fault must be a rule as JSON or "seam.effect", received "${text}"`,
    )
  expect(() => ruleOfText('{"on"')).toThrow('x-svc-sim-fault cannot be read as JSON: ')
})
