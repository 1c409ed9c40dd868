import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, keccak256, toHex } from 'viem/utils'
import type { Nodes } from '../../chain/rpc/node.js'
import { type Rpc, RpcError } from '../../chain/rpc/rpc.js'
import { decodeRevert } from '../../chain/transactions/revert.js'
import type { AddressBook, NetworkBook } from '../../deployments/addressBook.js'
import { atLeastUsual } from '../../deployments/exchange.js'
import { networks } from '../../deployments/networks.js'
import { exchangeAbi } from '../../generated/abis.js'
import { inBackground } from '../../lib/keepProcessAlive.js'
import { type Clock, unixSeconds } from '../../time/clock.js'
import { type QuoteAnswer, type QuoteRefusal, type QuoteRequest, quoteQuery } from './quote.js'

/** How long a quote may be used, in seconds: longer than a plan lives. */
const quoteLifetime = 180
const nativeToken = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** JSON-RPC code of a reverted call; any other error is the node's own trouble. */
export const revertCode = 3

export interface Aggregator {
  url: string
  close(): Promise<void>
}

interface Parts {
  clock: Clock
  nodes: Nodes
  book: AddressBook
  /** What answers go through; `hang up` closes the connection without one. */
  intercept?(
    request: QuoteExchange,
    proceed: (hiddenBps?: bigint) => Promise<QuoteReply>,
  ): Promise<QuoteReply>
}

export interface QuoteExchange {
  req: IncomingMessage
  res: ServerResponse
}

/** What the aggregator answers. `text` goes out instead of the body where it is no JSON. */
export type QuoteReply = (AggregatorReply & { text?: string }) | 'hang up'

/**
 * A real HTTP server on a port of its own. Quotes come from the network's exchange contract, which also settles them: a quote holds while
 * prices do not move.
 */
export async function startAggregator(parts: Parts): Promise<Aggregator> {
  const server = inBackground(
    createServer((req, res) => {
      const proceed = (hiddenBps = 0n): Promise<QuoteReply> => answer(parts, req, hiddenBps)
      const replying = parts.intercept ? parts.intercept({ req, res }, proceed) : proceed()
      replying.then(
        (reply) =>
          reply === 'hang up'
            ? res.destroy()
            : send(res, reply.status, reply.text ?? JSON.stringify(reply.body)),
        ({ message }: Error) =>
          send(res, 502, JSON.stringify({ code: 'NODE_UNAVAILABLE', reason: message })),
      )
    }),
  )
  // Idle connections stay: closing one just as the client sends on it would look like a failed quote.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type AggregatorReply = { status: number; body: QuoteAnswer | QuoteRefusal }

function refuse(status: number, code: QuoteRefusal['code'], reason: string): AggregatorReply {
  return { status, body: { code, reason } }
}

async function answer(
  parts: Parts,
  req: IncomingMessage,
  hiddenBps: bigint,
): Promise<AggregatorReply> {
  const [path, search] = (req.url ?? '/').split('?', 2)
  if (req.method !== 'GET' || path !== '/quote')
    return refuse(404, 'NOT_FOUND', 'the aggregator answers GET /quote only')
  const query = quoteQuery.safeParse(Object.fromEntries(new URLSearchParams(search)))
  if (!query.success)
    return refuse(
      400,
      'INVALID_INPUT',
      query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    )
  const network = networks.find((n) => n.chainId === Number(query.data.chainId))
  if (!network)
    return refuse(
      400,
      'UNSUPPORTED_CHAIN',
      `chainId ${query.data.chainId} is not one of ${networks.map((n) => n.chainId).join(', ')}`,
    )
  const { sellAmount, buyAmount, slippageBps = '100' } = query.data
  const wanted: QuoteTerms = {
    sellToken: query.data.sellToken.toLowerCase() as Address,
    buyToken: query.data.buyToken.toLowerCase() as Address,
    exactOut: sellAmount === undefined,
    amount: BigInt(sellAmount ?? buyAmount ?? '0'),
    taker: query.data.taker as Address,
    slippageBps: BigInt(slippageBps),
    hiddenBps,
  }
  try {
    const book = parts.book.on(network.name)
    const other = await price(parts.nodes.get(network.name).rpc, book, wanted)
    return { status: 200, body: offer(parts.clock, book, wanted, other) }
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== revertCode) throw error
    return refuse(404, 'NO_LIQUIDITY', decodeRevert(error.data).reason)
  }
}

