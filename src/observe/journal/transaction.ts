import type { Abi, AbiFunction, Hex } from 'viem'
import { decodeFunctionData, toFunctionSelector } from 'viem/utils'
import { z } from 'zod'
import type {
  InspectedBlock,
  InspectedTransaction,
  TracedCall,
} from '../../chain/transactions/inspect.js'
import { decodeRevert } from '../../chain/transactions/revert.js'
import { actors } from '../../deployments/actors.js'
import type { AddressBook } from '../../deployments/addressBook.js'
import { networkNames } from '../../deployments/networks.js'
import * as abis from '../../generated/abis.js'
import { count } from '../../lib/scalars.js'
import { withTextAmounts } from '../../lib/textAmounts.js'
import { isoSeconds } from '../../time/clock.js'
import { contractName, decodeLog, itemsBySelector, scriptNames } from './decode.js'
import type { Journal } from './journal.js'

/** The most calls shown. A swap has about thirty. */
const shownCalls = 500

/** The request, plan and activity that sent a transaction. */
export type TransactionOwner = Pick<SentFacts, 'request_id' | 'plan_id' | 'activity_id'>

export interface TransactionSources {
  book: AddressBook
  /** Account ids by wallet, in lower case. */
  owners: ReadonlyMap<string, string>
  sentFor: ReadonlyMap<string, TransactionOwner>
}

