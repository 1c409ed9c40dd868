import type { Address, Hex } from 'viem'
import type { NodeCommand } from '../rpc/commandLog.js'
import type { BareNode } from './bareNode.js'

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
  again: NodeCommand
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
export async function poolCommands(
  node: BareNode,
  sent: readonly NodeCommand[],
): Promise<PooledCommand[]> {
  const { pending, queued } = await node.pooled()
  if (Number(pending) + Number(queued) === 0) return []
  const pool = await pooledTransactions(node)
  const left = sent.map((command, place) => ({ command, place }))
  const found: (PooledCommand & { place: number })[] = []
  // From the last to the first: of two with the same nonce, the later one is in the pool.
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
