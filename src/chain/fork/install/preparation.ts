import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Address, Hex } from 'viem'
import { actors } from '../../../deployments/actors.js'
import type { CometMarket, LeftOut } from '../../../deployments/markets.js'
import type { Node } from '../../rpc/node.js'
import type { AnswerCache } from '../upstream/answerCache.js'

/**
 * The accounts that a fork gets before it is used, and what was detected on it. Depends only on the network at its block and on the offline
 * world, so it is cached with the answers of the block.
 */
export interface Preparation {
  /** Accounts that differ from the network. */
  accounts: Record<Address, SavedAccount>
  leftOut: readonly LeftOut[]
  comets: readonly CometMarket[]
  /** The spoke pool's variable of fills, and its slot of the next deposit (see `PoolLayout`). */
  fillsVariable: number | undefined
  nextDeposit?: bigint | undefined
  /** Remarks for the user of the fork. */
  remarks: readonly string[]
}

/** As `anvil_dumpState` writes it. */
export interface SavedAccount {
  nonce: number
  balance: Hex
  code: Hex
  storage: Record<Hex, Hex>
}

/**
 * The cached preparation with this version of the offline world; undefined when there is none.
 *
 * @param orAny Accepts another version: a continued chain keeps the preparation of its first start.
 */
export function cachedPreparation(
  cache: Pick<AnswerCache, 'get' | 'entries'>,
  worldHash: string,
  orAny: boolean,
) {
  const exact = cache.get(keyOf(worldHash))
  const text = exact === undefined && orAny ? anyIn(cache) : exact
  return typeof text === 'string' ? (JSON.parse(text, revive) as Preparation) : undefined
}

export function cachePreparation(
  cache: Pick<AnswerCache, 'add'>,
  worldHash: string,
  preparation: Preparation,
): void | Promise<void> {
  return cache.add(keyOf(worldHash), JSON.stringify(preparation, replace))
}

/** Increment when preparations change. */
const edition = 1

function keyOf(worldHash: string): string {
  return `preparation ${edition} with world ${worldHash}`
}

function anyIn(cache: Pick<AnswerCache, 'entries'>): unknown {
  for (const [key, value] of cache.entries()) if (key.startsWith(keyOf(''))) return value
  return undefined
}

/** A bigint as text in JSON ends with n; no other text here has this form. */
function replace(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function revive(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
}

/** Accounts that the protocol writes with every block, or that every start sets up. */
const passing: readonly string[] = [
  `0x${'0'.repeat(40)}`,
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  ...Object.values(actors).map((address) => address.toLowerCase()),
]

/** The changed accounts of a forked node, without those that were only read. Sorted keys, so that equal states give equal text. */
export async function changedAccounts({ rpc }: Node): Promise<Preparation['accounts']> {
  const dump = await rpc.request<Hex>('anvil_dumpState')
  const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))
  const { accounts } = JSON.parse(text.toString('utf8')) as Pick<Preparation, 'accounts'>
  const changed = Object.entries(accounts).filter(([address]) => !passing.includes(address))
  return sorted(
    changed.map(([address, { nonce, balance, code, storage }]) => [
      address,
      { nonce, balance, code, storage: sorted(Object.entries(storage)) },
    ]),
  )
}

function sorted<Value>(entries: [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Parallel reads. More would open more connections from the node to the proxy, which cost more than they save. */
const lanes = 6

/** Sets these accounts on a forked node without mining a block. */
export async function giveAccounts(
  { rpc }: Node,
  accounts: Preparation['accounts'],
): Promise<void> {
  // `anvil_loadState` reads the present accounts one by one, so read them in parallel first.
  const addresses = Object.keys(accounts)
  const look = async (lane: number): Promise<void> => {
    for (let i = lane; i < addresses.length; i += lanes)
      await rpc.request('eth_getBalance', [addresses[i], 'latest'])
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => look(lane)))
  const state = { block: null, accounts, best_block_number: null, blocks: [], transactions: [] }
  const text = Buffer.from(JSON.stringify(state)).toString('hex')
  await rpc.request('anvil_loadState', [`0x${text}`])
}
