import type { NetworkName } from '../../../deployments/networks.js'
import type { Token } from '../../../deployments/token.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Readable } from '../assembly/resolve.js'
import { canDeliver, deliverable } from '../assembly/sourcing.js'
import { maxUint256 } from '../model/amount.js'
import type { PlanInput } from '../model/kind.js'

/**
 * What the wallet must hold to pay off a debt that goes on growing until execution: the debt x 1.00001 (service-facts 17),
 * rounded up. When that much cannot be brought there but the debt can, everything that can. A plan that was made before keeps
 * what it was made with, as long as that covers the debt and is there.
 */
export function payoff(
  input: Readable & Pick<PlanInput, 'spent'>,
  network: NetworkName,
  token: Token,
  debt: bigint,
): bigint {
  const spent = input.spent?.find(
    (each) => each.network === network && each.symbol === token.symbol,
  )
  const earlier = BigInt(spent?.amount ?? 0)
  if (earlier >= debt && canDeliver(input, network, token, earlier)) return earlier
  const wanted = (debt * 100_001n + 99_999n) / 100_000n
  if (canDeliver(input, network, token, wanted)) return wanted
  const available = deliverable(input, network, token)
  return available >= debt ? available : wanted
}

/**
 * `plan_failed` when there is no debt to repay, or less than what is to be repaid. All of it (2^256-1) cannot be repaid while something
 * under way repays a part: whichever comes later would find less to repay than it brings.
 */
export function requireDebt(
  { borrowed: debt, promised = 0n }: { borrowed: bigint; promised?: bigint },
  asked: bigint,
  token: Token,
  where: string,
): void {
  if (debt === 0n)
    throw new ServiceError(
      'plan_failed',
      `route not found: the wallet owes no ${token.symbol} to ${where}`,
    )
  if (asked === maxUint256 && promised > 0n)
    throw new ServiceError(
      'plan_failed',
      `repay amount exceeds debt: ${promised} of the ${token.symbol} that the wallet owes to ${where} is being repaid already, the whole debt was asked`,
    )
  if (asked !== maxUint256 && asked > debt)
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
