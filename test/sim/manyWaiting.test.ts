import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

let sim: SimulatorHandle
const warnings: string[] = []
const warn = (warning: Error): void => void warnings.push(String(warning))

beforeAll(async () => {
  process.on('warning', warn)
  sim = await createSimulator()
})
afterAll(async () => {
  await sim.close()
  process.off('warning', warn)
})

test('behavior: dozens of long polls, streams and held requests wait at once without a warning', async () => {
  const client = createClient(sim)
  const user = await openUser(sim)
  const many = Array.from({ length: 24 }, (_, index) => index)
  await sim.faults.add({ id: 'held', on: 'request', match: { path: '*/folio' }, effect: 'hang' })
  const held = many.map(() => client.get(`${user.path}/folio`).catch(() => undefined))
  const polls = many.map(() => client.get(`${user.path}/events?poll=true`))
  const streams = await Promise.all(many.map(() => openStream(`${user.path}/folio/stream`)))
  // All of them are inside: they came before this one on connections of their own.
  while (sim.faults.list()[0]!.hits < many.length) await client.get('/networks')
  await user.fund('base', 'USDC', 9_000_000n)
  await user.run('earn', { asset: 'USDC', amount: '5', network: 'base', protocol: 'compound' })
  for (const { body } of await Promise.all(polls)) expect(body.events.length).toBeGreaterThan(0)
  for (const stream of streams) stream.destroy()
  await sim.faults.clear()
  await Promise.all(held)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

function openStream(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  return new Promise((resolve, reject) => {
    get(`${sim.url}${path}`, { headers }, resolve).on('error', reject)
  })
}

test('behavior: HEAD of a stream answers its head and ends, twice at once too', async () => {
  const client = createClient(sim)
  const user = await openUser(sim)
  const path = `${user.path}/folio/stream`
  for (const { status, headers, body } of await Promise.all(
    [1, 2].map(() => client.send('HEAD', path)),
  )) {
    expect({ status, body }).toEqual({ status: 200, body: '' })
    expect(headers.get('content-type')).toBe('text/event-stream')
  }
  expect((await client.send('HEAD', '/accounts/acc_000000000000/folio/stream')).status).toBe(404)
})

test('error: no more than a thousand fault rules, added or replaced', async () => {
  const client = createClient(sim)
  const rule = { on: 'quote', effect: 'unavailable', match: { account_id: '*' } }
  await sim.faults.set(Array.from({ length: 1_000 }, () => rule))
  const full = await client.post('/_sim/faults', rule)
  expect(full).toMatchObject({
    status: 409,
    body: { error: 'conflict', message: 'Too many fault rules: 1001 (the limit is 1000)' },
  })
  await expect(sim.faults.set(Array.from({ length: 1_001 }, () => rule))).rejects.toThrow('1001')
  expect(sim.faults.list()).toHaveLength(1_000)
  await sim.faults.clear()
  expect((await client.post('/_sim/faults', rule)).status).toBe(201)
  await sim.faults.clear()
})
