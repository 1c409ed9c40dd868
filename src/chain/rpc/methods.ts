/**
 * What a method does to a node: `read` changes nothing, `write` the state at once, `settings` how the node works from then on, `time` its
 * clock; `send` adds a transaction, `mine` a block; `beyond` cannot be replayed from a log.
 */
export type MethodEffect = 'read' | 'write' | 'settings' | 'time' | 'send' | 'mine' | 'beyond'

/** How a request shares the node with others; see `Gate`. */
type Turn = 'snapshot' | 'revert' | 'takeBack' | 'between blocks' | 'shared block' | 'mining mode'

/** The facts about one method. Everything that depends on the name of a method is in this table. */
export interface Method {
  /** As in the table: without a prefix for the methods that a node knows as `anvil_`, `hardhat_`, `evm_` and `tenderly_`. */
  readonly name: string
  readonly effect: MethodEffect
  /** Reads and changes that need not be alone have no turn. */
  readonly turn?: Turn
  /** Whether its effect survives a revert, and so a reset. */
  readonly lasts?: true
  /** What it writes to the state without a transaction, which a reorganisation would lose. */
  readonly writes?: 'balance' | 'state'
  /** What a client is to use instead; clients may not call it. */
  readonly instead?: string
  /** Whether it only makes sense on a WebSocket. */
  readonly onSocket?: true
  /** Whether it is answered only when its transaction is mined. */
  readonly waitsForBlock?: true
  /** Whether empty blocks leave its answer the same. */
  readonly isTimeless?: true
  /** The subject of its answer, which is cached while nothing changes. */
  readonly cached?: 'height' | 'latest block' | 'next block'
  /** Makes an id that only this process of the node knows, or takes one. */
  readonly id?: 'makes filter' | 'takes filter'
  /** Which of its parameters the proxy bounds. */
  readonly bound?: 'gas' | 'trace' | 'simulation' | 'history' | 'search' | 'fee' | 'mine' | 'actor'
}

/** Sends transactions that share a block. A method of the simulator that nodes do not have, and that only the service may use. */
export const sharedBlockMethod = 'svcsim_sendTransactionsSync'

export const toClock =
  'the time of all chains is one clock: POST /_sim/clock/advance {"seconds": N}, /_sim/clock/freeze or /_sim/clock/resume'
const toMining =
  'every transaction is mined at once: the fault {"on": "chain", "effect": "halt"} stops a network, "execute" with "stuck" one transaction'
const toReset =
  'POST /_sim/reset takes the service and all chains back to the start, POST /_sim/snapshots keeps a moment to go back to'
const toFork = 'forks are chosen at the start: --fork NET=URL'
const noOther = 'it belongs to the network, and nothing changes it'
const toJournal = 'what the nodes log is not shown anywhere;'

type Row = Omit<Method, 'name'>

const [read, send] = [{ effect: 'read' }, { effect: 'send' }] as const
const write = { effect: 'write', writes: 'state' } as const
const balance = { effect: 'write', writes: 'balance' } as const
const lastingWrite = { effect: 'write', lasts: true } as const
const lastingSetting = { effect: 'settings', lasts: true } as const
const time = { effect: 'time', instead: toClock } as const
const takesFilter = { effect: 'read', id: 'takes filter' } as const
const makesFilter = { effect: 'read', id: 'makes filter' } as const
const call = { effect: 'read', bound: 'gas' } as const
const trace = { effect: 'read', turn: 'between blocks' } as const

/** Methods that a node knows under several prefixes. */
const ofNodes: Readonly<Record<string, Row>> = {
  snapshot: { effect: 'read', turn: 'snapshot' },
  revert: { effect: 'beyond', turn: 'revert' },
  reorg: { effect: 'beyond', turn: 'takeBack' },
  rollback: { effect: 'beyond', turn: 'takeBack' },
  reset: { effect: 'beyond', lasts: true, instead: toReset },
  setRpcUrl: { effect: 'beyond', lasts: true, instead: toFork },
  setIntervalMining: { effect: 'beyond', turn: 'mining mode', lasts: true, instead: toMining },
  setAutomine: { effect: 'settings', turn: 'mining mode', instead: toMining },
  getAutomine: { effect: 'read', turn: 'mining mode', isTimeless: true },
  mine: { effect: 'mine', bound: 'mine' },
  mine_detailed: { effect: 'mine', bound: 'mine' },
  increaseTime: time,
  setTime: time,
  setNextBlockTimestamp: time,
  setBlockTimestampInterval: time,
  removeBlockTimestampInterval: time,
  setNextBlockBaseFeePerGas: { effect: 'settings', bound: 'fee' },
  impersonateAccount: { ...lastingSetting, bound: 'actor' },
  stopImpersonatingAccount: lastingSetting,
  autoImpersonateAccount: lastingSetting,
  setBalance: balance,
  addBalance: balance,
  setCode: write,
  setNonce: write,
  setAccountNonce: write,
  setStorageAt: write,
  setErc20Balance: balance,
  setErc20Allowance: write,
  deal: balance,
  dealErc20: balance,
  dropTransaction: { effect: 'write' },
  dropAllTransactions: { effect: 'write' },
  removePoolTransactions: { effect: 'write' },
  // The simulator itself loads only accounts.
  loadState: { ...lastingWrite, instead: toReset },
  setChainId: { ...lastingWrite, instead: noOther },
  setBlockGasLimit: { ...lastingWrite, instead: noOther },
  setMinGasPrice: {
    ...lastingWrite,
    instead: 'set the base fee with anvil_setNextBlockBaseFeePerGas',
  },
  setLoggingEnabled: {
    effect: 'read',
    lasts: true,
    instead: `${toJournal} GET /_sim/journal has the exchanges`,
  },
  enableTraces: {
    effect: 'read',
    lasts: true,
    instead: `${toJournal} debug_traceTransaction traces`,
  },
  nodeInfo: { effect: 'read', turn: 'between blocks' },
  metadata: read,
  dumpState: read,
}

