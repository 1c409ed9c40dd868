import type { Address, Hex } from 'viem'
import type { LoggedPart } from '../../wal/dataLog.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import type { BareNode } from './bareNode.js'
import type { NodeSettings } from './nodeSettings.js'
import type { PendingReplies } from './pendingReplies.js'

/** What a checkpoint of a node needs. */
interface ContentParts {
  readonly node: BareNode
  readonly settings: NodeSettings
  readonly history: NodeHistory
  readonly pendingReplies: PendingReplies
}

/** The content of a node's checkpoint: its state, and the commands to replay first, for what a state does not have. */
export async function nodeContent(
  parts: ContentParts,
  mark: Parameters<LoggedPart['content']>[0],
): Promise<AsyncIterable<Buffer>> {
  const { node, settings, history } = parts
  const first = [...settings.commands(), await nextFee(node), ...(await waiting(parts))]
  history.cut(first)
  const marked = mark(first)
  const dump = await node.dump()
  await marked
  return withoutTraces(dump.unzipped())
}

/** Restores the base fee of the next block, set by a client or left by blocks that were taken back; a state has only that of the last block. */
async function nextFee(node: BareNode): Promise<NodeCommand> {
  const { baseFeePerGas } = await node.block('pending')
  return { method: 'anvil_setNextBlockBaseFeePerGas', params: [baseFeePerGas] }
}

/** Restores the pool, which a state does not have. */
async function waiting({ node, settings, pendingReplies }: ContentParts): Promise<NodeCommand[]> {
  const all = await poolCommands(node, settings.sent)
  settings.onlyWaiting(all.map(({ by, command }) => by ?? command))
  for (const { by, command } of all) if (by) pendingReplies.waitsAs(by, command)
  return all.map(({ command }) => command)
}

/** A transaction in a node's pool, as listed. Quantities in hex; missing fields are absent or null. */
interface PooledTransaction {
  hash: Hex
  from: Address
  nonce: Hex
  to: Address | null
  value: Hex
  input: Hex
  r: Hex
  s: Hex
}

/** The command that puts a waiting transaction into the pool of another node, under the same hash. */
export interface PooledCommand {
  command: NodeCommand
  /** The command that sent it. */
  by: NodeCommand | undefined
}

/** The fields of a transaction, without signature and position. */
const ownFields = [
  ...['type', 'chainId', 'from', 'nonce', 'gas', 'to', 'value', 'input', 'accessList'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'authorizationList'],
]

/**
 * The commands for everything in a node's pool, mineable or behind a nonce gap, in the order of arrival. They name every field, since
 * defaults of the node, such as the fee, depend on the latest block.
 *
 * @param sent Commands in order, among them those that sent these transactions.
 */
async function poolCommands(
  node: BareNode,
  sent: readonly NodeCommand[],
): Promise<PooledCommand[]> {
  const { pending, queued } = await node.pooled()
  if (Number(pending) + Number(queued) === 0) return []
  const pool = await pooledTransactions(node)
  const left = sent.map((command, place) => ({ command, place }))
  const commands: (PooledCommand & { place: number })[] = []
  // From the last to the first: of two with the same nonce, the later one is in the pool.
  for (const transaction of pool.toReversed()) {
    const raw = await rawOf(node, transaction)
    const at = left.findLastIndex(({ command }) => isBy(command, transaction, raw))
    const [origin] = at < 0 ? [] : left.splice(at, 1)
    commands.push({
      command: raw === undefined ? unsigned(transaction) : command('eth_sendRawTransaction', raw),
      by: origin?.command,
      place: origin?.place ?? sent.length,
    })
  }
  return commands.reverse().sort((a, b) => a.place - b.place)
}

/** By sender and nonce. */
async function pooledTransactions(node: BareNode): Promise<PooledTransaction[]> {
  type Part = Record<Address, Record<string, PooledTransaction>>
  const { pending, queued } = await node.ask<Record<'pending' | 'queued', Part>>('txpool_content')
  return [pending, queued]
    .flatMap((part) => Object.values(part).flatMap((each) => Object.values(each)))
    .sort((a, b) => Number(a.nonce) - Number(b.nonce))
}

/** The signed transaction; undefined when it is unsigned, because the node impersonates the sender. */
async function rawOf(node: BareNode, { hash, r, s }: PooledTransaction): Promise<Hex | undefined> {
  if (BigInt(r) === 0n && BigInt(s) === 0n) return undefined
  return node.ask<Hex>('eth_getRawTransactionByHash', [hash])
}