/** The transactions that the journal's requests have sent, each with its request, plan and activity. Notes are long, and are not parsed for that. */
export function transactionOwners({ all }: Pick<Journal, 'all'>): Map<string, TransactionOwner> {
  const owners = new Map<string, TransactionOwner>()
  const plans = new Map<string, string>()
  for (const { notes, requestId } of all())
    for (const { text } of notes) {
      const [, type, activity_id = ''] =
        /^\{"type":"(activity|transaction|bridge)","activity_id":"(\w+)"/.exec(text) ?? []
      if (type === undefined) continue
      const [, plan] = /"plan_id":"(\w+)"/.exec(text) ?? []
      if (type === 'activity' && plan) plans.set(activity_id, plan)
      const [, hash] = /"(?:hash|refund)":"(0x[0-9a-f]{64})"/.exec(text) ?? []
      const owner = { request_id: requestId, plan_id: plans.get(activity_id) ?? null, activity_id }
      if (hash !== undefined) owners.set(hash, owner)
    }
  return owners
}

const actorNames: ReadonlyMap<string, string> = new Map(
  Object.entries(actors).map(([name, address]) => [address, name]),
)

const addressNamer =
  (network: InspectedTransaction['network'], { owners, book }: TransactionSources) =>
  (address: Hex): string =>
    owners.get(address.toLowerCase()) ??
    scriptName(address) ??
    actorNames.get(address.toLowerCase()) ??
    contractName(address, network, book)

export function readBlock(
  { number, hash, unixSeconds, transactions }: InspectedBlock,
  sources: TransactionSources,
) {
  return {
    number,
    hash: hash ?? null,
    at: isoSeconds(unixSeconds * 1000),
    transactions: transactions.map((each) => sentFacts(each, sources)),
  }
}

function sentFacts(
  { network, hash, isReverted, gasUsed, sent }: InspectedBlock['transactions'][number],
  sources: TransactionSources,
): SentFacts {
  const nameOf = addressNamer(network, sources)
  const { from, to = null, nonce, value, input, gasPrice } = sent ?? {}
  const call = { type: to === null ? 'CREATE' : 'CALL', input: input ?? '0x', ...(to && { to }) }
  return {
    hash,
    status: isReverted ? 'reverted' : 'mined',
    from: from ?? null,
    to,
    from_name: from === undefined ? null : nameOf(from),
    to_name: to === null ? null : nameOf(to),
    nonce: nonce ?? null,
    value: value === undefined ? null : BigInt(value).toString(),
    fee: gasPrice === undefined ? null : (BigInt(gasPrice) * gasUsed).toString(),
    gas_used: gasUsed.toString(),
    ...decoded(call),
    ...(sources.sentFor.get(hash) ?? { request_id: null, plan_id: null, activity_id: null }),
  }
}

/** A transaction as people read it: calls, logs and changes of balances. */
export function readTransaction(
  transaction: InspectedTransaction,
  sources: TransactionSources,
): Transaction {
  const { book } = sources
  const { network, block, unixSeconds, isReverted, call } = transaction
  const nameOf = addressNamer(network, sources)
  const calls = call === undefined ? [] : flat(call, 0)
  return {
    network,
    block,
    at: isoSeconds(unixSeconds * 1000),
    ...sentFacts(transaction, sources),
    reason: isReverted && call ? decodeRevert(call.output).reason : null,
    calls:
      call === undefined
        ? null
        : calls.slice(0, shownCalls).map(([tracedCall, depth]) => ({
            depth,
            type: tracedCall.type,
            from: nameOf(tracedCall.from),
            to: tracedCall.to === undefined ? null : nameOf(tracedCall.to),
            address: tracedCall.to ?? null,
            value: BigInt(tracedCall.value ?? '0x0').toString(),
            gas_used: BigInt(tracedCall.gasUsed).toString(),
            ...decoded(tracedCall),
            error: tracedCall.error === undefined ? null : failureOf(tracedCall),
          })),
    calls_left_out: Math.max(0, calls.length - shownCalls),
    logs: transaction.logs.map((log) => ({
      ...decodeLog(log, network, book),
      contract: nameOf(log.address),
    })),
    balances: isReverted ? [] : balanceChanges(transaction, calls, book, nameOf),
  }
}

function scriptName(address: Hex): string | undefined {
  const name = scriptNames.get(address.toLowerCase())
  return name === undefined ? undefined : `script ${name}`
}

function flat(call: TracedCall, depth: number): [TracedCall, number][] {
  return [[call, depth], ...(call.calls ?? []).flatMap((each) => flat(each, depth + 1))]
}

function failureOf({ error = '', output }: TracedCall): string {
  return output === undefined || output === '0x' ? error : decodeRevert(output).reason
}

const functionsOf = itemsBySelector<AbiFunction>('function', toFunctionSelector)

/** The called function with its arguments by name; selector and data when no ABI has it. */
function decoded({
  type,
  to = '0x',
  input,
}: Pick<TracedCall, 'type' | 'to' | 'input'>): z.infer<z.ZodObject<typeof calledShape>> {
  // A transaction that creates a contract carries its code.
  if (input === '0x' || type.startsWith('CREATE')) return { function: null, args: {} }
  const script = scriptNames.get(to.toLowerCase())
  // Two scripts have functions of one selector: a script's own names come first.
  const own = ((abis as Record<string, unknown>)[`${script}Abi`] ?? []) as Abi
  const selector = input.slice(0, 10)
  const functions = functionsOf(selector)
  // Those with names for all parameters first: two contracts may name them differently.
  const hasNames = ({ inputs }: AbiFunction) => inputs.every(({ name }) => name)
  const known = [
    ...functions.filter(hasNames).toReversed(),
    ...functions.filter((item) => !hasNames(item)),
  ]
  const mine = known.filter((item) => own.includes(item))
  for (const item of [...mine, ...known]) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi: [item], data: input })
      const named = item.inputs.map(({ name }, index) => [
        name || `${index}`,
        withTextAmounts(args[index] ?? []),
      ])
      return { function: functionName, args: Object.fromEntries(named) }
    } catch {}
  }
  return { function: selector, args: { data: `0x${input.slice(10)}` } }
}

const zero = '0x0000000000000000000000000000000000000000'

/** Call types that can transfer native tokens. */
const paying = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])

