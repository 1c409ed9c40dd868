import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { oas31 } from 'openapi3-ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Nodes } from '../../src/chain/rpc/node.js'
import { createSnapshots, type SnapshotParts } from '../../src/control/snapshots.js'
import { createSystemLock, patienceMs } from '../../src/control/systemLock.js'
import { createTimekeeper } from '../../src/control/timekeeper.js'
import { type NetworkName, networkOf } from '../../src/deployments/networks.js'
import { routesOf } from '../../src/http/allRoutes.js'
import { emitOpenApi } from '../../src/http/openapi/openapi.js'
import { JsonDepthError } from '../../src/lib/json.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { createBackgroundTasks } from '../../src/time/backgroundTasks.js'
import { createClock } from '../../src/time/clock.js'
import { createAccount, type HttpWorld, keys, startHttpWorld } from '../kit/httpWorld.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

// Every error text that the OpenAPI documents show is one that an answer says: each is caused here.

/** One error example of a document. */
interface Example {
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  code: string
  message: string
  body: Record<string, unknown> | undefined
}

function examplesOf(document: oas31.OpenAPIObject): Example[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).flatMap(([method, operation]) => {
      const request = operation.requestBody as oas31.RequestBodyObject | undefined
      const body = request?.content['application/json']?.example
      const errors = Object.values(operation.responses ?? {}).flatMap((response) =>
        Object.entries(response.content?.['application/json']?.examples ?? {}),
      ) as [string, { value: { message: string } }][]
      return errors.map(([code, { value }]) => ({
        method: method as Example['method'],
        path,
        code,
        message: value.message,
        body,
      }))
    }),
  )
}

const routes = routesOf(planKinds)
const service = examplesOf(emitOpenApi(routes.service))
const control = examplesOf(emitOpenApi(routes.control, { control: true }))
const all = [...service, ...control]
/** The texts that are caused here; those of plan endpoints besides. */
const known = new Set([
  'conflict: The clock was not moved: the execution of act_ID does not end',
  'conflict: The system is busy: POST /accounts did not end within 10 s; nothing was changed',
  // In promptFaucet.node.test.ts.
  'timeout: The base node does not say what became of the gift; it may be given later',
  // In worldLeases.test.ts and worldEnds.test.ts.
  'rate_limited: No world can be leased now: 256 requests wait for one already',
  'no_room: No world can be leased now: all 32 are in use',
  'world_lost: The world wld_5t0p9x2m4k1c is lost: the base node ended (SIGKILL)',
  // In journalFork.test.ts.
  'invalid_params: before must be the cursor of an exchange of the journal, received "x"',
  'not_found: There is no exchange 9 to fork before',
  'conflict: The journal cannot be asked again as it was: plan: POST /accounts/acc_5t0p9x2m4k1c/plan/transfer: expected status 201, got 400',
])
const planCodes = ['invalid_params', 'plan_failed', 'no_wallet', 'timeout', 'swap_quote_failed']
/** A refusal of a plan endpoint that depends on the kind. */
const isPlan = ({ path, code }: Example): boolean =>
  /\/plan\/(?!execute)/.test(path) && planCodes.includes(code)
const nameOf = ({ code, error, message }: { code?: string; error?: string; message: string }) =>
  `${code ?? error}: ${message}`

/** Ids are drawn: of those only the form can be compared. */
const idless = (text: string): string =>
  text.replace(/\b(acc|pln|act|req)_[0-9a-z]{12}\b/g, '$1_ID')

interface Answered {
  error: string
  message: string
}
interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** By node's own client, which lets its caller name any host. */
function ask(url: string, { method, path, body, headers = {} }: Call): Promise<Answered> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    // Its length too: of a DELETE node would send none, and so no body.
    const about = payload !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
    }
    const all = { ...about, ...headers }
    const sent = request({ hostname, port, method: method.toUpperCase(), path, headers: all })
    sent.on('error', reject)
    sent.on('response', (answer) => text(answer).then(JSON.parse).then(resolve, reject))
    sent.end(payload)
  })
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const nobody = 'acc_000000000000'

/** The path with these values, by the names of its parameters. */
function filled(path: string, values: Record<string, string>): string {
  const all: Record<string, string> = {
    asset: 'ETH',
    id: 'snp_9',
    activity_id: 'act_000000000000',
    name: 'nowhere',
    ...values,
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => all[name]!)
}

