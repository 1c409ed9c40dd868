import { gunzipSync } from 'node:zlib'
import type { Hex } from 'viem'
import type { Node } from '../node/node.js'

interface Account {
  nonce: number
  balance: string
  code: string
  storage: Record<string, string>
}

/** The part of anvil's state file that matters here; the rest is passed on as it is. */
interface StateFile {
  accounts: Record<string, Account>
  best_block_number: number | string
  blocks: { header: { number: string } }[]
  transactions: unknown[]
  [key: string]: unknown
}

/** Keeps the hashes of earlier blocks (EIP-2935), a slot for each: of blocks that the loaded chain does not have. */
const blockHashHistory = '0x0000f90827f1c53a10cb7a02335b175320002935'

/**
 * The node's state as text for `anvil --load-state`, slimmed to what a start needs: the accounts without what is empty in them,
 * and the newest block (anvil refuses a file without that). Every slot makes every later transaction a little slower. Keys
 * are sorted, so that equal states give equal text.
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

/** An empty slot reads as one that is not there, and so does an empty account. */
function withoutEmpty(accounts: Record<string, Account>): Record<string, Account> {
  const kept = Object.entries(accounts)
    .map(([address, account]) => {
      const slots = Object.entries(account.storage).filter(([, value]) => BigInt(value) !== 0n)
      const storage = address.toLowerCase() === blockHashHistory ? {} : Object.fromEntries(slots)
      return [address, { ...account, storage }] as const
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
