/**
 * The base side of a Comet market in plain numbers, written from the published formulas and not from the contract, for the
 * tests to compare the contract with. Scales: indices 1e15, rates and utilisation 1e18.
 */
export interface Curve {
  kink: bigint
  base: bigint
  low: bigint
  high: bigint
}

export interface ModelParameters {
  /** Per year, 1e18-scaled. */
  supply: Curve
  borrow: Curve
  baseScale: bigint
  trackingScale: bigint
  supplySpeed: bigint
  borrowSpeed: bigint
  minForRewards: bigint
}

interface Position {
  principal: bigint
  trackingIndex: bigint
  accrued: bigint
}

const factorScale = 10n ** 18n
const indexScale = 10n ** 15n
const accrualScale = 10n ** 6n
const secondsPerYear = 31_536_000n

export class CometModel {
  supplyIndex = indexScale
  borrowIndex = indexScale
  trackingSupplyIndex = 0n
  trackingBorrowIndex = 0n
  totalSupplyBase = 0n
  totalBorrowBase = 0n
  lastAccrual: bigint
  readonly parameters: ModelParameters
  private readonly positions = new Map<string, Position>()

  constructor(parameters: ModelParameters, now: bigint) {
    this.parameters = parameters
    this.lastAccrual = now
  }

  utilization(): bigint {
    const supplied = (this.totalSupplyBase * this.supplyIndex) / indexScale
    const borrowed = (this.totalBorrowBase * this.borrowIndex) / indexScale
    return supplied === 0n ? 0n : (borrowed * factorScale) / supplied
  }

  accrue(now: bigint): void {
    const seconds = now - this.lastAccrual
    const { supply, borrow, supplySpeed, borrowSpeed } = this.parameters
    const utilization = this.utilization()
    const grow = (index: bigint, curve: Curve) =>
      index + (index * ratePerSecond(curve, utilization) * seconds) / factorScale
    this.supplyIndex = grow(this.supplyIndex, supply)
    this.borrowIndex = grow(this.borrowIndex, borrow)
    this.trackingSupplyIndex += this.trackingGrowth(supplySpeed, seconds, this.totalSupplyBase)
    this.trackingBorrowIndex += this.trackingGrowth(borrowSpeed, seconds, this.totalBorrowBase)
    this.lastAccrual = now
  }

  /** Adds `amount` (negative: takes it) to an account's balance at that time. */
  move(account: string, amount: bigint, now: bigint): void {
    this.accrue(now)
    const balance = this.balance(account) + amount
    const principal =
      balance >= 0n
        ? (balance * indexScale) / this.supplyIndex
        : -ceilDiv(-balance * indexScale, this.borrowIndex)
    this.set(account, principal)
  }

  /** What the account has (positive) or owes (negative) at the last accrual. */
  balance(account: string): bigint {
    const { principal } = this.position(account)
    return principal >= 0n
      ? (principal * this.supplyIndex) / indexScale
      : -((-principal * this.borrowIndex) / indexScale)
  }

  position(account: string): Position {
    return this.positions.get(account) ?? { principal: 0n, trackingIndex: 0n, accrued: 0n }
  }

  private set(account: string, principal: bigint): void {
    const old = this.position(account)
    const index = old.principal >= 0n ? this.trackingSupplyIndex : this.trackingBorrowIndex
    const size = old.principal >= 0n ? old.principal : -old.principal
    const earned = (size * (index - old.trackingIndex)) / this.parameters.trackingScale
    const accrued = old.accrued + earned / (this.parameters.baseScale / accrualScale)
    this.totalSupplyBase += positive(principal) - positive(old.principal)
    this.totalBorrowBase += positive(-principal) - positive(-old.principal)
    const trackingIndex = principal >= 0n ? this.trackingSupplyIndex : this.trackingBorrowIndex
    this.positions.set(account, { principal, trackingIndex, accrued })
  }

  private trackingGrowth(speed: bigint, seconds: bigint, total: bigint): bigint {
    const { minForRewards, baseScale } = this.parameters
    return total < minForRewards ? 0n : (speed * seconds * baseScale) / total
  }
}

/** Rate per second, 1e18-scaled; every yearly figure is divided by the seconds of a year first, as the contract keeps them. */
export function ratePerSecond(curve: Curve, utilization: bigint): bigint {
  const under = utilization < curve.kink ? utilization : curve.kink
  const over = utilization - under
  return (
    curve.base / secondsPerYear +
    ((curve.low / secondsPerYear) * under) / factorScale +
    ((curve.high / secondsPerYear) * over) / factorScale
  )
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
