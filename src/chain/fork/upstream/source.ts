import { setTimeout as pause } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { toHex } from 'viem/utils'
import type { NetworkName } from '../../../deployments/networks.js'
import { NotRecordedError } from '../../rpc/rpc.js'
import type { AnswerCache } from './answerCache.js'
import { createEmptyAccounts } from './emptyAccounts.js'
import { createSlotReader, type ReadSlot } from './slots.js'
import type { Upstream } from './upstream.js'

/** Answers the requests of a forked node from the cache, or else from its upstream. */
export interface ForkSource {
  /** Rejects with a message for the user. */
  answer(method: string, params: readonly unknown[]): Promise<unknown>
  /** The number of state reads without an answer. */
  failed(): number
  /** From now on clients may request transactions from before the fork. The start looks up only its own. */
  started(): void
  /** Tells of slots, from one to another, that only what happens here will ever be written to: the network has nothing there. */
  isOurs(address: string, from: bigint, to: bigint): void
  /**
   * Tells of a sub-account. Its wallet was derived here, so the network has nothing of it; where nothing can be asked, that is the answer to
   * what was never recorded of it.
   */
  isWallet(wallet: string, signer: string): void
  close(): Promise<void>
}

export interface SourceOptions {
  network: NetworkName
  chainId: number
  block: number
  /** The simulator's own accounts, in lower case. They are empty on the network, or do not matter. */
  own: readonly string[]
  cache: AnswerCache
  /** Answers wait for it, and reject if it does. */
  loaded?: Promise<void> | undefined
  /** Absent without an endpoint. */
  upstream: Upstream | undefined
  /** More addresses that are assumed to be empty, or `signers`. */
  assumeEmpty?: readonly string[]
  /** The error for an unrecorded read without an endpoint. */
  notRecorded: NotRecorded
}

export interface NotRecorded {
  runsFrom: string
  cure: string
}

const zeroWord = `0x${'0'.repeat(64)}`

/** An account without transactions and code has empty storage. */
function isUntouched({ nonce, code }: Account): boolean {
  return code === '0x' && BigInt(nonce) === 0n
}

function hasAnything(account: Account | undefined): boolean {
  return account !== undefined && !(isUntouched(account) && BigInt(account.balance) === 0n)
}

/** Whether a block tag is after the fork. The network's later blocks differ from those of the node. */
function isLater(tag: unknown, block: number): boolean {
  return typeof tag === 'string' && tag.startsWith('0x') && Number(tag) > block
}

interface Account {
  balance: string
  nonce: string
  code: string
}

const nothingThere: Account = { balance: '0x0', nonce: '0x0', code: '0x' }

/** Methods that read one part of an account. */
const accountParts: Record<string, keyof Account> = {
  eth_getBalance: 'balance',
  eth_getTransactionCount: 'nonce',
  eth_getCode: 'code',
}

/**
 * A node requests its first account both whole and in parts, and keeps the way that is answered first. Delay the parts, because the whole
 * is one request instead of three. Milliseconds.
 */
const partsLaterMs = 20

/** Lookups by hash, for which null is a valid answer. */
const lookups: readonly string[] = ['eth_getTransactionByHash', 'eth_getTransactionReceipt']

/** Sends each request upstream only once. */
export function createSource(options: SourceOptions): ForkSource {
  const { chainId, block, cache, loaded, upstream, assumeEmpty = [] } = options
  const { once, failed } = createAsker(options)
  const own = new Set(options.own)
  const isOwn = (address: string) => own.has(address) || address.startsWith(originalCodePrefix)
  const pinned = toHex(block)
  const ours = createOwnSlots()
  const recorded = (address: string) => cache.get(`account ${address}`) as Account | undefined
  const empty = createEmptyAccounts(cache, assumeEmpty, (address) => hasAnything(recorded(address)))
  const slots = upstream && createSlotReader(upstream)
  const accounts = upstream && createAccountReader(upstream)
  let isStarting = true

  const tagOf = (tag: unknown): string =>
    tag === undefined || tag === 'latest' || tag === pinned ? pinned : String(tag)
  const keyOf = (what: string, tag: string) => (tag === pinned ? what : `${what} at ${tag}`)

  const slotOf = async (params: readonly unknown[], read: ReadSlot | undefined) => {
    const address = String(params[0]).toLowerCase()
    if (isOwn(address)) return zeroWord
    const slot = toHex(BigInt(String(params[1])), { size: 32 })
    const tag = tagOf(params[2])
    const key = keyOf(`slot ${slot} of ${address}`, tag)
    if (ours.has(address, slot)) return forReplay(cache, key, zeroWord)
    const account = cache.get(keyOf(`account ${address}`, tag)) as Account | undefined
    if (account && isUntouched(account)) return zeroWord
    if (!upstream && cache.get(key) === undefined && empty.hasSlot(address, slot))
      return forReplay(cache, key, zeroWord)
    return once(key, read && (() => read(address, slot, tag)))
  }

  const accountOf = async (params: readonly unknown[]): Promise<Account> => {
    const address = String(params[0]).toLowerCase()
    if (isOwn(address)) return nothingThere
    const tag = tagOf(params[1])
    const key = keyOf(`account ${address}`, tag)
    if (!upstream && cache.get(key) === undefined && empty.has(address))
      return forReplay(cache, key, nothingThere)
    const fetch = accounts && (() => accounts(address, tag))
    return (await once(key, fetch)) as Account
  }

  return {
    async answer(method, params) {
      if (method === 'eth_chainId') return toHex(chainId)
      if (method === 'net_version') return String(chainId)
      if (method === 'eth_blockNumber') return pinned
      await loaded
      if (method === 'eth_getStorageAt') return slotOf(params, slots)
      if (method === 'eth_getAccountInfo') return accountOf(params)
      if (method === 'eth_getBlockByNumber' && isLater(params[0], block)) return null
      const part = accountParts[method]
      if (part) {
        const account = await accountOf(params)
        await pause(partsLaterMs)
        return account[part]
      }
      const key = `${method} ${JSON.stringify(params)}`
      const answer = () => once(key, (from) => from.ask(method, params))
      if (!lookups.includes(method)) return answer()
      // A node looks up its own transactions before it has mined them.
      if (isStarting) return null
      if (!upstream) return cache.get(key) ?? null
      // A recorded data folder works without its endpoint.
      return cache.isForReplay ? answer().catch(() => null) : answer()
    },
    failed,
    started() {
      isStarting = false
    },
    isOurs: ours.add,
    isWallet: empty.announce,
    async close() {
      upstream?.close()
      await cache.close()
    },
  }
}

