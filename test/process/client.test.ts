import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createSvcClient,
  type Signer,
  type SvcClientOptions,
  SvcError,
} from '../../src/clients/client/index.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { emptyFolder } from '../kit/cli.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ longPollMs: 1_000 })
})
afterAll(() => sim.close())
beforeEach(() => sim.faults.clear())

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const quick = { delayMs: () => 1 }
const clientOf = (
  { url, apiKey }: Pick<SimulatorHandle, 'url' | 'apiKey'>,
  more: Partial<SvcClientOptions> = {},
) => createSvcClient({ baseUrl: url, apiKey, patience: quick, ...more })

/** An account with 10 USDC on base, and on others that are named. */
async function funded(on: SimulatorHandle, ...others: ('arbitrum' | 'optimism')[]) {
  const key = generatePrivateKey()
  const client = clientOf(on)
  const account = await client.createAccount(privateKeyToAccount(key).address)
  const { account_id } = account
  for (const network of ['base', ...others] as const)
    await on.fund({ account_id, asset: 'USDC', amount: '10000000', network })
  return { client, key, account, id: account_id }
}

const transfer = (amount = '1000000') =>
  ({ asset: 'USDC', amount, network: 'base', recipient: `0x${'5e'.repeat(20)}` }) as const

/** The refusal that a call ends with. */
const refusal = (call: Promise<unknown>): Promise<SvcError> =>
  call.then(
    () => expect.unreachable('the call should have been refused'),
    (error) => {
      expect(error).toBeInstanceOf(SvcError)
      return error as SvcError
    },
  )

