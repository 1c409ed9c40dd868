import type { Token } from '../chain/addressBook.js'
import type { NetworkName } from '../chain/networks.js'
import { ServiceError } from '../errors.js'
import { canDeliver, deliverable } from './reach.js'
import type { Readable } from './resolve.js'

/** Leading digits that a payoff is rounded up to. */
const figures = 5

/**
 * What the wallet must hold to pay off a debt that goes on growing until execution: the debt x 1.00001 (service-facts 17),
 * rounded up to five figures, so that the few units which accrue while a plan lives do not change what is bridged or wrapped
 * for it. When that much cannot be brought there but the debt can, everything that can.
 */
export function payoff(world: Readable, network: NetworkName, token: Token, debt: bigint): bigint {
  const wanted = roundUp((debt * 100_001n + 99_999n) / 100_000n)
  if (canDeliver(world, network, token, wanted)) return wanted
  const available = deliverable(world, network, token)
  return available >= debt ? available : wanted
}

function roundUp(amount: bigint): bigint {
  const scale = 10n ** BigInt(Math.max(0, amount.toString().length - figures))
  return ((amount + scale - 1n) / scale) * scale
}

/** `plan_failed` when there is no debt to repay, or less than what is to be repaid. */
export function requireDebt(
  debt: bigint,
  asked: bigint | 'all',
  token: Token,
  where: string,
): void {
  if (debt === 0n)
    throw new ServiceError(
      'plan_failed',
      `route not found: the wallet owes no ${token.symbol} to ${where}`,
    )
  if (asked !== 'all' && asked > debt)
    throw new ServiceError(
      'plan_failed',
      `repay amount exceeds debt: the wallet owes ${debt} of ${token.symbol} to ${where}, ${asked} was asked`,
      { hint: 'amount "max" repays the whole debt' },
    )
}

/** `plan_failed` when the position holds less collateral than is to be taken out of it. */
export function requireCollateral(held: bigint, asked: bigint, token: Token, where: string): void {
  if (asked <= held && held > 0n) return
  throw new ServiceError(
    'plan_failed',
    `insufficient collateral: the position in ${where} holds ${held} of ${token.symbol}, ${asked} was asked`,
  )
}
