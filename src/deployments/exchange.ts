/** The spread that the exchange is deployed with (contracts/protocols/Exchange.sol), in basis points; rules only widen it. */
export const usualSpreadBps = 5n

/**
 * A spread, in basis points, that is not below the usual one: where a rule's part of it is taken off, that part may have gone
 * already, with blocks that somebody has taken back.
 */
export const atLeastUsual = (spreadBps: bigint): bigint =>
  spreadBps > usualSpreadBps ? spreadBps : usualSpreadBps
