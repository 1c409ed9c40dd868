import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askControl, rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { followStream, type StreamMessage } from '../kit/stream.js'
import { openUser } from '../kit/user.js'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 7n })
})
afterAll(() => sim.close())

const follow = (headers?: Record<string, string>, url = sim.controlUrl) =>
  followStream(url, headers)

/** Does something by the control API; the id of the request, and what came back. */
async function done(method: string, path: string, body?: unknown) {
  const answer = await askControl(sim, method, path, body)
  expect(answer.status, path).toBeLessThan(300)
  return { id: answer.headers.get('x-svc-sim-request-id'), body: answer.body }
}

const earn = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }

test('default: a plan and its execution are told, as the journal, the events and the chain have them', async () => {
  const stream = await follow()
  expect(stream.response.headers['content-type']).toContain('text/event-stream')
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000_000n)
  const { activity_id } = (await user.run('earn', earn)).activity
  await done('GET', '/clock')
  const came = await stream.until(
    ({ event, data }) => event === 'exchange' && data.url === '/_sim/clock',
  )
  stream.close()

  const told = (type: string) => came.filter(({ event }) => event === type).map(({ data }) => data)
  const events = told('event').filter((event) => event.data.activity_id === activity_id)
  expect(events.map((event) => event.data.activity_status)).toEqual(['pending', 'confirmed'])
  expect(events[0]).toMatchObject({ account_id: user.id, event_type: 'activity_updated' })
  const execute = told('exchange').find(({ url }) => url.endsWith('/plan/execute'))
  const { body: journal } = await done('GET', `/journal?since=${execute.cursor - 1}&limit=1`)
  const { notes: _, ...kept } = journal.exchanges[0]
  expect(execute).toMatchObject(kept)
  const { body: activity } = await user.api.get(`${user.path}/activities/${activity_id}`)
  const hash = (activity as { activity_metadata: { transaction_hash: string }[] })
    .activity_metadata[0]!.transaction_hash
  const block = told('block').find(({ transactions }) => transactions.includes(hash))
  expect(block).toMatchObject({ network: 'base', time: '2026-01-01T00:00:00Z' })
  const ids = came.map(({ id }) => Number(id!.split('-')[1]))
  expect(ids).toEqual(ids.map((_, i) => ids[0]! + i))
})

test('behavior: clock, faults and snapshots are told, each with the request that did it', async () => {
  const stream = await follow()
  await done('POST', '/clock/advance', { seconds: 60 })
  const rule = { id: 'lost', on: 'request', match: { path: '/networks' }, times: 1 }
  await done('POST', '/faults', { ...rule, effect: { respond: { error: 'internal_error' } } })
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const failed = await fetch(`${sim.url}/networks`, { headers })
  expect(failed.status).toBe(500)
  await done('DELETE', '/faults/lost')
  const taken = await done('POST', '/snapshots', { name: 'told' })
  await done('POST', '/clock/advance', { seconds: 30 })
  const restored = await done('POST', '/snapshots/told/restore')
  await done('DELETE', '/snapshots/told')
  const reset = await done('POST', '/reset')
  const came = await stream.until(({ data }) => data.url === '/_sim/reset')
  stream.close()

  const told = (type: string) => came.filter(({ event }) => event === type).map(({ data }) => data)
  expect(told('clock').map(({ now }) => now.slice(11, 19))).toEqual([
    '00:01:00',
    '00:01:30',
    '00:01:00',
    '00:00:00',
  ])
  expect(told('clock')[0]).toEqual({
    now: '2026-01-01T00:01:00Z',
    unix_ms: Date.parse('2026-01-01T00:01:00Z'),
    mode: 'frozen',
  })
  expect(told('fault').map(({ change, fault }) => [change, fault.id, fault.hits])).toEqual([
    ['added', 'lost', 0],
    ['fired', 'lost', 1],
    ['removed', 'lost', 1],
  ])
  expect(told('fault')[1].request_id).toBe(failed.headers.get('x-svc-sim-request-id'))
  const snapshot = { id: taken.body.id, name: 'told' }
  expect(told('snapshot')).toEqual([
    { change: 'taken', snapshot, request_id: taken.id },
    { change: 'restored', snapshot, request_id: restored.id },
    { change: 'deleted', snapshot, request_id: expect.any(String) },
    { change: 'reset', snapshot: null, request_id: reset.id },
  ])
})

test('behavior: blocks that replace others come again from the number on', async () => {
  const stream = await follow()
  await rpc(sim.rpc('polygon'), 'evm_mine')
  // Without a transaction, the block that takes its place would be the same: the clock stands.
  const [from] = (await rpc(sim.rpc('polygon'), 'eth_accounts')) as string[]
  // Answered when it is mined, unlike eth_sendTransaction.
  await rpc(sim.rpc('polygon'), 'eth_sendTransactionSync', [{ from, to: from, value: '0x1' }])
  const height = Number(await rpc(sim.rpc('polygon'), 'eth_blockNumber'))
  const onPolygon = (number: number) => (message: StreamMessage) =>
    message.event === 'block' &&
    message.data.network === 'polygon' &&
    message.data.number === number
  const [before] = (await stream.until(onPolygon(height))).slice(-1)
  await rpc(sim.rpc('polygon'), 'anvil_reorg', [1, []])
  await rpc(sim.rpc('polygon'), 'evm_mine')
  const again = await stream.until(onPolygon(height + 1))
  stream.close()
  const replaced = again.find(onPolygon(height))!
  expect(replaced.data.hash).not.toBe(before!.data.hash)
  expect(replaced.data.parent_hash).toBe(before!.data.parent_hash)
})

