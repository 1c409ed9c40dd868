import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { askControl } from '../kit/http.js'
import { tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(async () => {
  tapRpc(undefined)
  await sim.close()
})

interface Message {
  event: string
  data: [string, unknown][]
}

/** Opens the stream of an account and reads its messages one by one. */
async function openStream(path: string) {
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${sim.url}${path}/folio/stream`, { headers }, resolve).on('error', reject)
  })
  async function* messages(): AsyncGenerator<Message> {
    let text = ''
    for await (const chunk of response) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [event, data] = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        if (data) yield { event: event!.slice(7), data: JSON.parse(data.slice(6)) }
      }
    }
  }
  return { response, messages: messages() }
}

test('default: a snapshot first, then what an execution changed', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const { response, messages } = await openStream(user.path)
  expect(response.headers['content-type']).toContain('text/event-stream')
  const first = (await messages.next()).value as Message
  expect(first.event).toBe('snapshot')
  const tokenKey = `balances/token/base/USDC/${user.wallet}`
  expect(Object.fromEntries(first.data)).toMatchObject({
    [tokenKey]: '5e6',
    'prices/token/USDC': '1',
  })

  await user.run('earn', {
    asset: 'USDC',
    amount: '5000000',
    network: 'base',
    protocol: 'compound',
  })
  const learnt = new Map<string, unknown>()
  const position = `balances/yield_market/comet/base/0xb125e6687d4313864e53df431d5425969c15eb2f/USDC/${user.wallet}`
  while (!learnt.has(position)) {
    const { value } = await messages.next()
    expect((value as Message).event).toBe('update')
    for (const [key, change] of (value as Message).data) learnt.set(key, change)
  }
  expect(learnt.get(tokenKey)).toBeNull()
  expect(learnt.get(`hex_data/nonce_secret/base/${user.wallet}`)).toMatch(/^0x[0-9a-f]{64}$/)
  response.destroy()
})

test('behavior: after an event, the portfolio is read once for all streams of the account', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const earning = { asset: 'USDC', amount: '1000000', network: 'base', protocol: 'compound' }
  await user.run('earn', earning)
  const { body } = await user.api.get(`${user.path}/events`)
  const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(user.path)))
  for (const { messages } of streams) await messages.next()
  // Nobody hears of a price until an event of the account.
  expect((await askControl(sim, 'PUT', '/prices/MORPHO', { usd: '12.5' })).status).toBe(200)

  const reads: string[] = []
  tapRpc(({ network, method }, proceed) => {
    if (method === 'eth_call') reads.push(network)
    return proceed()
  })
  const again = { account_id: user.id, cursor: body.cursor }
  expect((await askControl(sim, 'POST', '/events/again', again)).status).toBe(200)
  for (const { messages } of streams) {
    const { value } = await messages.next()
    expect((value as Message).data).toContainEqual(['prices/token/MORPHO', '12.5'])
  }
  tapRpc(undefined)
  expect(reads.sort()).toEqual([...networkNames].sort())
  for (const { response } of streams) response.destroy()
})

test('behavior: stopping the simulator ends open streams', async () => {
  const own = await createSimulator()
  const user = await openUser(own)
  const headers = { authorization: `Bearer ${own.apiKey}` }
  const response = await new Promise<IncomingMessage>((resolve) => {
    get(`${own.url}${user.path}/folio/stream`, { headers }, resolve)
  })
  const ended = new Promise((resolve) => response.once('end', resolve))
  response.resume()
  await own.close()
  await ended
})

test('error: an unknown account is 404 before anything is streamed', async () => {
  const user = await openUser(sim)
  const reply = await user.api.get('/accounts/acc_000000000000/folio/stream')
  expect(reply).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
})
