import { once } from 'node:events'
import { connect } from 'node:net'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { networkNames } from '../../src/deployments/networks.js'
import type { FaultRuleInput } from '../../src/faults/rules/faultRuleInput.js'
import { frozenByDefault } from '../../src/time/clock.js'
import { readsOf } from '../kit/chainReads.js'
import { rpc } from '../kit/http.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { transcribe } from '../kit/transcript.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'auto' })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

const recipient = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '8000000', network: 'base', recipient }

/** Money on two networks: what is more than base has is bridged. */
async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 6_000_000n)
  await user.fund('arbitrum', 'USDC', 6_000_000n)
  return user
}

async function execute(user: User, kind = 'transfer', body: object = transfer): Promise<string> {
  const { body: plan } = await user.plan(kind, body)
  const { status, body: executed } = await user.execute(plan as PlanBody)
  expect(status).toBe(200)
  return executed.activity_id
}

async function look(user: User, id: string): Promise<string> {
  return (await user.api.get(`/activities/${id}`)).body.activity_status
}

/** What the second look shows: a client that has seen an execution under way waits for it. */
async function statusOf(user: User, id: string): Promise<string> {
  await look(user, id)
  return look(user, id)
}

/** How far the clock goes while something is done, in seconds. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = sim.clock.time().ms
  await work()
  return (sim.clock.time().ms - before) / 1000
}

const post = async (path: string, body: unknown = {}) =>
  (
    await fetch(`${sim.url}/_sim/clock/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()

test('default: a bridged plan is pending at the first look and through at the second, after the two seconds of its bridge', async () => {
  expect(sim.clock.time().mode).toBe('auto')
  const user = await funded()
  const passed = await secondsOf(async () => {
    const id = await execute(user)
    expect(await look(user, id)).toBe('pending')
    expect(await look(user, id)).toBe('confirmed')
  })
  expect(passed).toBe(2)
  for (const network of networkNames) {
    const block = await readsOf(sim).request(network, 'eth_getBlockByNumber', ['latest', false])
    const { timestamp } = block as { timestamp: string }
    expect(Number(timestamp)).toBe(Math.floor(sim.clock.time().ms / 1000))
  }
})

test('behavior: each way to look shows an execution under way first; a client that waits skips it', async () => {
  const user = await funded()
  const { cursor } = (await user.api.get(`${user.path}/events?since=0`)).body
  const passed = await secondsOf(async () => {
    await execute(user)
    const { events } = (await user.api.get(`${user.path}/events?since=${cursor}`)).body
    for (const { data } of events) expect(data.activity_status).toBe('pending')
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    expect(activities[0].activity_status).toBe('confirmed')
  })
  expect(passed).toBe(2)
  const other = await funded()
  const id = await execute(other)
  await sim.clock.wait(1)
  expect(await look(other, id)).toBe('confirmed')
  const watched = await funded()
  const seen = await execute(watched)
  await rpc(sim.rpc('base'), 'eth_blockNumber')
  expect(await look(watched, seen)).toBe('confirmed')
})

test('behavior: what another client waits for expires no plan that was just made', async () => {
  const [waiting, busy] = [await funded(), await funded()]
  await sim.faults.set([{ on: 'bridge', effect: { delay: { seconds: 200 } }, times: 1 }])
  const small = { ...transfer, amount: '100000' }
  const [later, sooner] = [
    (await busy.plan('transfer', small)).body as PlanBody,
    (await waiting.plan('transfer', transfer)).body as PlanBody,
  ]
  const { body } = await waiting.execute(sooner)
  const ending = waiting.follow(body.activity_id)
  expect((await busy.execute(later)).status).toBe(200)
  for (let i = 0; i < 5; i++) await execute(busy, 'transfer', small)
  expect((await ending).activity_status).toBe('confirmed')
  const { body: expired } = await busy.plan('transfer', small)
  await sim.clock.advance(121)
  expect((await busy.execute(expired as PlanBody)).body.error).toBe('plan_not_found')
})

test('behavior: a held request and a restore leave an open plan executable; to set the clock to auto again skips it', async () => {
  const user = await funded()
  const { body: plan } = await user.plan('transfer', { ...transfer, amount: '100000' })
  await sim.faults.set([{ on: 'request', effect: { latency: { ms: 300_000 } }, times: 1 }])
  const held = user.api.get('/assets')
  const snapshot = await sim.snapshot()
  await sim.restore(snapshot)
  expect((await user.execute(plan as PlanBody)).status).toBe(200)
  await held
  const { body: open } = await user.plan('transfer', { ...transfer, amount: '100000' })
  await sim.faults.set([{ on: 'bridge', effect: 'stuck' }])
  const other = await funded()
  const id = await execute(other)
  expect(await statusOf(other, id)).toBe('pending')
  expect(await post('auto')).toMatchObject({ mode: 'auto' })
  expect(await look(other, id)).toBe('failed')
  expect((await user.execute(open as PlanBody)).body.error).toBe('plan_not_found')
})

test('behavior: a stuck bridge is refunded after its ten minutes, a late event is delivered, a slow request ends', async () => {
  const user = await funded()
  await sim.faults.set([{ on: 'bridge', effect: 'stuck' }])
  const stuck = await secondsOf(async () => {
    expect(await statusOf(user, await execute(user))).toBe('failed')
  })
  expect(stuck).toBe(601)
  await sim.faults.set([{ on: 'events', effect: { delay: { seconds: 90 } } }])
  const late = await secondsOf(async () => {
    await execute(user, 'transfer', { ...transfer, amount: '1000000' })
    const { body } = await user.api.get(`${user.path}/events?since=0`)
    expect(body.events.at(-1).data.activity_status).toBe('confirmed')
  })
  expect(late).toBe(90)
  await sim.faults.set([{ on: 'request', effect: { latency: { ms: 400_000 } } }])
  expect(await secondsOf(() => user.api.get('/assets'))).toBe(400)
})

test('behavior: the expiry of a plan is nothing that anybody waits for', async () => {
  const user = await funded()
  const { body } = await user.plan('transfer', { ...transfer, amount: '1000000' })
  const passed = await secondsOf(async () => {
    for (let i = 0; i < 5; i++) await user.api.get(`${user.path}/folio`)
    expect((await user.execute(body as PlanBody)).status).toBe(200)
  })
  expect(passed).toBe(0)
})

test('behavior: a long poll without events ends after its 25 seconds; one that is open while its client thinks moves the clock too', async () => {
  const user = await openUser(sim)
  const poll = () => user.api.get(`${user.path}/events?since=0&poll=true`)
  const passed = await secondsOf(async () => {
    expect((await poll()).body).toEqual({ events: [], cursor: 0 })
  })
  expect(passed).toBe(25)
  await user.fund('base', 'USDC', 6_000_000n)
  const { body } = await user.plan('transfer', { ...transfer, amount: '1000000' })
  const polling = poll()
  const executed = await user.execute(body as PlanBody)
  expect(executed.status).toBe(200)
  await polling
})

test('behavior: while a client is waited for and another thinks, what hangs or streams holds nothing up', async () => {
  const [one, two] = [await funded(), await funded()]
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const streaming = await fetch(`${sim.url}${one.path}/folio/stream`, {
    headers,
    signal: gone.signal,
  })
  await sim.faults.set([{ on: 'request', effect: 'hang', match: { path: '/markets' } }])
  const hanging = fetch(`${sim.url}/markets`, { headers, signal: gone.signal }).catch(() => 'gone')
  const passed = await secondsOf(async () => {
    const ids = await Promise.all([execute(one), execute(two)])
    expect(await Promise.all([statusOf(one, ids[0]), statusOf(two, ids[1])])).toEqual([
      'confirmed',
      'confirmed',
    ])
  })
  expect([2, 4]).toContain(passed)
  expect(streaming.status).toBe(200)
  gone.abort()
  expect(await hanging).toBe('gone')
})

test('behavior: what a halted or a slow network keeps waiting is no moment to jump to; when it goes on, so does the clock', async () => {
  const user = await funded()
  const halt = { id: 'halt', on: 'chain', effect: 'halt', match: { network: 'base' } }
  const slow = { id: 'slow', on: 'chain', effect: { slow: { ms: 5 } } }
  await sim.faults.set([halt, slow])
  const id = await execute(user)
  expect(await statusOf(user, id)).toBe('pending')
  await sim.faults.remove('halt')
  expect(await statusOf(user, id)).toBe('confirmed')
})

test('behavior: a network that halts or is down for a moment goes on by itself: a plan that met it is confirmed', async () => {
  const user = await funded()
  for (const effect of ['down', 'halt']) {
    const brief = { on: 'chain', effect: { [effect]: { ms: 300 } }, match: { network: 'base' } }
    await sim.faults.set([brief as FaultRuleInput])
    const id = await execute(user, 'transfer', { ...transfer, amount: '1000000' })
    await vi.waitFor(async () => expect(await statusOf(user, id)).toBe('confirmed'), 20_000)
    expect((await sim.faults.list()).map(({ hits }) => hits)).toEqual([1])
  }
})

test('default: who waits by the clock is there at once, and the clock is later by that', async () => {
  const before = sim.clock.time().ms
  const waited = await post('wait', { seconds: 86_400 })
  expect(waited).toMatchObject({ mode: 'auto', unix_ms: before + 86_400_000 })
  expect(await sim.clock.wait(0.5)).toMatchObject({ ms: before + 86_400_500 })
  expect(await sim.clock.wait(0)).toMatchObject({ ms: before + 86_400_500 })
})

test('error: what is no time to wait for', async () => {
  expect(await post('wait', { seconds: -1 })).toMatchObject({ error: 'invalid_params' })
  await expect(sim.clock.wait(Number.NaN)).rejects.toThrow('seconds must be a number')
})

test('behavior: from auto to frozen, advanced, running, and back', async () => {
  expect(await post('freeze')).toMatchObject({ mode: 'frozen' })
  const user = await funded()
  const id = await execute(user)
  expect(await statusOf(user, id)).toBe('pending')
  const before = sim.clock.time().ms
  expect(await post('auto')).toMatchObject({ mode: 'auto' })
  expect(await statusOf(user, id)).toBe('confirmed')
  expect(sim.clock.time().ms).toBe(before + 2_000)
  expect(await post('auto')).toMatchObject({ mode: 'auto', unix_ms: before + 2_000 })
  const { body } = await user.plan('transfer', { ...transfer, amount: '1000000' })
  expect(await post('advance', { seconds: 121 })).toMatchObject({
    mode: 'auto',
    unix_ms: before + 123_000,
  })
  expect((await user.execute(body as PlanBody)).body).toMatchObject({ error: 'plan_not_found' })
  expect(await post('resume')).toMatchObject({ mode: 'real' })
  const other = await funded()
  const running = await execute(other)
  expect(await sim.clock.auto()).toMatchObject({ mode: 'auto' })
  expect(await statusOf(other, running)).toBe('confirmed')
})

test('behavior: a bridge that was under way in a snapshot goes on after its restore; a reset stands at the start', async () => {
  const user = await funded()
  await sim.clock.freeze()
  const id = await execute(user)
  const frozen = await sim.snapshot()
  const before = await sim.clock.auto()
  const auto = await sim.snapshot()
  expect(await statusOf(user, id)).toBe('confirmed')
  await sim.restore(auto)
  expect(sim.clock.time()).toMatchObject({ mode: 'auto' })
  expect(await statusOf(user, id)).toBe('confirmed')
  await sim.restore(frozen)
  expect(sim.clock.time()).toEqual({ ...before, mode: 'frozen' })
  expect(await statusOf(user, id)).toBe('pending')
  await sim.reset()
  expect(sim.clock.time()).toMatchObject({ mode: 'auto', ms: frozenByDefault })
})

test('behavior: with a seed, the same requests get the same bytes', async () => {
  const play = async (): Promise<string[]> => {
    await using own = await createSimulator({ clock: 'auto', seed: 7n })
    const { call, run, entries } = transcribe(own)
    const key = `0x${'07'.repeat(32)}` as const
    const { account_id } = await call<{ account_id: string }>('POST', '/accounts', {
      signer_type: 'eoa',
      signer_address: privateKeyToAddress(key),
    })
    const account = `/accounts/${account_id}`
    for (const network of ['base', 'arbitrum'])
      await call('POST', '/_sim/fund', { account_id, network, asset: 'USDC', amount: '6000000' })
    await run(account, 'transfer', transfer, key)
    await call('POST', '/_sim/faults', { on: 'bridge', effect: 'stuck' })
    await call('GET', `${account}/events?since=0&poll=true`)
    await call('POST', '/_sim/fund', {
      account_id,
      network: 'optimism',
      asset: 'USDC',
      amount: '6000000',
    })
    await run(account, 'transfer', { ...transfer, amount: '5000000' }, key)
    await call('GET', '/_sim/clock')
    await call('GET', `${account}/activities`)
    await call('GET', `${account}/folio`)
    for (const network of networkNames) {
      const params = ['latest', true]
      const asked = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params }
      await call('POST', `/rpc/${network}`, asked)
    }
    return entries
  }
  expect(await play()).toEqual(await play())
})

test('behavior: a scenario that is played over the control API does not hold up the clock of its own requests', async () => {
  const yaml = `
name: a bridged transfer
given:
  clock: auto
  accounts:
    alice:
      funds: { arbitrum: { USDC: "20000000" } }
when:
  - plan: { as: earn, account: alice, kind: earn, body: { amount: "10000000", asset: USDC, network: base, protocol: compound } }
  - execute: { plan: earn, as: done }
then:
  - activity: { of: done, status: confirmed }
`
  const response = await fetch(`${sim.url}/_sim/scenarios`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yaml }),
  })
  expect(await response.json()).toMatchObject({ passed: true, failure: null })
})

test('behavior: a chain that nobody looks at while the clock moves has a block of each move when somebody does', async () => {
  const { request } = readsOf(sim)
  const blockAt = async (at: string) =>
    (await request('polygon', 'eth_getBlockByNumber', [at, false])) as Record<string, string>
  const before = Number((await blockAt('latest')).number)
  const begun = sim.clock.time().ms
  for (const seconds of [5, 60, 7]) await sim.clock.wait(seconds)
  const blocks = await Promise.all([1, 2, 3].map((i) => blockAt(`0x${(before + i).toString(16)}`)))
  const times = blocks.map(({ timestamp }) => Number(timestamp) - Math.floor(begun / 1000))
  expect(times).toEqual([5, 65, 72])
  expect(Number((await blockAt('latest')).number)).toBe(before + 3)
})

test('behavior: a folio is the same before and after those blocks are mined, interest included', async () => {
  const user = await openUser(sim)
  await user.fund('polygon', 'USDC', 900_000_000n)
  const earn = { asset: 'USDC', network: 'polygon', protocol: 'aave', amount: '900000000' }
  const folio = async () => (await user.api.get(`${user.path}/folio`)).body.folio
  await execute(user, 'earn', earn)
  await sim.clock.wait(86_400)
  const { balances, yield_markets } = await folio()
  await readsOf(sim).request('polygon', 'eth_getBlockByNumber', ['latest', false])
  const after = await folio()
  expect(after.balances).toEqual(balances)
  expect(after.yield_markets).toEqual(yield_markets)
  await sim.clock.wait(86_400)
  expect((await folio()).balances).not.toEqual(balances)
})

test('behavior: who subscribes to heads hears of each move, and of none from before', async () => {
  await sim.clock.wait(30)
  const socket = new WebSocket(sim.rpc('polygon').replace('http', 'ws'))
  const heard: { timestamp: string }[] = []
  const answered = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.params) heard.push(message.params.result)
      else resolve()
    })
  })
  await once(socket, 'open')
  socket.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }),
  )
  await answered
  const begun = Math.floor(sim.clock.time().ms / 1000)
  await sim.clock.wait(10)
  await sim.clock.wait(10)
  await vi.waitFor(() => expect(heard).toHaveLength(2))
  expect(heard.map(({ timestamp }) => Number(timestamp) - begun)).toEqual([10, 20])
  socket.close()
})

test('behavior: who follows the stream is told of the block of each move on each network', async () => {
  const ending = new AbortController()
  const { body } = await fetch(`${sim.url}/_sim/stream`, { signal: ending.signal })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  await sim.clock.wait(10)
  const networks = new Set<string>()
  for (let text = ''; networks.size < networkNames.length; ) {
    text += (await reader.read()).value
    for (const [, network] of text.matchAll(/event: block\ndata: .*?"network":"(\w+)"/g))
      networks.add(network!)
  }
  expect([...networks].sort()).toEqual([...networkNames].sort())
  ending.abort()
})

test('behavior: so many blocks at most are left to be mined, and each move has its own', async () => {
  const { request } = readsOf(sim)
  const number = async () => Number(await request('optimism', 'eth_blockNumber'))
  const before = await number()
  for (let i = 0; i < 70; i++) await sim.clock.wait(1)
  expect(await number()).toBe(before + 70)
})

test('behavior: a request whose body has not come to its end holds up neither the clock nor others', async () => {
  const user = await funded()
  const { hostname, port } = new URL(sim.url)
  const socket = connect(Number(port), hostname)
  const head = [
    'POST /accounts HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${sim.apiKey}`,
    'content-type: application/json',
    'content-length: 24',
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  expect(String(await once(socket, 'data'))).toMatch('100 Continue')
  expect(await statusOf(user, await execute(user))).toBe('confirmed')
  socket.write('{"signer_type":"nobody"}')
  expect(String(await once(socket, 'data'))).toMatch('HTTP/1.1 400')
  socket.destroy()
})

test('behavior: a reset and a restore take blocks that wait back with the rest', async () => {
  const { request } = readsOf(sim)
  const latest = async () => {
    const block = await request('arbitrum', 'eth_getBlockByNumber', ['latest', false])
    const { number, timestamp } = block as { number: string; timestamp: string }
    return [Number(number), Number(timestamp)] as const
  }
  await sim.reset()
  const [number, seconds] = await latest()
  await sim.clock.wait(5)
  await sim.reset()
  expect(await latest()).toEqual([number, seconds])
  await sim.clock.wait(5)
  const snapshot = await sim.snapshot()
  await sim.clock.wait(7)
  await sim.restore(snapshot)
  expect(await latest()).toEqual([number + 1, seconds + 5])
})

test('behavior: a client’s transaction behind a gap of nonces does not hold up the clock until it is mined', async () => {
  const signer = privateKeyToAccount(generatePrivateKey())
  await sim.fund({ address: signer.address, asset: 'ETH', amount: 10n ** 18n, network: 'base' })
  const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const send = async (nonce: number) => {
    const transaction = { type: 'eip1559', chainId: 8453, nonce, to: recipient, ...fees } as const
    const params = [await signer.signTransaction(transaction)]
    return rpc<{ status: string }>(sim.rpc('base'), 'eth_sendRawTransactionSync', params)
  }
  const ended: string[] = []
  const waiting = send(1).then((receipt) => {
    ended.push('receipt')
    return receipt
  })
  const pooled = () => readsOf(sim).request('base', 'txpool_status', [])
  await expect.poll(pooled).toMatchObject({ queued: '0x1' })
  // Its fill is due two seconds of the clock later.
  const user = await funded()
  expect((await user.follow(await execute(user))).activity_status).toBe('confirmed')
  ended.push('fill')
  // The nodes of this test are lent to others: nothing may wait in them.
  await send(0)
  expect(await waiting).toMatchObject({ status: '0x1' })
  expect(ended).toEqual(['fill', 'receipt'])
})
