import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { root } from '../kit/cli.js'
import { ask as askApi, askControl } from '../kit/http.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

// A saved test fails without the fault of its run, at the step where the client met it.

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 1n, bridgeDelayMs: 2_000 })
})
afterAll(() => sim.close())

const pay = {
  ...{ asset: 'USDC', network: 'base', amount: '1000000' },
  recipient: '0x00000000000000000000000000000000000f41e7',
}
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' }

type Body = PlanBody & { activities: { activity_id: string }[] }

/** What a client does; each response may be an error, or missing. */
function clientOf({ path, key }: User) {
  const ask = async (method: string, url: string, body?: object) => {
    const response = await fetch(`${sim.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Body
  }
  const run = async (kind: string, intent: object): Promise<void> => {
    const plan = await ask('POST', `${path}/plan/${kind}`, intent)
    const hash = plan.details?.eip712_data.digest
    if (hash === undefined) return
    const signature = await sign({ hash, privateKey: key, to: 'hex' })
    const body = { plan_id: plan.plan_id, signature }
    await ask('POST', `${path}/plan/execute`, body).catch(() => undefined)
  }
  return {
    pay: () => run('transfer', pay),
    swap: () => run('swap', swap),
    /** Most of it comes over a bridge from Optimism. */
    bridge: () => run('transfer', { ...pay, amount: '20000000' }),
    pass: (seconds: number) => sim.clock.advance(seconds),
    /** Waits for everything that is due. */
    settle: () => askControl(sim, 'POST', '/clock/advance', { seconds: 0 }),
    heal: () => askControl(sim, 'DELETE', '/faults'),
    /** Waits until the rule has ended by itself. */
    outlast: () =>
      expect
        .poll(async () => (await askControl(sim, 'GET', '/faults')).body.faults[0].over, {
          timeout: 30_000,
        })
        .toBe(true),
    folio: () => ask('GET', `${path}/folio`).catch(() => undefined),
    list: () => ask('GET', `${path}/activities`),
    events: () => ask('GET', `${path}/events?since=0`),
    since: () => ask('GET', `${path}/events?since=1`),
    /** Reads the newest activity at its other path. */
    async own(): Promise<void> {
      const { activities } = await ask('GET', `${path}/activities`)
      await ask('GET', `${path}/activities/${activities[0]!.activity_id}`)
    },
    async look(): Promise<void> {
      const { activities } = await ask('GET', `${path}/activities`)
      await ask('GET', `/activities/${activities[0]!.activity_id}`)
    },
  }
}

type Client = ReturnType<typeof clientOf>
type Doing = Exclude<keyof Client, 'pass'> | number

/** What a client does under a rule. A number is the seconds that pass. */
const lives: [rule: string, settings: object, does: Doing[], match?: object][] = [
  ['bridge.delay', { seconds: 60 }, ['bridge', 30, 'look', 60, 'look']],
  ['bridge.delay', { seconds: 60 }, ['bridge', 30, 'own', 60, 'own']],
  ['bridge.stuck', {}, ['bridge', 30, 'look']],
  ['bridge.stuck', {}, ['bridge', 30, 'list', 'heal', 30, 'look']],
  ['bridge.stuck', {}, ['bridge', 30, 'heal', 30]],
  ['chain.halt', {}, ['pay', 'settle', 'heal', 5]],
  ['bridge.stuck', {}, ['bridge', 700, 'look']],
  ['bridge.refund', {}, ['bridge', 5, 'look']],
  ['bridge.partial', {}, ['bridge', 5, 'look']],
  ['chain.halt', {}, ['bridge', 30, 'look'], { network: 'optimism' }],
  ['chain.halt', {}, ['bridge', 30, 'folio'], { network: 'base' }],
  ['chain.halt', {}, ['pay', 5, 'list', 'heal', 5, 'look']],
  ['chain.halt', { ms: 4_000 }, ['pay', 'settle', 'look', 'outlast', 5, 'look']],
  ['chain.halt', { ms: 600_000 }, ['pay', 'settle', 'look']],
  ['request.outage', { ms: 20_000 }, ['folio', 'pay', 21, 'pay', 5, 'look']],
  ['chain.reorg', {}, ['pay', 5, 'events']],
  ['execute.reject_signature', {}, ['pay']],
  ['execute.revert', {}, ['pay', 5]],
  ['execute.stuck', { seconds: 60 }, ['pay', 5, 'look', 60]],
  ['execute.dropped', {}, ['pay', 5]],
  ['execute.response_lost', {}, ['pay', 5]],
  ['plan.stale', {}, ['pay']],
  ['plan.expire', {}, ['pay']],
  ['plan.fail', {}, ['pay']],
  ['plan.no_wallet', {}, ['pay']],
  ['quote.unavailable', {}, ['swap']],
  ['quote.drain', {}, ['swap']],
  ['quote.slippage', { bps: 5000 }, ['swap', 'swap']],
  ['folio.timeout', {}, ['folio']],
  ['request.respond', { error: 'internal_error' }, ['folio']],
  ['request.rate_limit', {}, ['folio']],
  ['request.reset_before', {}, ['folio']],
  ['request.truncate', {}, ['folio']],
  ['events.delay', { seconds: 60 }, ['pay', 5, 'events', 60]],
  ['events.duplicate', {}, ['pay', 5, 'events']],
  ['events.drop', {}, ['pay', 5, 'events']],
  ['events.reorder', {}, ['pay', 5, 'events']],
  ['answer.pending_first', {}, ['pay', 5, 'list', 'look']],
  ['answer.pending_first', { reads: 2 }, ['pay', 5, 'look']],
]

/** The same with a clock that runs. */
const running: typeof lives = [
  ['bridge.stuck', {}, ['bridge', 'settle', 'look']],
  ['chain.halt', {}, ['pay', 'settle', 'look']],
  ['chain.reorg', {}, ['pay', 'settle', 'events']],
  ['execute.response_lost', {}, ['pay', 'settle', 'look', 'events']],
  ['bridge.stuck', {}, ['bridge', 'settle', 'own', 'heal', 5]],
  ['execute.stuck', {}, ['pay', 'settle', 'heal', 5]],
  ['chain.halt', {}, ['pay', 'settle', 'heal', 5, 'look']],
  ['request.outage', { ms: 1_000 }, ['folio', 'outlast', 'pay', 'settle', 'own']],
  ['bridge.delay', { seconds: 60 }, ['bridge', 20, 'own', 60, 'look']],
  ['bridge.delay', { seconds: 60 }, ['bridge', 5, 'own', 60, 'look']],
  ['bridge.delay', { seconds: 60 }, ['bridge', ...Array(13).fill([5, 'own']).flat()]],
  ['execute.stuck', { seconds: 60 }, ['pay', 5, 'own', 60]],
  ['events.delay', { seconds: 60 }, ['pay', 'settle', 'own', 'events', 61, 'own', 'events']],
]

/** The same with a clock that skips whatever ends by itself. */
const skipping: typeof lives = [
  ['execute.stuck', {}, ['pay', 'look', 'look']],
  ['execute.stuck', {}, ['pay', 'look', 'list', 'heal', 'look', 'look']],
  ['chain.halt', {}, ['pay', 'look', 'look']],
  ['bridge.stuck', {}, ['bridge', 'look', 'look']],
  ['bridge.refund', {}, ['bridge', 'look', 'look']],
  ['chain.halt', { ms: 4_000 }, ['pay', 'look', 'outlast', 'look', 'look']],
  ['request.outage', { ms: 1_000 }, ['folio', 'outlast', 'pay', 'look']],
]

/** Like one of the others, and slow to play: the client, or the service, waits in vain. */
const slow = [
  ...['chain.down', 'request.hang', 'request.crash', 'request.reset_after'],
  ...['quote.timeout', 'quote.http_error', 'quote.malformed', 'quote.expired'],
]

/** What the documentation says that no saved test depends on. */
const independent = [
  ...['request.latency', 'folio.latency', 'chain.slow', 'folio.serve_stale', 'execute.duplicate'],
]

/** The scenario without its rules, and without the steps and checks that name them. */
function healed(yaml: string): string {
  const { faults: _, when, then, ...others } = parse(yaml)
  return stringify({
    ...others,
    when: when.filter(
      ({ fault, heal, check }: Record<string, { hits?: object }>) =>
        !(fault || heal || check?.hits),
    ),
    // biome-ignore lint/suspicious/noThenProperty: the file format's word.
    then: then.filter((check: object) => !('hits' in check)),
  })
}

async function played(yaml: string) {
  const { status, body } = await askControl(sim, 'POST', '/scenarios', { yaml })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.failure
}

const anew = async (clock: string): Promise<void> => {
  await sim.reset()
  if (clock === 'running') await askControl(sim, 'POST', '/clock/resume')
  if (clock === 'skipping') await askControl(sim, 'POST', '/clock/auto', {})
}

/** Lives a client's life under a rule, and saves it. */
async function savedLife([rule, settings, does, match = {}]: (typeof lives)[number]) {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  await user.fund('optimism', 'USDC', 100_000_000n)
  const [on, name = ''] = rule.split('.')
  const armed = { id: 'it', on, effect: { [name]: settings }, match }
  expect(await askControl(sim, 'POST', '/faults', armed)).toMatchObject({ status: 201 })
  const client = clientOf(user)
  for (const each of does)
    await (typeof each === 'number' ? client.pass(each) : client[each]()).catch(() => undefined)
  const { body: saved } = await askControl(sim, 'GET', '/journal/scenario')
  expect(saved.left_out).toEqual([])
  return saved
}

describe.each([
  ['frozen', lives],
  ['running', running],
  ['skipping', skipping],
] as const)('with a %s clock', (clock, all) => {
  test.each(all)(
    'behavior: %s %j: a saved test of %j passes with its rule alone',
    async (...life) => {
      await anew(clock)
      const saved = await savedLife(life)
      if (clock === 'frozen') expect(saved.not_expected).toEqual([])
      await anew(clock)
      expect(await played(saved.yaml), saved.yaml).toBeNull()
      expect(await played(healed(saved.yaml)), saved.yaml).toMatchObject({
        message: expect.stringMatching(/expected|never/),
      })
    },
  )
})

/** Reads of a client under a rule that the saved test does not expect, each with the reason. */
const unexpected: [clock: string, life: (typeof lives)[number], reads: RegExp[]][] = [
  [
    'running',
    ['bridge.delay', { seconds: 25 }, ['bridge', 'settle', 'own']],
    [
      /activities: act_\w+ pending: bridge\.delay had less than 30 s left, and the test may read as much later$/,
      /activities\/act_\w+: pending: bridge\.delay had less than 30 s left, and/,
    ],
  ],
  [
    'running',
    ['events.delay', { seconds: 25 }, ['pay', 'settle', 'own', 'events']],
    [/events\?since=0: 0 events: events\.delay had less than 30 s left, and/],
  ],
  [
    'running',
    ['events.delay', { seconds: 60 }, ['pay', 'settle', 'own', 'events', 61, 'own', 'events']],
    [
      /events\?since=0: \d events?: events\.delay held back events, and the test may read before or/,
    ],
  ],
  [
    'running',
    ['execute.revert', {}, ['pay', 'settle', 'since']],
    [/events\?since=1: 2 events: the cursors of the test are others, so `since` may/],
  ],
  [
    'running',
    ['execute.stuck', {}, ['pay', 'events']],
    [/: \d events?: an execution was under way, so the test may find more events or fewer$/],
  ],
  [
    'skipping',
    ['execute.response_lost', {}, ['pay', 'events']],
    [/: \d events?: an auto clock skips time, so the test may find more events$/],
  ],
  [
    'frozen',
    ['bridge.stuck', {}, ['bridge', 'settle', 'heal', 'list']],
    [/act_\w+ pending: no fault held it then, so the test may read it before or after its end$/],
  ],
  [
    'frozen',
    ['execute.response_lost', {}, ['bridge', 'pay', 30, 'list']],
    [/act_\w+ confirmed: the response of its execution was lost, so the test cannot wait for it$/],
  ],
  ['frozen', ['bridge.delay', { seconds: 25 }, ['bridge', 'own', 20, 'own', 'events']], []],
  ['frozen', ['events.delay', { seconds: 25 }, ['pay', 5, 'own', 'events']], []],
]

test.each(unexpected)(
  'behavior: with a %s clock and %j: states that not every play finds are named, with the reason, and not expected',
  async (clock, life, reads) => {
    await anew(clock)
    const { not_expected, yaml } = await savedLife(life)
    expect(not_expected).toEqual(reads.map((read) => expect.stringMatching(read)))
    const comments = not_expected.map((each: string) => `# Not expected: ${each}\n`)
    expect(yaml.startsWith(`${comments.join('')}name: `)).toBe(true)
    await anew(clock)
    expect(await played(yaml), yaml).toBeNull()
  },
)

/** Sends a request, and disconnects without waiting for the response. Resolves when the journal has it as cut. */
async function leave(url: string, body: object): Promise<void> {
  const { port } = new URL(sim.url)
  const socket = connect(Number(port), '127.0.0.1')
  const text = JSON.stringify(body)
  const head = [
    ...[`POST ${url} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${sim.apiKey}`],
    ...['content-type: application/json', `content-length: ${text.length}`],
  ]
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`, () => resolve()),
  )
  socket.destroy()
  const recorded = async () => {
    const { exchanges } = (await askControl(sim, 'GET', '/journal')).body
    return exchanges.findLast((each: { url: string }) => each.url === url)?.answer
  }
  await expect.poll(recorded, { timeout: 20_000 }).toMatchObject({ cut: true })
}

test('behavior: writes whose client disconnected before the response are repeated, since later requests depend on them', async () => {
  await sim.reset()
  const account = privateKeyToAccount(generatePrivateKey())
  const opening = { signer_type: 'eoa', signer_address: account.address }
  const slow = { on: 'request', effect: { latency: { ms: 1_000 } }, times: 1 }
  expect(await askControl(sim, 'POST', '/faults', slow)).toMatchObject({ status: 201 })
  await leave('/accounts', opening)
  await sim.clock.advance(1)
  const ask = async (url: string, body?: object) =>
    (await askApi(`${sim.url}${url}`, { apiKey: sim.apiKey, body })).body
  await expect
    .poll(async () => (await ask('/accounts', opening)).error, { timeout: 20_000 })
    .toBe('account_already_exists')
  const [{ account_id: id }] = (await ask('/accounts')).accounts
  await sim.fund({ account_id: id, network: 'base', asset: 'USDC', amount: '5000000' })
  const path = `/accounts/${id}`
  await leave(`${path}/plan/transfer`, pay)
  const [one, other] = [
    await ask(`${path}/plan/transfer`, pay),
    await ask(`${path}/plan/transfer`, { ...pay, amount: '2000000' }),
  ]
  const signed = async ({ plan_id, details }: PlanBody) => ({
    plan_id,
    signature: await account.sign({ hash: details.eip712_data.digest }),
  })
  await leave(`${path}/plan/execute`, await signed(one))
  await askControl(sim, 'POST', '/clock/advance', { seconds: 0 })
  expect(await ask(`${path}/plan/execute`, await signed(other))).toMatchObject({
    error: 'plan_stale',
  })
  const { activities } = await ask(`${path}/activities`)
  await ask(`/activities/${activities[0].activity_id}`)
  const { body: saved } = await askControl(sim, 'GET', '/journal/scenario')
  expect(saved.left_out).toEqual(['POST /_sim/faults: its rules hit no request of the test'])
  expect(saved.yaml).toContain('status: confirmed')
  // The plan and the execution; the account is one of the test.
  expect(saved.yaml.match(/connection: any/g)).toHaveLength(2)
  await sim.reset()
  expect(await played(saved.yaml), saved.yaml).toBeNull()
})

test('behavior: an execution that a fault held until its client had disconnected is repeated where it was executed; a read is left out', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const { path, key } = user
  const rule = { id: 'slow', on: 'request', effect: { latency: { ms: 60_000 } }, times: 1 }
  const plan = (await user.plan('transfer', pay)).body as PlanBody
  expect(await askControl(sim, 'POST', '/faults', rule)).toMatchObject({ status: 201 })
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: key, to: 'hex' })
  const body = JSON.stringify({ plan_id: plan.plan_id, signature })
  for (const [method, url, init] of [
    ['POST', `${path}/plan/execute`, { body }],
    ['GET', `${path}/events?since=9999999999&poll=true`, {}],
  ] as const) {
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${sim.apiKey}`, 'content-type': 'application/json' }
    const { signal } = leaving
    const sent = fetch(`${sim.url}${url}`, { method, headers, ...init, signal }).catch(() => {})
    const recorded = async () => {
      const { exchanges } = (await askControl(sim, 'GET', '/journal')).body
      return exchanges.findLast((each: { url: string }) => each.url === url)
    }
    await expect.poll(recorded, { timeout: 20_000 }).toBeDefined()
    leaving.abort()
    await sent
    await expect.poll(recorded, { timeout: 20_000 }).toMatchObject({ answer: { cut: true } })
  }
  await sim.clock.advance(60)
  await clientOf(user).look()
  const { body: saved } = await askControl(sim, 'GET', '/journal/scenario')
  expect(saved.left_out).toEqual([
    'POST /_sim/faults: its rules hit no request of the test',
    expect.stringMatching(/poll=true: its client disconnected before the response$/),
  ])
  await sim.reset()
  expect(await played(saved.yaml), saved.yaml).toBeNull()
})

test('behavior: every other effect is one that saved tests do not depend on, as the documentation says', () => {
  const guide = readFileSync(join(root, 'docs/guides/traces.md'), 'utf8')
  for (const name of independent) expect(guide).toContain(`\`${name}\``)
  const all = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  const known = [...lives.map(([rule]) => rule), ...slow, ...independent]
  expect(all.filter((name) => !name.startsWith('answer.')).toSorted()).toEqual(
    [...new Set(known)].filter((name) => !name.startsWith('answer.')).toSorted(),
  )
})
