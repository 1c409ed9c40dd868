import { Agent, get } from 'node:http'
import type { Address, Hex } from 'viem'
import { networkOf } from '../chain/networks.js'
import { type Clock, unixSeconds } from '../clock.js'
import { ServiceError } from '../errors.js'
import type { Quote, QuoteRequest } from './quote.js'
import { quoteAnswer } from './wire.js'

/** The planner's side of the aggregator. */
export interface QuoteClient {
  /** Rejects with 422 `swap_quote_failed` whatever goes wrong: no liquidity, a 5xx, a timeout, a malformed or expired answer. */
  quote(request: QuoteRequest): Promise<Quote>
  close(): void
}

/** A client of the aggregator at `url`. `timeoutMs` bounds one quote. */
export function createQuoteClient(
  url: string,
  { clock, timeoutMs = 5_000 }: { clock: Clock; timeoutMs?: number },
): QuoteClient {
  const agent = new Agent({ keepAlive: true })
  return {
    async quote(request) {
      const answer = await getJson(`${url}/quote?${queryOf(request)}`, agent, timeoutMs).catch(
        (error: Error) => {
          throw failed(request, error.message)
        },
      )
      if (answer.status !== 200) throw refused(request, answer)
      const parsed = quoteAnswer.safeParse(answer.body)
      if (!parsed.success)
        throw failed(
          request,
          `the aggregator's answer is malformed: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`,
        )
      const { data } = parsed
      if (data.expiresAt <= unixSeconds(clock))
        throw failed(request, 'the aggregator answered a quote that has expired already')
      return {
        network: request.network,
        sellToken: request.sellToken,
        buyToken: request.buyToken,
        sellAmount: BigInt(data.sellAmount),
        buyAmount: BigInt(data.buyAmount),
        minBuyAmount: BigInt(data.minBuyAmount),
        maxSellAmount: BigInt(data.maxSellAmount),
        allowanceTarget: data.allowanceTarget as Address,
        transaction: {
          to: data.transaction.to as Address,
          data: data.transaction.data as Hex,
          value: BigInt(data.transaction.value),
        },
        quoteId: data.quoteId,
        expiresAt: data.expiresAt,
        exactOut: request.sellAmount === undefined,
      }
    },
    close: () => agent.destroy(),
  }
}

interface Answer {
  status: number
  body: unknown
}

function queryOf(request: QuoteRequest): URLSearchParams {
  const query = new URLSearchParams({
    chainId: networkOf(request.network).chainId.toString(),
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    taker: request.taker,
    slippageBps: request.slippageBps.toString(),
  })
  if (request.sellAmount !== undefined) query.set('sellAmount', request.sellAmount.toString())
  if (request.buyAmount !== undefined) query.set('buyAmount', request.buyAmount.toString())
  return query
}

function getJson(url: string, agent: Agent, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      req.destroy(new Error(`the aggregator did not answer within ${timeoutMs} ms`))
    }, timeoutMs)
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      act()
    }
    const req = get(url, { agent }, (res) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        text += chunk
      })
      res.on('error', (error) => settle(() => reject(error)))
      res.on('end', () =>
        settle(() => {
          try {
            resolve({ status: res.statusCode ?? 0, body: JSON.parse(text) })
          } catch {
            reject(new Error('the aggregator’s answer is not JSON'))
          }
        }),
      )
    })
    req.on('error', (error) => settle(() => reject(error)))
  })
}

function refused(request: QuoteRequest, { status, body }: Answer): ServiceError {
  const { code, reason } = (body ?? {}) as { code?: unknown; reason?: unknown }
  return failed(request, `the aggregator answered ${status} ${String(code)}: ${String(reason)}`)
}

function failed(request: QuoteRequest, why: string): ServiceError {
  return new ServiceError(
    'swap_quote_failed',
    `No quote for ${request.sellToken} -> ${request.buyToken} on ${request.network}`,
    { hint: why.slice(0, 300) },
  )
}
