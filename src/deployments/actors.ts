import type { Address } from 'viem'

/**
 * The phrase from which the nodes derive the keys of the simulator's own accounts, so that they sign what these send: clients compute
 * the hash of a transaction from its signature. Public, and for local use only. Not the well-known development phrase, whose
 * accounts have code and history on the networks that are forked.
 */
export const actorsMnemonic =
  'poverty excuse refuse banner deposit oblige degree menu holiday maple dilemma patient'

/** Fixed accounts of the simulated world: the first of the phrase, in this order. Lower case. */
export const actors = {
  /** Owns what has an owner in the offline world: token minting, price hub, exchange, Comet. */
  admin: '0x496ed5487da623bf968f762c37d4948072d59aff',
  /** Submits operations and pays their gas. */
  relayer: '0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8',
  /** Supplied the seeded liquidity of the markets. */
  lender: '0x9a478cd404a8daf92f92535ed7707800da415f30',
  /** Borrowed the seeded utilisation of the markets. */
  borrower: '0xabb5a1d0eae122128434226be6996a0857a327c1',
  /** Liquidates positions that have become unsafe, when asked to. */
  liquidator: '0xffd757b717501c91ab7d67b6e52f6b388a458132',
} as const satisfies Record<string, Address>

/** Receives the 0.15 % swap fee (service-facts: one fixed payee address on every network). */
export const feeRecipient: Address = '0x7ea8d6119596016935543d90ee8f5126285060a1'