/** Refusals that come before the service looks at anything: every endpoint is asked that shows them. */
describe('the HTTP layer', () => {
  let open: HttpWorld
  let beyondLoopback: HttpWorld
  let broken: HttpWorld
  let account: string
  beforeAll(async () => {
    const start = (overrides: Parameters<typeof startHttpWorld>[0]) =>
      startHttpWorld({ ...overrides, service: { planKinds } })
    open = await start({})
    beyondLoopback = await start({
      access: {
        bind: { host: '0.0.0.0', controlToken: 'the-token', allowedHosts: [], corsOrigins: [] },
      },
    })
    broken = await start({
      timing: { settled: () => Promise.reject(new Error('a defect')) },
    })
    account = (await createAccount(open)).id
  })
  afterAll(async () => {
    for (const world of [open, beyondLoopback, broken]) await world[Symbol.asyncDispose]()
  })

  const at = (world: HttpWorld, example: Example, more: Partial<Call> = {}): Promise<Answered> =>
    ask(world.client.url, {
      method: example.method,
      path: filled(example.path, { account_id: account }),
      body: example.body,
      headers: bearer(keys.first.key),
      ...more,
    })
  const isControl = (example: Example): boolean => control.includes(example)
  const guarded = (example: Example): HttpWorld => (isControl(example) ? beyondLoopback : open)

  const causes: Record<string, (example: Example) => Promise<Answered>> = {
    'missing_auth_header: Missing Authorization header': (example) =>
      at(guarded(example), example, { headers: {} }),
    'invalid_api_key: Invalid API key': (example) =>
      at(open, example, { headers: bearer('qk_nobody_00000000000000000000') }),
    'invalid_api_key: Invalid control token': (example) =>
      at(beyondLoopback, example, { headers: bearer('another-token') }),
    'api_key_revoked: API key has been revoked': (example) =>
      at(open, example, { headers: bearer(keys.revoked.key) }),
    'account_not_found: Account not found': (example) =>
      at(open, example, {
        path: filled(example.path, { account_id: nobody }),
        ...(isControl(example) && { body: { ...example.body, account_id: nobody } }),
      }),
    'payload_too_large: The request body must be at most 1048576 bytes, but is 2000000 bytes': (
      example,
    ) => at(open, example, { body: 'x'.repeat(2_000_000 - 2) }),
    'internal_error: An unexpected error occurred': (example) => at(broken, example),
    [`invalid_params: The request body is nested too deep: ${new JsonDepthError().message}`]: (
      example,
    ) => at(open, example, { body: JSON.parse('['.repeat(65) + ']'.repeat(65)) }),
    'invalid_params: The path has a malformed percent escape': (example) =>
      at(open, example, { path: example.path.replace(/\{\w+\}/, '%E0%A4%A') }),
    'forbidden: The Host header does not name this server: Host is evil.example': (example) =>
      at(open, example, { headers: { host: 'evil.example' } }),
    'not_found: There is no activity act_000000000000': (example) => at(open, example),
    'not_found: There is no account acc_000000000000': (example) =>
      at(open, example, { path: filled(example.path, { id: nobody }) }),
    'not_found: Nothing is known of pln_000000000000': (example) =>
      at(open, example, { path: filled(example.path, { id: 'pln_000000000000' }) }),
    'invalid_params: limit must be an integer from 1 to 2^53-1, given once, received "0"': (
      example,
    ) => at(open, example, { path: `${example.path}?limit=0` }),
    'invalid_params: cached must be true or false, received "yes"': (example) =>
      at(open, example, { path: `${filled(example.path, { account_id: account })}?cached=yes` }),
    'invalid_params: worlds must be true or false, received "yes"': (example) =>
      at(open, example, { path: `${example.path}?worlds=yes` }),
    'invalid_params: since must be an integer from 0 to 2^53-1, given once, received "-1"': (
      example,
    ) => at(open, example, { path: `${filled(example.path, { account_id: account })}?since=-1` }),
    'invalid_params: signer_address must be an address: 0x and 40 hex digits, received "0x12"': (
      example,
    ) => at(open, example, { body: { ...example.body, signer_address: '0x12' } }),
    'account_already_exists: An account already exists with this configuration': async (
      example,
    ) => {
      await at(open, example)
      return at(open, example)
    },
    'invalid_params: limit must be an integer from 1 to 1000, given once, received "0"': (
      example,
    ) => at(open, example, { path: `${example.path}?limit=0` }),
    'account_not_found: There is no account acc_000000000000': (example) =>
      at(open, example, { body: { ...example.body, account_id: nobody } }),
    'invalid_params: seconds must be a number of seconds, 0 or more, such as 121 or 0.5, received -1':
      (example) => at(open, example, { body: { seconds: -1 } }),
    'invalid_params: at must be an ISO 8601 instant with a zone, such as "2026-01-01T00:00:00Z", received "tomorrow"':
      (example) => at(open, example, { body: { at: 'tomorrow' } }),
    'invalid_params: name must be 1 to 64 letters, digits, spaces and . _ : - and must not begin with "snp_", nor be "." or "..", which no path can name, received "a/b"':
      (example) => at(open, example, { body: { name: 'a/b' } }),
    'invalid_params: exactly one of account_id and address must be given': (example) =>
      at(open, example, { body: { ...example.body, account_id: undefined } }),
    'invalid_params: lease_seconds must be a whole number of seconds from 1 to 86400, received 0': (
      example,
    ) => at(open, example, { body: { lease_seconds: 0 } }),
    'invalid_params: signature is missing: it must be the signature of the digest: 0x and 130 hex digits':
      (example) => at(open, example, { body: { ...example.body, signature: undefined } }),
  }
  for (const name of Object.keys(causes)) known.add(name)

  test.each(Object.keys(causes))('%s', async (name) => {
    const everywhere = all.filter((example) => nameOf(example) === name)
    // A defect may be anywhere; what says so is one place for all.
    const shown = name.startsWith('internal_error') ? everywhere.slice(0, 1) : everywhere
    expect(shown).not.toEqual([])
    const said = await Promise.all(
      shown.map(async (example) => [
        `${example.method} ${example.path}`,
        nameOf(await causes[name]!(example)),
      ]),
    )
    expect(said).toEqual(shown.map(({ method, path }) => [`${method} ${path}`, name]))
  })
})

