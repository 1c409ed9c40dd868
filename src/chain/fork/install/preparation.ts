import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Address, Hex } from 'viem'
import { actors } from '../../../deployments/actors.js'
import type { CometMarket, LeftOut } from '../../../deployments/markets.js'
import type { Node } from '../../rpc/node.js'
import type { AnswerCache } from '../upstream/answerCache.js'

/**
 * What a network is given before it is used, and what was found out about it then. It depends on nothing but the network at its block and
 * the offline world from which the simulator's own contracts come, so it is kept with the answers and never made twice.
 */
export interface Preparation {
  /** What stands otherwise than on the network itself. */
  accounts: Record<Address, SavedAccount>
  leftOut: readonly LeftOut[]
  comets: readonly CometMarket[]
  /** State variable of the spoke pool that holds what was filled, and where it keeps the next deposit (see `PoolLayout`). */
  fillsVariable: number | undefined
  nextDeposit?: bigint | undefined
  /** Remarks for the user of the fork. */
  remarks: readonly string[]
}

/** An account in a state file, as `anvil_dumpState` writes it. */
export interface SavedAccount {
  nonce: number
  balance: Hex
  code: Hex
  storage: Record<Hex, Hex>
}

/**
 * The preparation that is kept for this version of the offline world; undefined when there is none.
 *
 * @param orAny Whether one of another version will do: for a chain that was given that one and goes on.
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

/** Keeps it with the answers of the block. */
export function cachePreparation(
  cache: Pick<AnswerCache, 'add'>,
  worldHash: string,
  preparation: Preparation,
): void | Promise<void> {
  return cache.add(keyOf(worldHash), JSON.stringify(preparation, replace))
}

/** Raised when preparations are made otherwise. */
const edition = 1

function keyOf(worldHash: string): string {
  return `preparation ${edition} with world ${worldHash}`
}

function anyIn(cache: Pick<AnswerCache, 'entries'>): unknown {
  for (const [key, value] of cache.entries()) if (key.startsWith(keyOf(''))) return value
  return undefined
}

/** As text in JSON a bigint ends with n; no other text here is digits and an n. */
function replace(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function revive(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
}

/** What the protocol writes to with every block, and the accounts that every start provides for. */
const passing: readonly string[] = [
  `0x${'0'.repeat(40)}`,
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  ...Object.values(actors).map((address) => address.toLowerCase()),
]

/** What was changed on the node of a fork; what it has only read is not in it. Keys are sorted: the same state is the same text. */
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

/** How many accounts are looked at side by side: each takes a connection of the node to the proxy, which costs more than a look. */
const lanes = 6

/** Gives a forked node these accounts. All else stays as it is, and no block is mined. */
export async function giveAccounts(
  { rpc }: Node,
  accounts: Preparation['accounts'],
): Promise<void> {
  // It looks at what stands there before: here at several at once, and else at one after the other.
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