/** Sends it whether or not the node still impersonates the sender. */
function unsigned(transaction: PooledTransaction): NodeCommand {
  const given = Object.entries(transaction).filter(([, value]) => value != null)
  const isLegacy = !given.some(([name]) => name === 'maxFeePerGas')
  const fields = isLegacy ? [...ownFields, 'gasPrice'] : ownFields
  const own = given.filter(([name]) => fields.includes(name))
  return command('eth_sendUnsignedTransaction', Object.fromEntries(own))
}

function command(method: string, param: unknown): NodeCommand {
  return { method, params: [param] }
}

/** Whether this command may have sent the transaction. */
function isBy(
  { method, params }: NodeCommand,
  { from, nonce, to, value, input }: PooledTransaction,
  raw: Hex | undefined,
): boolean {
  const [given] = Array.isArray(params) ? (params as unknown[]) : []
  if (/raw/i.test(method)) return raw !== undefined && String(given).toLowerCase() === raw
  if (typeof given !== 'object' || given === null) return false
  const request = given as Record<string, unknown>
  const text = (field: unknown): string => String(field ?? '').toLowerCase()
  return (
    text(request.from) === text(from) &&
    text(request.to) === text(to) &&
    number(request.value) === BigInt(value) &&
    text(request.input ?? request.data ?? '0x') === input &&
    (request.nonce == null || number(request.nonce) === BigInt(nonce))
  )
}

function number(quantity: unknown): bigint {
  return BigInt((quantity ?? 0) as string | number)
}

/** How a transaction of a dumped state begins and ends the list of its calls (anvil 1.7.1). */
const [begins, ends] = [Buffer.from('"traces":['), Buffer.from('],"exit":')]

/**
 * A dumped state without the calls of its transactions, piece by piece. They are three quarters of it, and a node that starts from them
 * needs five times as long and twice the memory.
 */
export async function* withoutTraces(state: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let isTrace = false
  for await (const piece of state) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (;;) {
      const at = rest.indexOf(isTrace ? ends : begins)
      if (at < 0) break
      if (!isTrace) yield rest.subarray(0, at + begins.length)
      rest = rest.subarray(isTrace ? at : at + begins.length)
      isTrace = !isTrace
    }
    // The end of the chunk may be the start of the searched text.
    const whole = Math.max(0, rest.length - begins.length + 1)
    if (!isTrace && whole > 0) yield rest.subarray(0, whole)
    rest = rest.subarray(whole)
  }
  if (isTrace) throw new Error('the state of a node ends within a transaction')
  yield rest
}

/** What a node is rebuilt from: a state file, and the commands run after it. */
export interface NodeSource {
  /** Path of the state file; undefined for a fork, which begins without one. */
  readonly file: string | undefined
  readonly commands: readonly NodeCommand[]
}

/** The changes of a node since its last checkpoint. */
export type NodeHistory = ReturnType<typeof createNodeHistory>

/** The history of a node that starts from this file. */
export function createNodeHistory(startFile: string | undefined) {
  let file = startFile
  let commands: NodeCommand[] = []
  /** How many unrepeatable changes there were, and how many of them the state file has. */
  let [unrepeatable, inFile] = [0, 0]
  let atCut = { first: [] as readonly NodeCommand[], length: 0, unrepeatable: 0 }
  return {
    get source(): NodeSource {
      return { file, commands: [...commands] }
    },
    /** Whether replaying the source gives the present state of the node. */
    get isWhole() {
      return unrepeatable === inFile
    },
    /** The log has this command. */
    add: (command: NodeCommand) => void commands.push(command),
    /** Removes the latest command, which was not carried out. It came after the latest cut. */
    dropLast: () => void commands.pop(),
    /** Something is being done that a replay cannot repeat. */
    markUnrepeatable: () => void unrepeatable++,
    /** A checkpoint of the node is about to be made. `first`: commands to replay first, for what the state file cannot hold. */
    cut(first: readonly NodeCommand[]): void {
      atCut = { first, length: commands.length, unrepeatable }
    },
    /** The state at the cut is in this file now. */
    written(path: string): void {
      file = path
      commands = [...atCut.first, ...commands.slice(atCut.length)]
      inFile = atCut.unrepeatable
    },
  }
}
