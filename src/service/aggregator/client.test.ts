import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { withTextAmounts } from '../../lib/textAmounts.js'
import { createQuoteClient } from './client.js'
import { type QuoteAnswer, type QuoteRequest, quoteFromText } from './quote.js'

const clock = { now: () => 1_735_689_600_000 }
const sellToken = '0x00000000000000000000000000000000000000A1'
const buyToken = '0x00000000000000000000000000000000000000b2'
const exchange = '0x00000000000000000000000000000000000000c3'

const request: QuoteRequest = {
  network: 'base',
  sellToken,
  buyToken,
  sellAmount: 1000n,
  taker: '0x00000000000000000000000000000000000000d4',
  slippageBps: 100,
}

const answer: QuoteAnswer = {
  quoteId: '0x01',
  chainId: 8453,
  price: '2.0',
  sellToken: sellToken.toLowerCase(),
  buyToken,
  sellAmount: '1000',
  buyAmount: '2000',
  minBuyAmount: '1980',
  maxSellAmount: '1000',
  allowanceTarget: exchange,
  transaction: { to: exchange, data: '0x1234', value: '0', gas: '300000' },
  sources: [{ name: 'somewhere', proportionBps: '10000' }],
  expiresAt: 1_735_689_601,
}

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** An aggregator that answers as told, on a real port, and a client of it. */
async function against(listener: RequestListener, timeoutMs = 5_000) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createQuoteClient(`http://127.0.0.1:${port}`, { clock, timeoutMs })
  opened.push(() => {
    client.close()
    server.close()
    server.closeAllConnections()
  })
  return client
}

const orRule = 'If a fault rule caused this, the header x-svc-sim-fault names it.'

const says = (body: unknown, status = 200): RequestListener => {
  return (_req, res) => void res.writeHead(status).end(JSON.stringify(body))
}

/** What the failed quote says to whoever looks for the reason. */
async function hintOf(listener: RequestListener, timeoutMs?: number): Promise<string | undefined> {
  const client = await against(listener, timeoutMs)
  const error = await client.quote(request).catch((e: unknown) => e)
  expect(error).toMatchObject({ name: 'ServiceError', code: 'swap_quote_failed', status: 422 })
  expect(error).toHaveProperty('message', `No quote for ${sellToken} -> ${buyToken} on base`)
  return (error as { hint?: string }).hint
}

test('default', async () => {
  const asked: (string | undefined)[] = []
  const client = await against((req, res) => {
    asked.push(req.url)
    says(answer)(req, res)
  })
  const quote = await client.quote(request)
  expect(asked).toEqual([
    `/quote?chainId=8453&sellToken=${sellToken}&buyToken=${buyToken}&taker=${request.taker}&slippageBps=100&sellAmount=1000`,
  ])
  expect(quote).toEqual({
    network: 'base',
    sellToken,
    buyToken,
    sellAmount: 1000n,
    buyAmount: 2000n,
    minBuyAmount: 1980n,
    maxSellAmount: 1000n,
    allowanceTarget: exchange,
    transaction: { to: exchange, data: '0x1234', value: 0n },
    quoteId: '0x01',
    expiresAt: 1_735_689_601,
    exactOut: false,
  })
  // As it is stored with a plan: through JSON text and back.
  expect(quoteFromText(withTextAmounts(quote))).toEqual(quote)
})

test('behavior: exact out asks for the bought amount', async () => {
  const client = await against((req, res) => {
    expect(new URL(req.url!, 'http://x').searchParams.has('sellAmount')).toBe(false)
    says(answer)(req, res)
  })
  const quote = await client.quote({ ...request, sellAmount: undefined, buyAmount: 2000n })
  expect(quote).toMatchObject({ exactOut: true, buyAmount: 2000n })
})

test('behavior: one connection serves quotes that follow each other', async () => {
  const ports = new Set<number | undefined>()
  const client = await against((req, res) => {
    ports.add(req.socket.remotePort)
    says(answer)(req, res)
  })
  for (let i = 0; i < 5; i++) await client.quote(request)
  expect(ports.size).toBe(1)
})

test('error: no liquidity carries the reason', async () => {
  const reason = 'InsufficientLiquidity(1, 2)'
  expect(await hintOf(says({ code: 'NO_LIQUIDITY', reason }, 404))).toBe(
    `The aggregator returned 404: NO_LIQUIDITY, ${reason}. Request a smaller amount or another asset. ${orRule}`,
  )
})

test('error: a 5xx, whatever its body', async () => {
  expect(await hintOf(says('oops', 500))).toBe(
    `The aggregator returned 500. Send the request again. ${orRule}`,
  )
  expect(await hintOf((_req, res) => void res.writeHead(503).end('<html>'))).toBe(
    `The aggregator returned 503. Send the request again. ${orRule}`,
  )
})

const malformed: [what: string, body: unknown, why: string][] = [
  ['a list', [], 'expected object'],
  ['no amount', { ...answer, buyAmount: undefined }, 'buyAmount: '],
  ['a fraction', { ...answer, buyAmount: '1.5' }, 'buyAmount: must be a decimal integer string'],
  [
    'half a byte',
    { ...answer, transaction: { ...answer.transaction, data: '0x1' } },
    'transaction.data',
  ],
  ['another chain', { ...answer, chainId: 1 }, 'chainId: 1, asked 8453'],
  ['another token', { ...answer, buyToken: exchange }, `buyToken: ${exchange}, asked ${buyToken}`],
  ['another amount', { ...answer, sellAmount: '999' }, 'sellAmount: 999, asked 1000'],
  ['a limit above the amount', { ...answer, minBuyAmount: '2001' }, 'its limits are better'],
]

test.each(malformed)('error: %s instead of a quote', async (_what, body, why) => {
  const hint = await hintOf(says(body))
  expect(hint).toContain('The aggregator’s response is malformed')
  expect(hint).toContain(why)
})

test('error: text that is not JSON, cut off, or endless', async () => {
  const text = await hintOf((_req, res) => void res.end('{"quoteId":'))
  expect(text).toContain('malformed: it is not JSON. Send the request again.')
  const cut = await hintOf((_req, res) => {
    res.writeHead(200, { 'content-length': '1000' })
    res.write('{"quoteId":', () => res.destroy())
  })
  expect(cut).toContain('closed the connection in the middle of its response')
  const silent = await hintOf((req) => void req.socket.destroy())
  expect(silent).toBe(
    `The aggregator closed the connection without a response. Send the request again. ${orRule}`,
  )
  const endless = await hintOf((_req, res) => {
    const more = () => res.write('x'.repeat(65_536), () => !res.destroyed && more())
    more()
  })
  expect(endless).toContain('over 1 MiB')
})

test('error: a quote that has expired', async () => {
  const now = clock.now() / 1000
  expect(await hintOf(says({ ...answer, expiresAt: now }))).toContain('expired already')
})

test('error: no answer in time, neither its head nor its end', async () => {
  const late = `The aggregator did not respond within 20 ms. Send the request again. ${orRule}`
  expect(await hintOf(() => {}, 20)).toBe(late)
  expect(await hintOf((_req, res) => void res.write('{'), 20)).toBe(late)
})

test('error: nobody listens', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const client = createQuoteClient(`http://127.0.0.1:${port}`, { clock })
  await expect(client.quote(request)).rejects.toMatchObject({
    code: 'swap_quote_failed',
    hint: expect.stringContaining('ECONNREFUSED'),
  })
})