/** Refusals of the service itself: a simulator, and an account whose wallet has nothing. */
describe('the service', () => {
  let sim: SimulatorHandle
  let user: Awaited<ReturnType<typeof openUser>>
  beforeAll(async () => {
    sim = await createSimulator({ clock: 'frozen', readTimeoutMs: 2_000 })
    const first = await sim.snapshot()
    await sim.snapshot()
    await sim.restore(first)
    user = await openUser(sim)
  })
  afterAll(() => sim.close())
  afterEach(() => sim.faults.clear())

  const at = ({ method, path, body }: Example, more: Partial<Call> = {}): Promise<Answered> =>
    ask(sim.url, {
      method,
      path: filled(path, { account_id: user.id }),
      body,
      headers: bearer(sim.apiKey),
      ...more,
    })
  const whileFault = async <T>(rule: object, work: () => Promise<T>): Promise<T> => {
    const { id } = await sim.faults.add(rule as never)
    return work().finally(() => sim.faults.remove(id))
  }

  test('default: plan endpoints: what the example bodies are refused with', async () => {
    const plans = service.filter(isPlan)
    const funded = await openUser(sim)
    await funded.fund('base', 'USDC', 2_000_000_000n)
    await funded.run('earn', {
      asset: 'USDC',
      amount: '1000000000',
      network: 'base',
      protocol: 'compound',
    })
    await sim.clock.advance(86_400)
    const causes: Record<string, (example: Example) => Promise<Answered>> = {
      invalid_params: (example) => {
        const { network, asset: _, ...rest } = example.body!
        const wrong = network === undefined ? rest : { ...example.body, network: 'x' }
        return at(example, { body: wrong })
      },
      plan_failed: (example) => at(example),
      no_wallet: (example) => whileFault({ on: 'plan', effect: 'no_wallet' }, () => at(example)),
      timeout: (example) => whileFault({ on: 'folio', effect: 'timeout' }, () => at(example)),
      swap_quote_failed: (example) =>
        whileFault({ on: 'quote', effect: 'unavailable' }, () =>
          at(example, { path: filled(example.path, { account_id: funded.id }) }),
        ),
    }
    const wrong: string[] = []
    for (const example of plans) {
      const said = nameOf(await causes[example.code]!(example))
      if (said !== nameOf(example))
        wrong.push(`${example.path}: ${said} INSTEAD OF ${nameOf(example)}`)
    }
    expect(wrong).toEqual([])
  })

  const planned = async (): Promise<PlanBody> => {
    await user.fund('base', 'USDC', 5_000_000n)
    const recipient = '0x1111111111111111111111111111111111111111'
    const intent = { asset: 'USDC', amount: '1000000', network: 'base', recipient }
    return (await user.plan('transfer', intent)).body as PlanBody
  }
  const stopped = { on: 'chain', effect: 'down', match: { network: 'base' } }
  const halted = { on: 'chain', effect: 'halt', match: { network: 'base' } }

  const causes: Record<string, (example: Example) => Promise<Answered>> = {
    'timeout: Folio computation timed out': (example) =>
      whileFault({ on: 'folio', effect: 'timeout' }, () => at(example)),
    'plan_not_found: Plan not found: pln_ID': (example) => at(example),
    'plan_stale: The underlying data of the plan has changed; create a new plan': async () =>
      whileFault(
        { on: 'plan', effect: 'stale' },
        async () => (await user.execute(await planned())).body as Answered,
      ),
    'not_found: There is no network goerli; networks are mainnet, base, arbitrum, optimism, polygon':
      (example) => at(example, { path: filled(example.path, { network: 'goerli' }) }),
    'conflict: The base node does not answer': (example) =>
      whileFault(stopped, () => at(example, { path: filled(example.path, { network: 'base' }) })),
    'internal_error: Signature verification failed': async (example) =>
      at(example, { body: { ...example.body, plan_id: (await planned()).plan_id } }),
    'conflict: The base network mines no blocks, since its mining is switched off; nothing was given':
      (example) =>
        whileFault(halted, () => at(example, { body: { ...example.body, account_id: user.id } })),
    'conflict: The base network mines no blocks, since its mining is switched off; no price was moved':
      (example) =>
        whileFault(halted, () => at(example, { path: filled(example.path, { asset: 'ETH' }) })),
    'conflict: The base network mines no blocks, since its mining is switched off; nothing was liquidated':
      (example) =>
        whileFault(halted, () => at(example, { body: { ...example.body, account_id: user.id } })),
    'conflict: The base network mines no blocks, since its mining is switched off; nothing was granted':
      (example) =>
        whileFault(halted, () => at(example, { body: { ...example.body, account_id: user.id } })),
    'invalid_params: asset: "COMP" cannot be granted: the rewards distributor on base pays MORPHO only':
      (example) => at(example, { body: { ...example.body, account_id: user.id, asset: 'COMP' } }),
    'not_found: There is no snapshot snp_2 any more: it was taken after snp_1, which has been restored':
      (example) => at(example, { path: filled(example.path, { id: 'snp_2' }) }),
    'invalid_params: seam quote has no effect "slow"; it has unavailable, http_error, timeout, malformed, expired, slippage, drain':
      (example) => {
        const rule = { on: 'quote', effect: 'slow' }
        return at(example, { body: example.method === 'put' ? [rule] : rule })
      },
    'invalid_params: x-svc-sim-fault must be a rule as JSON or "seam.effect", received "slow"': (
      example,
    ) => at(example, { headers: { ...bearer(sim.apiKey), 'x-svc-sim-fault': 'slow' } }),
    'conflict: A rule with chain.down keeps base from answering; the rule was not added': (
      example,
    ) =>
      whileFault(stopped, () =>
        at(example, { body: example.method === 'put' ? [stopped, halted] : halted }),
      ),
    'conflict: A rule with chain.down keeps base from answering; rule slow_earn stays': async (
      example,
    ) => {
      await sim.faults.set([{ ...halted, id: 'slow_earn' }, stopped])
      return at(example, { path: filled(example.path, { id: 'slow_earn' }) })
    },
    'conflict: Too many fault rules: 1001 (the limit is 1000)': async (example) => {
      await sim.faults.set(Array(1_000).fill({ on: 'folio', effect: 'timeout' }))
      return at(example)
    },
    'not_found: There is no world wld_5t0p9x2m4k1c': (example) =>
      at(example, { path: filled(example.path, { id: 'wld_5t0p9x2m4k1c' }) }),
    'invalid_params: yaml:1:1 name: is missing; it must be a text: What the scenario is called in reports.':
      (example) => at(example, { body: { yaml: '{}' } }),
    'invalid_params: name must be a text of 1 to 200 characters, given once, received ""': (
      example,
    ) => at(example, { path: `${example.path}?name=` }),
    'not_found: There is no scenario nowhere': (example) => at(example),
    'conflict: The scenario stale-plan-loop is being played': async (example) => {
      const path = filled('/_sim/scenarios/{name}/run', { name: 'stale-plan-loop' })
      const answers = [
        at({ ...example, path, body: undefined }),
        at(example, { path: filled(example.path, { name: 'stale-plan-loop' }) }),
      ]
      const refused = (await Promise.all(answers)).find(({ error }) => error !== undefined)
      return refused!
    },
    'not_found: The account acc_ID has no event with cursor 1': (example) =>
      at(example, { body: { account_id: user.id, cursor: 1 } }),
    'invalid_params: cursor must be the cursor of an event, an integer from 1 to 2^53-1, received 0':
      (example) => at(example, { body: { account_id: user.id, cursor: 0 } }),
    'invalid_params: hash must be 0x and 64 hex digits, but it is 0x12': (example) =>
      at(example, { path: filled(example.path, { hash: '0x12' }) }),
    [`not_found: No network has mined transaction 0x${'5c50'.repeat(16)}`]: (example) =>
      at(example, { path: filled(example.path, { hash: `0x${'5c50'.repeat(16)}` }) }),
    'not_found: There is no fault rule slow. Existing rules: slow_earn': (example) =>
      whileFault({ id: 'slow_earn', on: 'folio', effect: 'timeout' }, () =>
        at(example, { path: filled(example.path, { id: 'slow' }) }),
      ),
    'invalid_params: usd must be a price in USD per whole token, from 0.00000001 to 1000000000, as a decimal such as "2500" or "0.9998" with at most 8 places and without an exponent, received "0"':
      (example) => at(example, { body: { usd: '0' } }),
  }

  for (const name of Object.keys(causes)) known.add(name)

  test.each(Object.keys(causes))('%s', async (name) => {
    const shown = all.filter((example) => idless(nameOf(example)) === name && !isPlan(example))
    expect(shown).not.toEqual([])
    for (const example of shown) {
      const said = idless(nameOf(await causes[name]!(example)))
      expect(said, `${example.method} ${example.path}`).toBe(name)
    }
  })
})