describe('who comes back', () => {
  test('behavior: goes on behind the last id, and misses nothing', async () => {
    const first = await follow()
    await done('POST', '/clock/advance', { seconds: 1 })
    const came = await first.until(({ event }) => event === 'clock')
    first.close()
    await done('POST', '/clock/advance', { seconds: 2 })
    const second = await follow({ 'last-event-id': came.at(-1)!.id! })
    const missed = await second.until(({ event }) => event === 'clock')
    second.close()
    expect(missed.at(-1)!.data.unix_ms - came.at(-1)!.data.unix_ms).toBe(2_000)
  })

  test('behavior: too late, is told how many are gone', async () => {
    const first = await follow()
    await done('POST', '/clock/advance', { seconds: 1 })
    const came = await first.until(({ event }) => event === 'clock')
    first.close()
    for (let i = 0; i < 3; i++) await rpc(sim.rpc('polygon'), 'anvil_mine', ['0x320'])
    const height = Number(await rpc(sim.rpc('polygon'), 'eth_blockNumber'))
    const witness = await follow()
    await rpc(sim.rpc('polygon'), 'evm_mine')
    await witness.until(({ data }) => data.network === 'polygon' && data.number > height)
    witness.close()
    const second = await follow({ 'last-event-id': came.at(-1)!.id! })
    const [lost, next] = await second.until(({ event }) => event === 'block')
    second.close()
    expect(lost!.event).toBe('dropped')
    expect(lost!.id).toBeUndefined()
    const place = ({ id }: StreamMessage) => Number(id!.split('-')[1])
    expect(lost!.data.count).toBe(place(next!) - place(came.at(-1)!) - 1)
    expect(lost!.data.count).toBeGreaterThan(0)
    // Thousands of blocks are looked at one by one.
  }, 240_000)
})

test('behavior: a reader that does not read holds nothing up', async () => {
  const deaf = await follow()
  deaf.response.pause()
  const ears = await follow()
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  for (let i = 0; i < 300; i++) await fetch(`${sim.url}/markets`, { headers })
  await done('POST', '/clock/advance', { seconds: 1 })
  await ears.until(({ event }) => event === 'clock')
  ears.close()
  const late = await deaf.until(({ event }) => event === 'clock')
  deaf.close()
  expect(late.at(-1)!.event).toBe('clock')
})

test('behavior: keys are masked', async () => {
  const stream = await follow()
  await fetch(`${sim.url}/networks?key=${sim.apiKey}`, {
    headers: { authorization: `Bearer ${sim.apiKey}` },
  })
  const came = await stream.until(({ data }) => data.url?.startsWith('/networks'))
  stream.close()
  expect(JSON.stringify(came)).not.toContain(sim.apiKey)
})

test('error: a foreign page gets nothing; HEAD gets the head', async () => {
  const foreign = await fetch(`${sim.controlUrl}/stream`, {
    headers: { origin: 'http://evil.example' },
  })
  expect(foreign.status).toBe(403)
  const head = await fetch(`${sim.controlUrl}/stream`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
})

test('behavior: the stop ends the streams, and a new run tells a returning reader all that it kept', async () => {
  const own = await createSimulator()
  const stream = await follow({}, own.controlUrl)
  await own.clock.freeze()
  const came = await stream.until(({ event }) => event === 'clock')
  await own.close()
  while (!(await stream.rest()).done);
  const after = await createSimulator()
  await after.clock.freeze()
  const again = await follow({ 'last-event-id': came.at(-1)!.id! }, after.controlUrl)
  const told = await again.until(({ event }) => event === 'clock')
  again.close()
  expect(told.at(-1)!.data.mode).toBe('frozen')
  await after.close()
})

describe('GET /_sim/accounts', () => {
  test('default: accounts of every key, in pages, searched', async () => {
    const own = await createSimulator({
      apiKeys: ['qk_one000_00000000000000000001', 'qk_two000_00000000000000000002'],
    })
    // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
    const find = async (query: string): Promise<any> =>
      (await fetch(`${own.controlUrl}/accounts${query}`)).json()
    expect(await find('')).toEqual({ accounts: [], total: 0 })
    const users = [
      await openUser(own),
      await openUser(own, undefined, own.apiKeys[1]),
      await openUser(own),
    ]
    const all = await find('')
    expect(all.accounts.map(({ account_id }: { account_id: string }) => account_id)).toEqual(
      users.map(({ id }) => id),
    )
    const primes = all.accounts.map((one: { prime_account_id: string }) => one.prime_account_id)
    expect([primes[0] === primes[2], primes[0] === primes[1]]).toEqual([true, false])
    const [first, second, third] = all.accounts
    expect(await find('?limit=2')).toEqual({ accounts: [first, second], total: 3 })
    expect(await find(`?limit=2&after=${users[1]!.id}`)).toEqual({ accounts: [third], total: 3 })
    expect(await find(`?q=${users[1]!.wallet.slice(4, 20).toUpperCase()}`)).toEqual({
      accounts: [second],
      total: 1,
    })
    expect(await find(`?q=${primes[0]}`)).toEqual({ accounts: [first, third], total: 2 })
    expect(await find('?q=nobody')).toEqual({ accounts: [], total: 0 })
    expect(await find('?limit=0')).toMatchObject({ error: 'invalid_params' })
    expect(await find(`?q=${users[0]!.id}&after=${users[1]!.id}`)).toMatchObject({
      error: 'invalid_params',
    })
    await own.reset()
    expect(await find('')).toEqual({ accounts: [], total: 0 })
    await own.close()
  })
})
