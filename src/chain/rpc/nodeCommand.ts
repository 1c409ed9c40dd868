import type { Hex } from 'viem'

/** What a node was asked to do, as the log has it. JSON-safe. */
export interface NodeCommand {
  method: string
  params: unknown
  /** Time of the block that it makes, in Unix seconds; absent when it makes none. */
  at?: number
  /** Hash of the block that it found. */
  on?: Hex
}

/** Sends transactions that share a block. The simulator's own: the node does not have it, and nobody else may send it. */
export const sharedBlockMethod = 'svcsim_sendTransactionsSync'

/**
 * What a JSON-RPC method does to a node, for the log of its commands:
 * `read` changes nothing; `write` changes the state at once, `settings` how the node works from then on, `time` its clock; `send`
 * adds a transaction, `mine` one block; `beyond` is what cannot be done again from a log.
 */
export type CommandKind = 'read' | 'write' | 'settings' | 'time' | 'send' | 'mine' | 'beyond'

/** By the name without its family (`anvil_`, `hardhat_`, `evm_`, `tenderly_`), in lower case. */
const named: Readonly<Record<string, CommandKind>> = {
  snapshot: 'read',
  metadata: 'read',
  nodeinfo: 'read',
  dumpstate: 'read',
  setloggingenabled: 'read',
  enabletraces: 'read',
  impersonateaccount: 'settings',
  stopimpersonatingaccount: 'settings',
  autoimpersonateaccount: 'settings',
  setautomine: 'settings',
  setnextblockbasefeepergas: 'settings',
  increasetime: 'time',
  settime: 'time',
  setnextblocktimestamp: 'time',
  setblocktimestampinterval: 'time',
  removeblocktimestampinterval: 'time',
  // Only accounts, and only from here: users are refused.
  loadstate: 'write',
  mine: 'mine',
  revert: 'beyond',
  reset: 'beyond',
  reorg: 'beyond',
  rollback: 'beyond',
  setrpcurl: 'beyond',
  setintervalmining: 'beyond',
}

/** The kind of a request. What is not known changes something, since logging a read does no harm. */
export function commandKind(method: string, params: unknown): CommandKind {
  const lower = method.toLowerCase()
  if (/^(eth|wallet|svcsim)_send/.test(lower)) return 'send'
  const [, name] = /^(?:anvil|hardhat|evm|tenderly)_(.+)$/.exec(lower) ?? []
  if (name === undefined) return 'read'
  if (name.startsWith('get')) return 'read'
  const kind = named[name] ?? 'write'
  return kind === 'mine' && !minesOne(lower, params) ? 'beyond' : kind
}

/** `anvil_mine [blocks, interval]`, `evm_mine [time | { timestamp, blocks }]`: one block, at no time of its own. */
function minesOne(method: string, params: unknown): boolean {
  const given = (Array.isArray(params) ? (params as unknown[]) : []).filter((each) => each != null)
  if (given.length === 0) return true
  return method !== 'evm_mine' && given.length === 1 && Number(given[0]) === 1
}