function createOwnSlots() {
  const single = new Set<string>()
  const ranges: { address: string; from: bigint; to: bigint }[] = []
  return {
    add(address: string, from: bigint, to: bigint): void {
      if (from === to) single.add(`${toHex(from, { size: 32 })} of ${address}`)
      else ranges.push({ address, from, to })
    },
    has(address: string, slot: Hex): boolean {
      if (single.has(`${slot} of ${address}`)) return true
      const at = BigInt(slot)
      return ranges.some((each) => each.address === address && each.from <= at && at <= each.to)
    },
  }
}

/** Records a computed answer if replays need it. */
async function forReplay<T>(cache: AnswerCache, key: string, value: T): Promise<T> {
  if (cache.isForReplay) await cache.add(key, value)
  return value
}

/** Answers from the cache, or from the upstream into the cache. */
function createAsker(options: SourceOptions) {
  const { cache, upstream } = options
  const underWay = new Map<string, Promise<unknown>>()
  let failed = 0
  function once(key: string, fetch: ((upstream: Upstream) => Promise<unknown>) | undefined) {
    const known = cache.get(key)
    if (known !== undefined) return Promise.resolve(known)
    let asking = underWay.get(key)
    if (!asking) {
      asking = Promise.resolve(upstream && fetch ? fetch(upstream) : notRecordedIn(options, key))
        .then(async (value) => {
          if (value !== null) await cache.add(key, value)
          return value
        })
        .catch((error) => {
          // A transaction that is not found changes nothing.
          if (!lookups.some((method) => key.startsWith(method))) failed++
          throw error
        })
        .finally(() => underWay.delete(key))
      underWay.set(key, asking)
    }
    return asking
  }
  return { once, failed: () => failed }
}

/** Reads an account in one request if the endpoint supports it, which the first account shows. */
function createAccountReader(upstream: Upstream) {
  const separately = async (address: string, tag: string): Promise<Account> => {
    const ask = (method: string) => upstream.ask<string>(method, [address, tag])
    const [balance, nonce, code] = await Promise.all([
      ask('eth_getBalance'),
      ask('eth_getTransactionCount'),
      ask('eth_getCode'),
    ])
    return { balance, nonce, code }
  }
  const together = async (address: string, tag: string): Promise<Account> => {
    const params = [address, tag]
    const { balance, nonce, code } = await upstream.ask<Account>('eth_getAccountInfo', params)
    return { balance, nonce, code }
  }
  let hasInfo: Promise<boolean> | undefined
  return async (address: string, tag: string): Promise<Account> => {
    const isFirst = hasInfo === undefined
    const info = isFirst ? together(address, tag) : undefined
    hasInfo ??= info!.then(
      () => true,
      () => false,
    )
    if (!(await hasInfo)) return separately(address, tag)
    return info ?? together(address, tag).catch(() => separately(address, tag))
  }
}

function notRecordedIn({ network, notRecorded }: SourceOptions, key: string): Promise<never> {
  const { runsFrom, cure } = notRecorded
  return Promise.reject(
    new NotRecordedError(
      `${network} runs from ${runsFrom}, in which ${key} was never recorded. ${cure}`,
    ),
  )
}

/** The prefix of addresses that keep the code of moved feeds. Unused on any network. */
const originalCodePrefix = '0x5caa0feed000'

/** The address that keeps the original code of a contract while the simulator replaces it. */
export function originalCodeOf(address: Address): Address {
  return `${originalCodePrefix}${address.slice(originalCodePrefix.length).toLowerCase()}`
}
