import { z } from 'zod'
import { networkNames } from '../../deployments/networks.js'
import { count } from '../../lib/scalars.js'

/** A mined transaction, as people read it. Amounts are in smallest units. */
export const transactionSchema = z
  .strictObject({
    network: z.enum(networkNames),
    hash: z.string(),
    status: z.enum(['mined', 'reverted']),
    block: count,
    at: z.string(),
    gas_used: z.string(),
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

/** The wire form of a transaction. */
export type Transaction = z.infer<typeof transactionSchema>
