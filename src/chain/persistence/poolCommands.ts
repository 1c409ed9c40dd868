import type { Address, Hex } from 'viem'
import type { NodeCommand } from '../rpc/nodeCommand.js'
import type { BareNode } from './bareNode.js'

/** A transaction in a node's pool, as it lists it. Quantities in hex; what it has not is absent or null. */
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

/** What brings a transaction that waits into the pool of another node, under the same hash. */
export interface PooledCommand {
  again: NodeCommand
  /** The command that it came by. */
  by: NodeCommand | undefined
}

/** What a transaction consists of, without signature and place. */
const ownFields = [
  ...['type', 'chainId', 'from', 'nonce', 'gas', 'to', 'value', 'input', 'accessList'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'authorizationList'],
]

/**
 * All that is in a node's pool, whether it can be mined or waits for a nonce, in the order in which it came. Every field is named: what
 * a node adds by itself, such as the fee, depends on the block at which it is asked.
 *
 * @param sent The commands by which it came, in their order; others may be among them.
 */
export async function poolCommands(
  node: BareNode,
  sent: readonly NodeCommand[],
): Promise<PooledCommand[]> {
  const { pending, queued } = await node.pooled()
  if (Number(pending) + Number(queued) === 0) return []
  const pool = await pooledTransactions(node)
  const left = sent.map((command, place) => ({ command, place }))
  const found: (PooledCommand & { place: number })[] = []
  // From the last on: of two with the same nonce the later one has stayed.
  for (const transaction of pool.toReversed()) {
    const raw = await rawOf(node, transaction)
    const at = left.findLastIndex(({ command }) => isBy(command, transaction, raw))
    const [origin] = at < 0 ? [] : left.splice(at, 1)
    found.push({
      again: raw === undefined ? unsigned(transaction) : command('eth_sendRawTransaction', raw),
      by: origin?.command,
      place: origin?.place ?? sent.length,
    })
  }
  return found.reverse().sort((a, b) => a.place - b.place)
}

/** By sender and nonce. */
async function pooledTransactions(node: BareNode): Promise<PooledTransaction[]> {
  type Part = Record<Address, Record<string, PooledTransaction>>
  const { pending, queued } = await node.ask<Record<'pending' | 'queued', Part>>('txpool_content')
  return [pending, queued]
    .flatMap((part) => Object.values(part).flatMap((each) => Object.values(each)))
    .sort((a, b) => Number(a.nonce) - Number(b.nonce))
}

/** Undefined of a transaction that nobody has signed: the node acts for its sender. */
async function rawOf(node: BareNode, { hash, r, s }: PooledTransaction): Promise<Hex | undefined> {
  if (BigInt(r) === 0n && BigInt(s) === 0n) return undefined
  return node.ask<Hex>('eth_getRawTransactionByHash', [hash])
}

/** Whoever the node acts for by then: it may have stopped to act for the sender. */
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

/** Whether a command may have brought this transaction. */
function isBy(
  { method, params }: NodeCommand,
  { from, nonce, to, value, input }: PooledTransaction,
  raw: Hex | undefined,
): boolean {
  const [given] = Array.isArray(params) ? (params as unknown[]) : []
  if (/raw/i.test(method)) return raw !== undefined && String(given).toLowerCase() === raw
  if (raw !== undefined || typeof given !== 'object' || given === null) return false
  const asked = given as Record<string, unknown>
  const text = (field: unknown): string => String(field ?? '').toLowerCase()
  return (
    text(asked.from) === text(from) &&
    text(asked.to) === text(to) &&
    number(asked.value) === BigInt(value) &&
    text(asked.input ?? asked.data ?? '0x') === input &&
    (asked.nonce == null || number(asked.nonce) === BigInt(nonce))
  )
}

function number(quantity: unknown): bigint {
  return BigInt((quantity ?? 0) as string | number)
}
