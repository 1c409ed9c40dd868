import type { Address } from 'viem'

/**
 * Fixed accounts of the simulated world. Nobody holds a key to them: the simulator lets its own nodes act for them
 * (`anvil_impersonateAccount`), so they are safe on a fork too, where the well-known development keys carry code.
 */
export const actors = {
  /** Owns what has an owner in the offline world: token minting, price hub, exchange, Comet. */
  admin: '0x00000000000000000000000000000000005caa01',
  /** Submits operations and pays their gas. */
  relayer: '0x00000000000000000000000000000000005caa02',
  /** Supplied the seeded liquidity of the markets. */
  lender: '0x00000000000000000000000000000000005caa03',
  /** Borrowed the seeded utilisation of the markets. */
  borrower: '0x00000000000000000000000000000000005caa04',
  /** Liquidates positions that have become unsafe, when asked to. */
  liquidator: '0x00000000000000000000000000000000005caa05',
} as const satisfies Record<string, Address>

/** Receives the 0.15 % swap fee (service-facts: one fixed payee address on every network). */
export const feeRecipient: Address = '0x7ea8d6119596016935543d90ee8f5126285060a1'
