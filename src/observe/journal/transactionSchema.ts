import { z } from 'zod'
import { networkNames } from '../../deployments/networks.js'
import { count } from '../../lib/scalars.js'

/** What a list of blocks and a transaction's own page have in common. */
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
  function: z
    .string()
    .nullable()
    .meta({ description: 'Its name, or its selector; null for a plain transfer.' }),
  args: z.record(z.string(), z.unknown()).meta({ description: 'By parameter name.' }),
  request_id: z.string().nullable().meta({
    description: 'The request on whose behalf it was sent, as long as the journal has it.',
  }),
  plan_id: z.string().nullable(),
  activity_id: z.string().nullable(),
}

/** The latest blocks of a network. */
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
          function: z
            .string()
            .nullable()
            .meta({ description: 'Its name, or its selector; null for a plain transfer.' }),
          args: z.record(z.string(), z.unknown()).meta({ description: 'By parameter name.' }),
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

/** What every transaction tells, also in a list of blocks. */
export type SentFacts = z.infer<z.ZodObject<typeof sentShape>>

/** The wire form of a transaction. */
export type Transaction = z.infer<typeof transactionSchema>
