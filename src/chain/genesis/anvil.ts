import { gunzipSync } from 'node:zlib'
import type { Hex } from 'viem'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { spawnAnvil } from '../process/anvil.js'
import { socketPlace, unreachableHost } from '../process/unreachable.js'
import type { Node } from '../rpc/node.js'
import { createLifecycle } from '../rpc/nodeLifecycle.js'
import { createSocketRpc } from '../rpc/rpc.js'

/** The time of the offline world's first block: 2025-01-01T00:00:00Z in Unix seconds. */
export const genesisTimestamp = 1_735_689_600

/** A node for building or checking a world. Accepts transactions from any sender. */
export interface WorldNode extends Node {
  stop(): Promise<void>
}

/**
 * Starts one anvil for the build and for tests. With `loadState` it continues that state file; without, it is empty, with the first block at
 * `genesisTimestamp` and one second per block, so that a build repeats exactly.
 */
export async function startWorldNode(
  network: NetworkName,
  options: { loadState?: string } = {},
): Promise<WorldNode> {
  const { chainId } = networkOf(network)
  const { loadState } = options
  const place = socketPlace()
  const socket = place.of(network)
  const anvil = spawnAnvil({
    chainId,
    host: await unreachableHost(),
    socket,
    ...(loadState ? { loadState } : {}),
    args: ['--auto-impersonate', ...(loadState ? [] : ['--timestamp', String(genesisTimestamp)])],
  })
  const killWithParent = () => {
    void anvil.stop()
    place.remove()
  }
  process.once('exit', killWithParent)
  const died = anvil.exited.then(({ code, lastWords }) => {
    throw new Error(`anvil for ${network} ended with code ${code}: ${lastWords}`)
  })
  // Handle the rejection; later exits are expected.
  died.catch(() => {})
  await Promise.race([anvil.listening, died])
  const rpc = createSocketRpc(`The ${network} node`, socket)
  if (!loadState) await rpc.request('anvil_setBlockTimestampInterval', [1])
  const stop = () => {
    process.removeListener('exit', killWithParent)
    rpc.close()
    return anvil.stop().finally(place.remove)
  }
  return { network, chainId, rpc, socket, lifecycle: createLifecycle(anvil.pid!), stop }
}

interface Account {
  nonce: number
  balance: string
  code: string
  storage: Record<string, string>
}

/** The relevant part of anvil's state file. */
interface StateFile {
  accounts: Record<string, Account>
  best_block_number: number | string
  blocks: { header: { number: string } }[]
  transactions: unknown[]
  [key: string]: unknown
}

/** The contract with the hashes of earlier blocks (EIP-2935). Every block calls it first. */
const blockHashHistory = '0x0000f90827f1c53a10cb7a02335b175320002935'

/**
 * Replaces the protocol's code, which has a slot for each of the last 8,191 blocks. anvil goes through all slots for every transaction,
 * which took four times as long after 8,000 blocks. This code stores nothing (calls of the system, 0xff…fe, do nothing) and returns
 * BLOCKHASH, which covers 256 blocks; like the original, it reverts for older ones.
 *
 * caller == system ? stop; calldatasize != 32 ? revert; hash := blockhash(calldata); hash == 0 ? revert; return hash
 */
const slotlessHistory =
  '0x3373fffffffffffffffffffffffffffffffffffffffe146033576020360360' +
  '2f575f35408015602f575f5260205ff35b5f5ffd5b00'

/**
 * The node's state as text for `anvil --load-state`: accounts without empty parts, since every slot slows down all later transactions, and
 * the newest block, which anvil requires. Sorted keys, so that equal states give equal text.
 */
export async function dumpState(node: Node): Promise<string> {
  const dump = await node.rpc.request<Hex>('anvil_dumpState')
  const full = JSON.parse(
    gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8'),
  ) as StateFile
  const best = BigInt(full.best_block_number)
  const slim = {
    ...full,
    accounts: withoutEmpty(full.accounts),
    blocks: full.blocks.filter((block) => BigInt(block.header.number) === best),
    transactions: [],
  }
  if (slim.blocks.length !== 1)
    throw new Error(`anvil's dump has ${slim.blocks.length} blocks of number ${best}, expected one`)
  return JSON.stringify(sortKeys(slim))
}

/** Removes empty slots and accounts, which read like missing ones. */
function withoutEmpty(accounts: Record<string, Account>): Record<string, Account> {
  const kept = Object.entries(accounts)
    .map(([address, account]) => {
      const slots = Object.entries(account.storage).filter(([, value]) => BigInt(value) !== 0n)
      return address.toLowerCase() === blockHashHistory
        ? ([address, { ...account, code: slotlessHistory, storage: {} }] as const)
        : ([address, { ...account, storage: Object.fromEntries(slots) }] as const)
    })
    .filter(([, account]) => !isEmpty(account))
  return Object.fromEntries(kept)
}

function isEmpty({ nonce, balance, code, storage }: Account): boolean {
  return nonce === 0 && BigInt(balance) === 0n && code === '0x' && Object.keys(storage).length === 0
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
