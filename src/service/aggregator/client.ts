import { Agent, get, type RequestOptions } from 'node:http'
import type { Address, Hex } from 'viem'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { type Clock, unixSeconds } from '../../time/clock.js'
import {
  type Quote,
  type QuoteAnswer,
  type QuoteRequest,
  quoteAnswer,
  quoteRefusal,
} from './quote.js'

/** Far above any quote; an answer beyond it is not read to its end. */
const maxAnswerBytes = 1024 * 1024

export type QuoteClient = ReturnType<typeof createQuoteClient>

/** A client of the aggregator at `url`. `timeoutMs` bounds one quote, from the request to the last byte of the answer; `headers` go out with each. */
export function createQuoteClient(
  url: string,
  {
    clock,
    timeoutMs = 5_000,
    headers = () => ({}),
    nameOf = (_, token) => token,
  }: {
    clock: Clock
    timeoutMs?: number
    headers?: () => Record<string, string>
    /** The symbol of a token, for error messages. */
    nameOf?: (network: NetworkName, token: Address) => string
  },
) {
  const agent = new Agent({ keepAlive: true })
  return {
    /** Rejects with 422 `swap_quote_failed` whatever goes wrong: no liquidity, a 5xx, a timeout, a malformed or expired answer. */
    async quote(request: QuoteRequest): Promise<Quote> {
      try {
        const answer = await getText(
          `${url}/quote?${queryOf(request)}`,
          { agent, headers: headers() },
          timeoutMs,
        )
        return quoteOf(request, parseAnswer(answer), clock)
      } catch (cause) {
        const { network } = request
        const [sold, bought] = [request.sellToken, request.buyToken].map((at) =>
          nameOf(network, at),
        )
        throw new ServiceError(
          'swap_quote_failed',
          `No quote for ${sold} -> ${bought} on ${network}`,
          { hint: hintFor(cause as Error), cause },
        )
      }
    },
    close: () => void agent.destroy(),
  }
}

function hintFor(cause: Error): string {
  const { code } = cause as NodeJS.ErrnoException
  const what =
    code === 'ECONNRESET'
      ? `the aggregator closed the connection ${cause.message === 'aborted' ? 'in the middle of its response' : 'without a response'}`
      : cause.message.slice(0, 300)
  const next = what.includes('NO_LIQUIDITY')
    ? 'Request a smaller amount or another asset.'
    : 'Send the request again.'
  return `${what[0]!.toUpperCase()}${what.slice(1)}. ${next} If a fault rule caused this, the header x-svc-sim-fault names it.`
}

interface QuoteHttpReply {
  status: number
  text: string
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

function getText(url: string, options: RequestOptions, timeoutMs: number): Promise<QuoteHttpReply> {
  return new Promise<QuoteHttpReply>((resolve, reject) => {
    const timer = setTimeout(() => {
      req.destroy(new Error(`the aggregator did not respond within ${timeoutMs} ms`))
    }, timeoutMs)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const req = get(url, options, (res) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxAnswerBytes) req.destroy(malformed('over 1 MiB'))
      })
      res.on('error', fail)
      res.on('end', () => {
        clearTimeout(timer)
        resolve({ status: res.statusCode ?? 0, text })
      })
    })
    req.on('error', fail)
  })
}

function parseAnswer({ status, text }: QuoteHttpReply): QuoteAnswer {
  if (status !== 200) {
    const refusal = quoteRefusal.safeParse(jsonOf(text))
    const why = refusal.success ? `: ${refusal.data.code}, ${refusal.data.reason}` : ''
    throw new Error(`the aggregator returned ${status}${why}`)
  }
  const body = jsonOf(text)
  if (body === undefined) throw malformed('it is not JSON')
  const parsed = quoteAnswer.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw malformed([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '))
}

/** The value of the JSON text; undefined, which no schema accepts, when it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The answer as a quote, once it is known to be an answer to this request. */
export function quoteOf(request: QuoteRequest, answer: QuoteAnswer, clock: Clock): Quote {
  const quote: Quote = {
    network: request.network,
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    sellAmount: BigInt(answer.sellAmount),
    buyAmount: BigInt(answer.buyAmount),
    minBuyAmount: BigInt(answer.minBuyAmount),
    maxSellAmount: BigInt(answer.maxSellAmount),
    allowanceTarget: answer.allowanceTarget as Address,
    transaction: {
      to: answer.transaction.to as Address,
      data: answer.transaction.data as Hex,
      value: BigInt(answer.transaction.value),
    },
    quoteId: answer.quoteId,
    expiresAt: answer.expiresAt,
    exactOut: request.sellAmount === undefined,
  }
  const { chainId } = networkOf(request.network)
  if (answer.chainId !== chainId) throw malformed(`chainId: ${answer.chainId}, asked ${chainId}`)
  for (const side of ['sellToken', 'buyToken'] as const)
    if (answer[side].toLowerCase() !== request[side].toLowerCase())
      throw malformed(`${side}: ${answer[side]}, asked ${request[side]}`)
  for (const side of ['sellAmount', 'buyAmount'] as const)
    if (request[side] !== undefined && quote[side] !== request[side])
      throw malformed(`${side}: ${quote[side]}, asked ${request[side]}`)
  if (quote.minBuyAmount > quote.buyAmount || quote.maxSellAmount < quote.sellAmount)
    throw malformed('its limits are better than its amounts')
  if (answer.expiresAt <= unixSeconds(clock))
    throw new Error('the aggregator returned a quote that has expired already')
  return quote
}

function malformed(why: string): Error {
  return new Error(`the aggregator’s response is malformed: ${why}`)
}