/** By the tokens' Transfer logs and the native value of calls. Without gas fees. */
function balanceChanges(
  { network, logs }: InspectedTransaction,
  calls: readonly [TracedCall, number][],
  book: AddressBook,
  nameOf: (address: Hex) => string,
): Transaction['balances'] {
  const changes = new Map<string, { address: Hex; asset: string; change: bigint }>()
  const add = (address: Hex, asset: string, change: bigint): void => {
    if (address === zero) return
    const key = `${address.toLowerCase()} ${asset}`
    const before = changes.get(key)?.change ?? 0n
    changes.set(key, { address, asset, change: before + change })
  }
  const move = (from: Hex, to: Hex, asset: string, amount: bigint): void => {
    add(from, asset, -amount)
    add(to, asset, amount)
  }
  for (const log of logs) {
    const { event, args } = decodeLog(log, network, book)
    if (event !== 'Transfer' || typeof args !== 'object' || args === null) continue
    const [from, to, amount] = Object.values(args) as [Hex, Hex, string]
    move(from, to, contractName(log.address, network, book), BigInt(amount))
  }
  const native = book.on(network).nativeSymbol
  for (const [{ type, from, to, value, error }] of calls)
    if (paying.has(type) && to && value && error === undefined)
      move(from, to, native, BigInt(value))
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .map(({ address, asset, change }) => ({
      address,
      name: nameOf(address),
      asset,
      change: change.toString(),
    }))
}

/** The function that a transaction or one of its calls runs. */
const calledShape = {
  function: z
    .string()
    .nullable()
    .meta({ description: 'Its name, or its selector; null for a plain transfer.' }),
  args: z.record(z.string(), z.unknown()).meta({ description: 'By parameter name.' }),
}

/** Fields that a list of blocks and a single transaction share. */
const sentShape = {
  hash: z.string(),
  status: z.enum(['mined', 'reverted']),
  from: z.string().nullable().meta({ description: 'An address; null in older traces.' }),
  to: z.string().nullable().meta({ description: 'An address; null for a new contract.' }),
  from_name: z
    .string()
    .nullable()
    .meta({ description: 'Account id, contract, part of the simulator, or the address.' }),
  to_name: z.string().nullable().meta({ description: 'As `from_name`.' }),
  nonce: count.nullable(),
  value: z.string().nullable(),
  fee: z.string().nullable().meta({ description: 'For gas, in the network’s native token.' }),
  gas_used: z.string(),
  ...calledShape,
  request_id: z.string().nullable().meta({
    description: 'The request on whose behalf it was sent, as long as the journal has it.',
  }),
  plan_id: z.string().nullable(),
  activity_id: z.string().nullable(),
}

export const blocksSchema = z
  .strictObject({
    network: z.enum(networkNames),
    blocks: z.array(
      z.strictObject({
        number: count,
        hash: z.string().nullable().meta({ description: 'Null in a trace.' }),
        at: z.string(),
        transactions: z.array(z.strictObject(sentShape)),
      }),
    ),
  })
  .meta({ id: 'Blocks' })

/** A mined transaction, as people read it. Amounts are in smallest units. */
export const transactionSchema = z
  .strictObject({
    network: z.enum(networkNames),
    block: count,
    at: z.string(),
    ...sentShape,
    reason: z.string().nullable().meta({ description: 'Why it reverted, decoded.' }),
    calls: z
      .array(
        z.strictObject({
          depth: count.meta({ description: '0 is the transaction itself.' }),
          type: z.string().meta({ description: 'CALL, DELEGATECALL, STATICCALL, CREATE, …' }),
          from: z.string(),
          to: z.string().nullable(),
          address: z.string().nullable().meta({ description: 'The address behind `to`.' }),
          value: z.string(),
          gas_used: z.string(),
          ...calledShape,
          error: z.string().nullable(),
        }),
      )
      .nullable()
      .meta({
        description:
          'In the order of execution. Null when the node can no longer trace the transaction.',
      }),
    calls_left_out: count,
    logs: z.array(z.strictObject({ contract: z.string(), event: z.string(), args: z.unknown() })),
    balances: z
      .array(
        z.strictObject({
          address: z.string(),
          name: z.string().meta({ description: 'Account id, contract, or the address.' }),
          asset: z.string(),
          change: z.string().meta({ description: 'Signed, in the smallest unit.' }),
        }),
      )
      .meta({ description: 'Without gas fees.' }),
  })
  .meta({ id: 'Transaction' })

/** The fields of a transaction in a list of blocks. */
type SentFacts = z.infer<z.ZodObject<typeof sentShape>>

type Transaction = z.infer<typeof transactionSchema>