/** What the aggregator would return, without a request to it: no fault rule meets it. Rejects where there is no quote. */
export async function foreseenQuote(
  { clock, nodes, book: books }: Pick<Parts, 'clock' | 'nodes' | 'book'>,
  { network, slippageBps, ...request }: QuoteRequest,
): Promise<QuoteAnswer> {
  const { sellAmount, buyAmount } = request
  const wanted: QuoteTerms = {
    sellToken: request.sellToken.toLowerCase() as Address,
    buyToken: request.buyToken.toLowerCase() as Address,
    exactOut: sellAmount === undefined,
    amount: sellAmount ?? buyAmount ?? 0n,
    taker: request.taker,
    slippageBps: BigInt(slippageBps),
    hiddenBps: 0n,
  }
  const book = books.on(network)
  return offer(clock, book, wanted, await price(nodes.get(network).rpc, book, wanted))
}

interface QuoteTerms {
  sellToken: Address
  buyToken: Address
  exactOut: boolean
  /** Of the sold token, or with `exactOut` of the bought one. */
  amount: bigint
  taker: Address
  slippageBps: bigint
  /** By how many basis points it is quoted with a narrower spread than the exchange has. */
  hiddenBps: bigint
}

/** The amount of the other side, from the exchange. */
async function price(rpc: Rpc, book: NetworkBook, wanted: QuoteTerms): Promise<bigint> {
  const functionName = wanted.exactOut ? 'quoteExactOut' : 'quoteExactIn'
  const data = encodeFunctionData({
    abi: exchangeAbi,
    functionName,
    args: [wanted.sellToken, wanted.buyToken, wanted.amount],
  })
  const call = [{ to: book.exchange, data }, 'latest']
  const overrides =
    wanted.hiddenBps === 0n ? [] : [await narrowed(rpc, book.exchange, wanted.hiddenBps)]
  const returned = await rpc.request<Hex>('eth_call', [...call, ...overrides])
  return decodeFunctionResult({ abi: exchangeAbi, functionName, data: returned })
}

/** The exchange with a narrower spread, as a state override. The spread is its first storage variable. */
async function narrowed(rpc: Rpc, exchange: Address, byBps: bigint) {
  const slot = toHex(0, { size: 32 })
  const spread = BigInt(await rpc.request<Hex>('eth_getStorageAt', [exchange, slot, 'latest']))
  const narrow = atLeastUsual(spread - byBps)
  return { [exchange]: { stateDiff: { [slot]: toHex(narrow, { size: 32 }) } } }
}

function offer(clock: Clock, book: NetworkBook, wanted: QuoteTerms, other: bigint): QuoteAnswer {
  const { sellToken, buyToken, exactOut, slippageBps, taker } = wanted
  const [sellAmount, buyAmount] = exactOut ? [other, wanted.amount] : [wanted.amount, other]
  const minBuyAmount = exactOut ? buyAmount : (buyAmount * (10_000n - slippageBps)) / 10_000n
  const maxSellAmount = exactOut
    ? ceilDiv(sellAmount * (10_000n + slippageBps), 10_000n)
    : sellAmount
  const data = exactOut
    ? encodeFunctionData({
        abi: exchangeAbi,
        functionName: 'swapExactOut',
        args: [sellToken, buyToken, buyAmount, maxSellAmount, taker],
      })
    : encodeFunctionData({
        abi: exchangeAbi,
        functionName: 'swapExactIn',
        args: [sellToken, buyToken, sellAmount, minBuyAmount, taker],
      })
  const expiresAt = unixSeconds(clock) + quoteLifetime
  return {
    quoteId: keccak256(toHex(`${book.chainId}/${expiresAt}/${data}`)),
    chainId: book.chainId,
    price: unitPrice(book, wanted, sellAmount, buyAmount),
    sellToken,
    buyToken,
    sellAmount: sellAmount.toString(),
    buyAmount: buyAmount.toString(),
    minBuyAmount: minBuyAmount.toString(),
    maxSellAmount: maxSellAmount.toString(),
    allowanceTarget: book.exchange,
    transaction: {
      to: book.exchange,
      data,
      value: (sellToken === nativeToken ? maxSellAmount : 0n).toString(),
      gas: '300000',
    },
    sources: [{ name: 'svc-sim exchange', proportionBps: '10000' }],
    expiresAt,
  }
}

/** Whole bought tokens per whole sold token with 18 decimals, rounded down. */
function unitPrice(
  book: NetworkBook,
  wanted: QuoteTerms,
  sellAmount: bigint,
  buyAmount: bigint,
): string {
  const scale = (token: Address): bigint =>
    10n ** BigInt(book.tokens.find((t) => t.address === token)?.decimals ?? 18)
  if (sellAmount === 0n) return '0'
  const scaled =
    (buyAmount * scale(wanted.sellToken) * 10n ** 18n) / (sellAmount * scale(wanted.buyToken))
  const text = scaled.toString().padStart(19, '0')
  return `${text.slice(0, -18)}.${text.slice(-18)}`
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

function send(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(text)
}