/** Methods with one name. */
const others: Readonly<Record<string, Row>> = {
  eth_chainId: { effect: 'read', isTimeless: true },
  eth_accounts: { effect: 'read', isTimeless: true },
  net_version: { effect: 'read', isTimeless: true },
  eth_sendTransaction: send,
  eth_sendTransactionSync: { effect: 'send', waitsForBlock: true },
  eth_sendRawTransaction: send,
  eth_sendRawTransactionSync: { effect: 'send', waitsForBlock: true },
  eth_sendUnsignedTransaction: send,
  wallet_sendTransaction: send,
  [sharedBlockMethod]: { effect: 'send', turn: 'shared block' },
  eth_newFilter: makesFilter,
  eth_newBlockFilter: makesFilter,
  eth_newPendingTransactionFilter: makesFilter,
  eth_getFilterChanges: takesFilter,
  eth_getFilterLogs: takesFilter,
  eth_uninstallFilter: takesFilter,
  eth_subscribe: { effect: 'read', onSocket: true },
  eth_unsubscribe: { effect: 'read', onSocket: true },
  eth_blockNumber: { effect: 'read', cached: 'height' },
  eth_getBlockByNumber: { effect: 'read', cached: 'latest block' },
  eth_call: { ...call, cached: 'next block' },
  eth_estimateGas: call,
  eth_createAccessList: call,
  eth_simulateV1: { effect: 'read', bound: 'simulation' },
  eth_feeHistory: { effect: 'read', bound: 'history' },
  ots_searchTransactionsBefore: { effect: 'read', bound: 'search' },
  debug_traceCall: { effect: 'read', bound: 'trace' },
  debug_traceTransaction: trace,
  debug_traceBlock: trace,
  debug_traceBlockByHash: trace,
  debug_traceBlockByNumber: trace,
}

/** `anvil_mine` -> `mine`; undefined for the other families. */
const ownName = (lower: string): string | undefined =>
  /^(?:anvil|hardhat|evm|tenderly)_(.+)$/.exec(lower)?.[1]

const tableOf = (rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Method> =>
  new Map(Object.entries(rows).map(([name, row]) => [name.toLowerCase(), { name, ...row }]))
const [nodeMethods, otherMethods] = [tableOf(ofNodes), tableOf(others)]

/** Unknown methods of nodes count as changes, since logging a read does no harm. */
function unknown(name: string, own: string | undefined): Method {
  if (own !== undefined && !own.startsWith('get'))
    return { name: own, effect: 'write', lasts: true }
  return { name: own ?? name, effect: /^(eth|wallet|svcsim)_send/.test(name) ? 'send' : 'read' }
}

/** The row of a method. Case does not matter. */
export function methodOf(method: string): Method {
  const lower = method.toLowerCase()
  const own = ownName(lower)
  const known = own === undefined ? otherMethods.get(lower) : nodeMethods.get(own)
  return known ?? unknown(lower, own)
}

export const isRead = (method: string): boolean => methodOf(method).effect === 'read'

/** Whether a method takes blocks back. */
export const takesBack = ({ turn }: Method): boolean => turn === 'revert' || turn === 'takeBack'

/** What a request does: unlike that of others, the effect of `anvil_mine` and its like depends on the parameters. */
export function methodEffect(method: string, params: unknown): MethodEffect {
  const { effect } = methodOf(method)
  return effect === 'mine' && !minesOne(method.toLowerCase(), params) ? 'beyond' : effect
}

/** Whether `anvil_mine [blocks, interval]` or `evm_mine [time | { timestamp, blocks }]` mines one block without a given time. */
function minesOne(method: string, params: unknown): boolean {
  const given = (Array.isArray(params) ? (params as unknown[]) : []).filter((each) => each != null)
  if (given.length === 0) return true
  return !method.startsWith('evm_') && given.length === 1 && Number(given[0]) === 1
}