test('conflict: The system is busy: POST /accounts did not end within 10 s; nothing was changed', async () => {
  vi.useFakeTimers()
  try {
    const lock = createSystemLock()
    void lock.shared('POST /accounts', () => new Promise(() => {}))
    // Nothing else of it is asked before the gate has opened.
    const parts = { lock, nodes: { all: () => [] }, expectAlive: async () => {} }
    const snapshots = createSnapshots(parts as unknown as SnapshotParts)
    const refused = expect(snapshots.take()).rejects.toMatchObject({
      code: 'conflict',
      message: 'The system is busy: POST /accounts did not end within 10 s; nothing was changed',
    })
    await vi.advanceTimersByTimeAsync(patienceMs)
    await refused
  } finally {
    vi.useRealTimers()
  }
})

test('conflict: The clock was not moved: the execution of act_ID does not end', async () => {
  const tasks = createBackgroundTasks()
  void tasks.run(() => new Promise(() => {}), 'the execution of act_000000000000')
  // All that it asks of the nodes before is whether each is alive.
  const node = (name: NetworkName) => ({
    rpc: { request: async () => `0x${networkOf(name).chainId.toString(16)}` },
    lifecycle: { isDown: false },
  })
  const nodes = { get: node } as unknown as Nodes
  const parts = {
    clock: createClock(),
    nodes,
    // Not as patient as it is otherwise.
    tasks: { ...tasks, settled: () => tasks.settled(20) },
    isFollowed: () => false,
    catchUp: async () => {},
    keep: async (_: unknown, move: () => Promise<void>) => move(),
  }
  await expect(createTimekeeper(parts).advance(1)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The clock was not moved: the execution of act_000000000000 does not end',
  })
})

test('behavior: no text is shown that is not caused here', () => {
  const invented = all.filter(
    (example) =>
      !known.has(nameOf(example)) && !known.has(idless(nameOf(example))) && !isPlan(example),
  )
  expect(invented.map((example) => `${example.path}: ${nameOf(example)}`)).toEqual([])
})