test('default: a plan is made, signed, executed and waited for', async () => {
  const { client, key, id } = await funded(sim)
  const { execution, attempts, plan } = await client.signAndExecute(id, 'transfer', transfer(), key)
  expect(attempts).toBe(1)
  expect(execution.plan_id).toBe(plan.plan_id)
  const activity = await client.waitForActivity(id, execution.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  // Again, now that it has long ended.
  expect(await client.waitForActivity(id, execution.activity_id)).toEqual(activity)
  const { balances } = await client.folio(id)
  expect(Object.entries(balances).find(([name]) => name.startsWith('token/base/USDC/'))?.[1]).toBe(
    '9e6',
  )
})

test('behavior: keys, accounts and wallets of viem, typed data and functions sign, for one network and for several', async () => {
  const { client, key, id } = await funded(sim, 'arbitrum')
  const account = privateKeyToAccount(key)
  const wallet = createWalletClient({ account, transport: http(sim.rpc('base')) })
  const signers: Signer[] = [
    key,
    account,
    wallet,
    { signTypedData: (typedData) => account.signTypedData(typedData) },
    (digest) => account.sign({ hash: digest }),
  ]
  for (const signer of signers) {
    const { execution } = await client.signAndExecute(id, 'transfer', transfer('1000'), signer)
    expect((await client.waitForActivity(id, execution.activity_id)).activity_status).toBe(
      'confirmed',
    )
  }
  // More than base has: one signature for the operations of two networks.
  const both = await client.signAndExecute(id, 'transfer', transfer('15000000'), wallet)
  expect(both.plan.details.svc_operation_actions.length).toBeGreaterThan(1)
  expect((await client.waitForActivity(id, both.execution.activity_id)).activity_status).toBe(
    'confirmed',
  )
})

test('error: typed data that does not belong to the digest is not signed', async () => {
  const { client, key, id } = await funded(sim)
  const plan = await client.plan(id, 'transfer', transfer())
  plan.details.svc_operation_actions[0]!.operation.expiry = '4102444800'
  const asked: unknown[] = []
  const signer: Signer = {
    signTypedData: (typedData) => {
      asked.push(typedData)
      return privateKeyToAccount(key).signTypedData(typedData)
    },
  }
  await expect(client.execute(id, plan, signer)).rejects.toThrow('do not sign it')
  expect(asked).toEqual([])
})

test('behavior: a stale plan is made anew, as often as allowed, and moves the money once', async () => {
  const { client, key, id } = await funded(sim)
  await sim.faults.add({ on: 'plan', effect: { stale: {} }, times: 2 })
  const { attempts, execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  expect(attempts).toBe(3)
  await client.waitForActivity(id, execution.activity_id)
  const { data } = await client.api.GET('/accounts/{account_id}/activities', {
    params: { path: { account_id: id } },
  })
  expect(data?.activities.map(({ activity_id }) => activity_id)).toEqual([execution.activity_id])

  await sim.faults.set([{ on: 'plan', effect: { stale: {} } }])
  const error = await refusal(
    client.signAndExecute(id, 'transfer', transfer(), key, { attempts: 2 }),
  )
  expect(error).toMatchObject({ status: 409, code: 'plan_stale' })
  expect((await sim.faults.list())[0]?.hits).toBe(2)
})

test('error: a wrong signer is told from the hint, and asked for one signature', async () => {
  const { client, id } = await funded(sim)
  let signatures = 0
  const wrong = privateKeyToAccount(generatePrivateKey())
  const error = await refusal(
    client.signAndExecute(id, 'transfer', transfer(), (digest) => {
      signatures++
      return wrong.sign({ hash: digest })
    }),
  )
  expect(error).toMatchObject({
    name: 'SvcError',
    status: 500,
    code: 'internal_error',
    message: 'Signature verification failed',
    call: `POST /accounts/${id}/plan/execute`,
    requestId: expect.stringMatching(/^req_/),
  })
  expect(error.hint?.toLowerCase()).toContain(wrong.address.toLowerCase())
  expect(signatures).toBe(1)
})

test('behavior: an answer to execute that is lost, again and again: the activities tell, and the money moves once', async () => {
  const { client, key, id } = await funded(sim)
  await sim.faults.add({
    on: 'request',
    match: { path: '*/plan/execute' },
    effect: { reset_after: {} },
  })
  const { plan, execution, attempts } = await client.signAndExecute(id, 'transfer', transfer(), key)
  expect(attempts).toBe(1)
  const { data } = await client.api.GET('/accounts/{account_id}/activities', {
    params: { path: { account_id: id } },
  })
  expect(data?.activities).toMatchObject([{ ...execution, status: expect.anything() }])
  expect(execution.plan_id).toBe(plan.plan_id)
})

test('behavior: a connection that is cut before anything was done: the same plan goes through', async () => {
  const { client, key, id } = await funded(sim)
  await sim.faults.add({
    on: 'request',
    match: { path: '*/plan/*' },
    effect: 'reset_before',
    times: 3,
  })
  const { attempts, execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  expect(attempts).toBe(1)
  await client.waitForActivity(id, execution.activity_id)
  expect(sim.faults.list()[0]?.hits).toBe(3)
})

test('behavior: a plan that expires is made anew; one that was executed is not, though it is plan_stale', async () => {
  const { client, key, id } = await funded(sim)
  await sim.faults.set([
    { on: 'plan', effect: 'expire', times: 1 },
    { on: 'execute', effect: 'response_lost', times: 1 },
    { on: 'answer', effect: 'consumed_plan_stale' },
  ])
  const { attempts, execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  expect(attempts).toBe(2)
  await client.waitForActivity(id, execution.activity_id)
  const { data } = await client.api.GET('/accounts/{account_id}/activities', {
    params: { path: { account_id: id } },
  })
  expect(data?.activities).toHaveLength(1)
})

test('behavior: an account is opened although the answer is lost, and found when it is asked for again', async () => {
  const { client } = await funded(sim)
  const { address } = privateKeyToAccount(generatePrivateKey())
  await sim.faults.add({
    on: 'request',
    match: { path: '/accounts', method: 'POST' },
    effect: 'reset_after',
    times: 1,
  })
  const account = await client.openAccount(address)
  expect(account.signer_address).toBe(address)
  expect(await client.openAccount(address.toLowerCase())).toEqual(account)
})

test('behavior: a status that is not known is no end, and an error without a message keeps its code', async () => {
  const { client, key, id } = await funded(sim, 'optimism')
  await sim.faults.set([
    { on: 'answer', effect: 'unknown_values' },
    { on: 'answer', effect: 'absent_optionals' },
  ])
  const much = transfer('15000000')
  const { execution } = await client.signAndExecute(id, 'transfer', much, key)
  const ended = await client.waitForActivity(id, execution.activity_id)
  expect(ended.activity_status).toBe('confirmed')
  const error = await refusal(client.plan(id, 'transfer', transfer('99000000')))
  expect(error).toMatchObject({ status: 400, code: 'plan_failed' })
})

test('behavior: 429 is waited for as long as the service says, and given up after so many attempts', async () => {
  const { client } = await funded(sim)
  const limited = { on: 'request', effect: { rate_limit: { retry_after: 0 } } } as const
  await sim.faults.add({ ...limited, times: 4 })
  const { data } = await client.api.GET('/networks')
  expect(data?.networks).toHaveLength(5)
  await sim.faults.set([limited])
  const error = await refusal(client.createAccount(`0x${'77'.repeat(20)}`))
  expect(error).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await sim.faults.list())[0]?.hits).toBe(6)
  // Who waits for an hour can still be called off.
  await sim.faults.set([{ on: 'request', effect: { rate_limit: { retry_after: 3600 } } }])
  const off = new AbortController()
  const waiting = client.createAccount(`0x${'77'.repeat(20)}`, { signal: off.signal })
  await sim.faults.list()
  off.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('behavior: events come once each and in order over a restart of the service; cursors resume', async () => {
  const dataDir = emptyFolder()
  const first = await createSimulator({ dataDir, longPollMs: 1_000 })
  closing.push(() => first.close())
  const port = Number(new URL(first.url).port)
  const { client, key, id } = await funded(first)
  const off = new AbortController()
  const seen: string[] = []
  const cursors: number[] = []
  let wake = (): void => {}
  const following = (async () => {
    for await (const { event, cursor } of client.followEvents(id, {
      signal: off.signal,
      failures: 100_000,
    })) {
      seen.push(`${event.data.activity_id} ${event.data.activity_status}`)
      cursors.push(cursor)
      wake()
    }
  })().catch((error: unknown) => error)
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  const run = async (): Promise<string> => {
    const { execution } = await client.signAndExecute(id, 'transfer', transfer('1000'), key)
    const ended = `${execution.activity_id} confirmed`
    await until(() => seen.includes(ended))
    return ended
  }
  const before = [await run(), await run()]
  await first.close()
  const second = await createSimulator({ dataDir, port, longPollMs: 1_000 })
  closing.push(() => second.close())
  const after = await run()
  expect(seen.filter((each) => each.endsWith('confirmed'))).toEqual([...before, after])
  expect(new Set(seen).size).toBe(seen.length)
  off.abort(new Error('seen enough'))
  expect(await following).toEqual(new Error('seen enough'))

  const all = await events(client, id, 0)
  expect(all).toEqual(seen)
  expect(await events(client, id, cursors.at(-1)!)).toEqual([])
  const middle = cursors[Math.floor(cursors.length / 2)]!
  expect(all.slice(-(await events(client, id, middle)).length)).toEqual(
    await events(client, id, middle),
  )
})

/** What is there after a cursor, by a following that ends when there is no more. */
async function events(
  client: ReturnType<typeof clientOf>,
  id: string,
  since: number,
): Promise<string[]> {
  const { data } = await client.api.GET('/accounts/{account_id}/events', {
    params: { path: { account_id: id }, query: { since } },
  })
  const found: string[] = []
  if (!data?.events.length) return found
  for await (const { event, cursor } of client.followEvents(id, { since })) {
    found.push(`${event.data.activity_id} ${event.data.activity_status}`)
    if (cursor === data.cursor) break
  }
  return found
}

test('error: following ends with the last failure when the service stays away, and at once when it refuses', async () => {
  const gone = await createSimulator()
  const { client, id } = await funded(gone)
  await gone.close()
  const next = client.followEvents(id, { failures: 3 }).next()
  expect(await refusal(next)).toMatchObject({ status: 0, code: 'unreachable' })
  expect((await refusal(client.folio(id))).message).toContain(gone.url)

  const unknown = clientOf(sim).followEvents('acc_000000000000').next()
  expect(await refusal(unknown)).toMatchObject({ status: 404, code: 'account_not_found' })
  const keyless = clientOf({ url: sim.url, apiKey: 'qk_other' }).followEvents(id).next()
  expect(await refusal(keyless)).toMatchObject({ status: 401, code: 'invalid_api_key' })
})

test('behavior: what passes on the way is waited for: no events are lost to 500, 429 and broken connections', async () => {
  const { client, key, id } = await funded(sim)
  const match = { path: '*/events' }
  await sim.faults.set([
    { id: 'held', on: 'execute', effect: 'stuck' },
    { on: 'request', match, effect: { respond: { error: 'internal_error' } }, times: 1 },
    { on: 'request', match, effect: { reset_before: {} }, after: 1, times: 1 },
    { on: 'request', match, effect: { truncate: {} }, after: 2, times: 1 },
    { on: 'request', match, effect: { rate_limit: { retry_after: 0 } }, after: 3, times: 1 },
    { on: 'request', match: { path: '/activities/*' }, effect: 'truncate', times: 1 },
  ])
  const { execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  const activity = client.waitForActivity(id, execution.activity_id)
  const hits = () => sim.faults.list().map((rule) => rule.hits)
  await expect.poll(hits).toEqual([1, 1, 1, 1, 1, 1])
  await sim.faults.remove('held')
  expect((await activity).activity_status).toBe('confirmed')
})

test.each([
  ['dropped', 'drop'],
  ['late', { delay: { seconds: 86_400 } }],
  ['told twice', 'duplicate'],
  ['told after the next', 'reorder'],
] as const)(
  'behavior: an activity is waited for though its events are %s, also when it has ended',
  async (_, effect) => {
    const { client, key, id } = await funded(sim)
    await sim.faults.set([
      { id: 'held', on: 'execute', effect: 'stuck' },
      { on: 'events', effect },
    ])
    const { execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
    const waits = [1, 2].map(() => client.waitForActivity(id, execution.activity_id))
    await sim.faults.remove('held')
    for (const activity of [...waits, client.waitForActivity(id, execution.activity_id)])
      expect((await activity).activity_status).toBe('confirmed')
  },
)

test('behavior: an activity is waited for under a frozen clock, at which no long poll ends, and over a restore', async () => {
  await using frozen = await createSimulator({ clock: 'frozen' })
  const { client, key, id } = await funded(frozen)
  const before = await client.signAndExecute(id, 'transfer', transfer(), key)
  await frozen.faults.set([{ id: 'held', on: 'execute', effect: 'stuck' }])
  const { execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  await frozen.snapshot('held')
  const { activity_id } = before.execution
  // Cursors go on, and back with the restore.
  await frozen.clock.advance(1_000)
  await client.waitForActivity(id, activity_id)
  const other = await funded(frozen)
  await frozen.faults.add({ on: 'events', effect: 'drop' })
  const wait = client.waitForActivity(id, execution.activity_id)
  await frozen.restore('held')
  await frozen.faults.add({ on: 'events', effect: 'drop' })
  await frozen.faults.remove('held')
  expect((await wait).activity_status).toBe('confirmed')
  // What the restore has taken back is not waited for.
  const gone = other.client.waitForActivity(other.id, 'act_000000000000')
  expect(await refusal(gone)).toMatchObject({ status: 404 })
})

test('behavior: waiting for an activity is called off at once, also when it has ended', async () => {
  const { client, key, id } = await funded(sim)
  await sim.faults.set([{ on: 'execute', effect: 'stuck' }])
  const { execution } = await client.signAndExecute(id, 'transfer', transfer(), key)
  const off = new AbortController()
  const wait = client.waitForActivity(id, execution.activity_id, { signal: off.signal })
  await client.folio(id)
  off.abort(new Error('no more'))
  await expect(wait).rejects.toThrow('no more')
  const { signal } = off
  await expect(client.waitForActivity(id, execution.activity_id, { signal })).rejects.toThrow(
    'no more',
  )
})

test('behavior: a long poll that waits is called off at once', async () => {
  const { client, id } = await funded(sim)
  const off = new AbortController()
  const next = client.followEvents(id, { signal: off.signal }).next()
  await client.folio(id)
  off.abort(new Error('no more'))
  await expect(next).rejects.toThrow('no more')
  await expect(client.folio(id, { signal: off.signal })).rejects.toThrow('no more')
})

test('error: an answer of something else than the service says so', async () => {
  let status = 502
  const server = createServer((_, answer) =>
    answer.writeHead(status).end('<html>bad gateway</html>'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const error = await refusal(clientOf({ url, apiKey: 'k' }).folio('acc_000000000000'))
  expect(error).toMatchObject({ status: 502, code: 'unreadable' })
  expect(error.message).toContain('<html>bad gateway</html>')
  status = 200
  expect(await refusal(clientOf({ url, apiKey: 'k' }).folio('acc_000000000000'))).toMatchObject({
    status: 200,
    code: 'unreadable',
  })
})
