import { z } from 'zod'
import type { NetworkName } from '../chain/networks.js'
import { ServiceError } from '../errors.js'

/** The protocols of earn and withdraw. `morpho` and `morpho_vault` are the same (interface.md has one, its siblings the other). */
export const yieldProtocol = z
  .enum(['compound', 'aave', 'morpho', 'morpho_vault'], {
    error: 'must be one of compound, aave, morpho, morpho_vault',
  })
  .meta({ description: 'Yield protocol.', example: 'compound' })

export type YieldProtocol = z.infer<typeof yieldProtocol>

/** Which market of the protocol: a vault or Comet address. */
export const marketField = z
  .string({ error: 'must be a market address: 0x and 40 hex digits' })
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be a market address: 0x and 40 hex digits' })
  .optional()
  .meta({
    description: 'Market address; needed where the protocol has several markets for the asset.',
    example: '0xb125e6687d4313864e53df431d5425969c15eb2f',
  })

/** `plan_failed` for a protocol that has no market in this world. */
export function requireCompound(protocol: YieldProtocol, network: NetworkName): void {
  if (protocol === 'compound') return
  throw new ServiceError(
    'plan_failed',
    `${protocol} market not found: this world has no ${protocol} market on ${network}; "compound" has`,
  )
}
