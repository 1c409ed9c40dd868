import { gunzipSync } from 'node:zlib'
import type { Hex } from 'viem'
import type { Node } from '../node.js'

/** The part of anvil's state file that matters here; the rest is passed on as it is. */
interface StateFile {
  accounts: Record<string, { storage: Record<string, string> }>
  best_block_number: number | string
  blocks: { header: { number: string } }[]
  transactions: unknown[]
  [key: string]: unknown
}

/**
 * The node's state as text for `anvil --load-state`, slimmed to what a start needs: the accounts and the newest block (anvil
 * refuses a file without that). Keys are sorted, so that equal states give equal text.
 */
export async function dumpState(node: Node): Promise<string> {
  const dump = await node.rpc.request<Hex>('anvil_dumpState')
  const full = JSON.parse(
    gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8'),
  ) as StateFile
  const best = BigInt(full.best_block_number)
  const slim = {
    ...full,
    blocks: full.blocks.filter((block) => BigInt(block.header.number) === best),
    transactions: [],
  }
  if (slim.blocks.length !== 1)
    throw new Error(`anvil's dump has ${slim.blocks.length} blocks of number ${best}, expected one`)
  return JSON.stringify(sortKeys(slim))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}
