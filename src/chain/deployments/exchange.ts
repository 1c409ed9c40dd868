/** The spread that the exchange is deployed with (contracts/protocols/Exchange.sol), in basis points; rules only widen it. */
const usualSpreadBps = 5n

/**
 * What is left of the exchange's spread, in basis points, when some of it is taken off: never less than the usual one, since what was
 * added may have gone already, with blocks that somebody has taken back.
 */
export function spreadWithout(spreadBps: bigint, addedBps: bigint): bigint {
  const left = spreadBps - addedBps
  return left > usualSpreadBps ? left : usualSpreadBps
}
