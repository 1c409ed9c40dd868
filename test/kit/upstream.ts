import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Anvil, createAnvil } from '@viem/anvil'
import type { Address, Hex } from 'viem'
import { artifact, place } from '../../src/chain/genesis/contracts.js'
import { worldFiles } from '../../src/chain/genesis/load.js'
import { feedsOf } from '../../src/chain/genesis/protocols/feeds.js'
import { anvilBinary } from '../../src/chain/process/anvil.js'
import type { Node } from '../../src/chain/rpc/node.js'
import { createLifecycle } from '../../src/chain/rpc/nodeLifecycle.js'
import type { Rpc } from '../../src/chain/rpc/rpc.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook, type NetworkBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkOf } from '../../src/deployments/networks.js'
import { svcAddresses } from '../../src/generated/svc.js'
import { createRpc } from './httpRpc.js'

/**
 * A chain to fork from, started by `@viem/anvil`: nothing of the product runs it. It has the protocols of the offline world, but
 * none of the simulator's own contracts, feeds of another maker, and whatever a test does to it before it is forked.
 */
export interface Upstream extends AsyncDisposable {
  /** What to fork from; it has a key in its query. */
  url: string
  book: NetworkBook
  rpc: Rpc
  /** As the product's helpers for nodes want it. */
  node: Node
  /** The methods that were asked through `url`, in order. */
  asked: string[]
  /**
   * What it answers from now on: as it should; nothing; text that is no JSON-RPC; for a number of times HTTP 429, or a broken
   * connection; as it should for a number of times and then no more; or no storage slot until so many are waited for
   * side by side, and then as it should.
   */
  mood:
    | 'well'
    | 'silent'
    | 'broken'
    | { busyFor: number }
    | { cutFor: number }
    | { together: number }
    | { wellFor: number }
  /** Changes what it answers; a text is sent as it is. */
  lie: ((answer: RpcReply, call: RpcCall) => unknown) | undefined
  /** Methods that it does not know, as most endpoints do not know all of them. */
  unknown: string[]
  /** Places a feed of another maker at every feed of that price. USD with 8 decimals. */
  setPrice(base: string, usdE8: bigint): Promise<void>
  stop(): Promise<void>
}

/** What an endpoint is asked. */
export interface RpcCall {
  method: string
  params: unknown[]
}

/** And what it answers. */
export interface RpcReply {
  id: number
  result?: unknown
}

// What forks keep is for this test file alone: chains of tests may have the same blocks and other states.
process.env.XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), 'cache-'))

export const upstreamKey = 'k3y-that-nobody-may-see'

/** `time` is that of its latest block, in Unix seconds; the machine's when absent. */
export async function startUpstream(
  network: NetworkName,
  { time }: { time?: number } = {},
): Promise<Upstream> {
  const anvil = await startAnvil(network, time)
  const inner = `http://127.0.0.1:${anvil.port}`
  const rpc = createRpc(inner)
  const book = loadAddressBook().on(network)
  const { scripts, ...contracts } = svcAddresses
  for (const address of [
    ...Object.values(contracts),
    ...Object.values(scripts),
    book.multicall3,
    book.cometLens,
    book.morphoLens,
    book.aaveLens,
    book.vaultLens,
    book.rewardsLens,
    book.nonceLens,
    ...(book.morphoRewards ? [book.morphoRewards.grants] : []),
  ])
    await rpc.request('anvil_setCode', [address, '0x'])
  await rpc.request('anvil_impersonateAccount', [actors.admin])
  await rpc.request('evm_mine')
  const upstream: DoorState = { asked: [], mood: 'well', unknown: [], lie: undefined }
  const door = await openDoor(inner, upstream)
  const node = { network, chainId: networkOf(network).chainId, rpc, socket: '' }
  const stop = async () => {
    door.close()
    rpc.close()
    await anvil.stop()
  }
  return Object.assign(upstream, {
    url: `${door.url}/?key=${upstreamKey}`,
    book,
    rpc,
    node: { ...node, lifecycle: createLifecycle(0) },
    async setPrice(base: string, usdE8: bigint) {
      const feeds = feedsOf(book).filter((feed) => feed.base === base && feed.quote === undefined)
      for (const { address } of feeds)
        await rpc.request('anvil_setCode', [address, foreignFeed(usdE8)])
    },
    stop,
    [Symbol.asyncDispose]: stop,
  })
}

