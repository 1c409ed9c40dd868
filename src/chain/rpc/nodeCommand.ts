import type { Hex } from 'viem'

/** A command for a node, as the log has it. JSON-safe. */
export interface NodeCommand {
  method: string
  params: unknown
  /** Time of the block that it mines, in Unix seconds; absent when it mines none. */
  at?: number
  /** Hash of the latest block before it. */
  on?: Hex
}

/** Sends transactions that share a block. A method of the simulator that nodes do not have, and that only the service may use. */
export const sharedBlockMethod = 'svcsim_sendTransactionsSync'

/**
 * The effect of a JSON-RPC method on a node, for the command log: `read` changes nothing, `write` the state at once, `settings` how the
 * node works from then on, `time` its clock; `send` adds a transaction, `mine` one block; `beyond` cannot be replayed from a log.
 */
export type CommandKind = 'read' | 'write' | 'settings' | 'time' | 'send' | 'mine' | 'beyond'

/** By method name in lower case, without its prefix (`anvil_`, `hardhat_`, `evm_`, `tenderly_`). */
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
  // The simulator itself loads only accounts; clients may not call it.
  loadstate: 'write',
  mine: 'mine',
  revert: 'beyond',
  reset: 'beyond',
  reorg: 'beyond',
  rollback: 'beyond',
  setrpcurl: 'beyond',
  setintervalmining: 'beyond',
}

/** The kind of a request. Unknown methods count as changes, since logging a read does no harm. */
export function commandKind(method: string, params: unknown): CommandKind {
  const lower = method.toLowerCase()
  if (/^(eth|wallet|svcsim)_send/.test(lower)) return 'send'
  const [, name] = /^(?:anvil|hardhat|evm|tenderly)_(.+)$/.exec(lower) ?? []
  if (name === undefined) return 'read'
  if (name.startsWith('get')) return 'read'
  const kind = named[name] ?? 'write'
  return kind === 'mine' && !minesOne(lower, params) ? 'beyond' : kind
}

/** Whether `anvil_mine [blocks, interval]` or `evm_mine [time | { timestamp, blocks }]` mines one block without a given time. */
function minesOne(method: string, params: unknown): boolean {
  const given = (Array.isArray(params) ? (params as unknown[]) : []).filter((each) => each != null)
  if (given.length === 0) return true
  return method !== 'evm_mine' && given.length === 1 && Number(given[0]) === 1
}