async function startAnvil(network: NetworkName, time: number | undefined): Promise<Anvil> {
  const anvil = createAnvil({
    anvilBinary: anvilBinary(),
    chainId: networkOf(network).chainId,
    loadState: worldFiles().files[network],
    port: await freePort(),
    accounts: 1,
    pruneHistory: 64,
    timestamp: time,
  })
  await anvil.start()
  return anvil
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

type DoorState = Pick<Upstream, 'asked' | 'mood' | 'unknown' | 'lie'>

/** What stands between the fork and the chain: writes down what is asked, and fails as it is told. */
async function openDoor(inner: string, upstream: DoorState) {
  const waiting: (() => void)[] = []
  const pass = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await text(req)
    for (const call of [JSON.parse(body)].flat()) upstream.asked.push(call.method)
    let { mood } = upstream
    if (typeof mood === 'object' && 'wellFor' in mood && mood.wellFor-- <= 0)
      mood = upstream.mood = 'broken'
    if (mood === 'silent') return
    const { id, method } = JSON.parse(body)
    if (upstream.unknown.includes(method)) {
      const error = { code: -32601, message: `the method ${method} does not exist` }
      res.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      return
    }
    const slots = slotsIn(body)
    if (slots > 0 && typeof mood === 'object' && 'together' in mood) {
      mood.together -= slots
      const gone = new Promise<void>((resolve) => waiting.push(resolve))
      if (mood.together <= 0) {
        upstream.mood = 'well'
        for (const go of waiting.splice(0)) go()
      }
      await gone
    }
    if (mood === 'broken') {
      res.writeHead(500).end(`overloaded; your key ${upstreamKey}`)
    } else if (typeof mood === 'object' && 'busyFor' in mood && mood.busyFor-- > 0) {
      res.writeHead(429).end()
    } else if (typeof mood === 'object' && 'cutFor' in mood && mood.cutFor-- > 0) {
      req.socket.destroy()
    } else {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(inner, { method: 'POST', headers, body })
      const own = await answer.text()
      const said = upstream.lie ? await upstream.lie(JSON.parse(own), JSON.parse(body)) : own
      const told = typeof said === 'string' ? said : JSON.stringify(said)
      res.writeHead(answer.status, headers).end(told)
    }
  }
  // Who asks, or the chain behind it, may be gone in the middle of it.
  const server = createServer((req, res) => void pass(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** How many storage slots a body asks for: by itself, or as words of a call that reads them. */
function slotsIn(body: string): number {
  const { method, params } = JSON.parse(body)
  if (method === 'eth_getStorageAt') return 1
  if (method !== 'eth_call' || !params[2]) return 0
  const accounts = Object.keys(params[2]).length - 1
  return (params[0].data.length - 2) / 64 - 2 * accounts
}

/** Runtime code of a price feed, written by hand: `decimals` 8, `latestRoundData`, and the price for anything else. */
function foreignFeed(usdE8: bigint): Hex {
  const price = usdE8.toString(16).padStart(64, '0')
  const dispatch = '60003560e01c' // the selector
  const decimals = '8063313ce56714603e57'
  const rounds = '8063feaf968c14604857'
  const plain = `7f${price}60005260206000f3`
  const atDecimals = '5b600860005260206000f3'
  const start = (dispatch.length + decimals.length + rounds.length + plain.length) / 2
  const places = [start, start + atDecimals.length / 2].map((at) =>
    at.toString(16).padStart(2, '0'),
  )
  const atRounds = `5b60016000527f${price}6020524260405242606052600160805260a06000f3`
  return `0x${dispatch}${decimals.replace('3e57', `${places[0]}57`)}${rounds.replace('4857', `${places[1]}57`)}${plain}${atDecimals}${atRounds}`
}

/** A pool that keeps no deposits, as the networks' own: ours has a slot for each, which no recording can know. */
export async function placeMakersPool({ node, book }: Upstream): Promise<void> {
  const { address } = book.tokens.find(({ symbol }) => symbol === book.wrappedNativeSymbol)!
  await place(node, book.spokePool, artifact('ForgetfulSpokePool'), [address, actors.admin])
}

/** Balance of a token in another chain's storage, to see that nothing moved there. */
export async function upstreamBalance(
  { rpc }: Upstream,
  token: Address,
  account: Address,
): Promise<bigint> {
  const data = `0x70a08231${account.slice(2).padStart(64, '0')}`
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest']))
}
