import { formatUnits, parseUnits } from 'viem'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networks } from '../../../deployments/networks.js'
import { usdText } from '../../../service/folio/numbers.js'
import { type Position, positionsOf } from '../../../service/folio/positions.js'
import type { AccountOutcome, WorldPrices } from './outcome.js'

/** Fees, interest and prices may change an amount by one part in fifty. */
const tolerancePart = 50n
/** Rounding may change an amount by this many smallest units. */
const dust = 10n

/** Rounded down. */
export function toleranceOf(amount: bigint): bigint {
  return amount / tolerancePart + dust
}

type Holdings = AccountOutcome['holdings']

/** A holding that differs from the baseline by more than its tolerance. */
interface Change {
  key: string
  position: Position
  wanted: bigint
  actual: bigint
  /** The gain in the smallest unit: negative for a loss, and for a debt that has grown. */
  units: bigint
  /** The same in USD with 26 decimals; undefined without a price. */
  usd: bigint | undefined
}

/**
 * The losses of an account, for people. They are summed in USD, at the prices given. A gain elsewhere makes up for them when it is larger
 * than interest. Rewards make up for nothing, since they accrue while the clock skips. Rewards, and holdings without a price, are compared
 * one by one.
 */
export function lossText(
  wanted: Holdings,
  actual: Holdings,
  prices: WorldPrices,
): string | undefined {
  const changes = changesOf(wanted, actual, prices)
  const lost = changes.filter(({ units }) => units < 0n)
  const alone = lost.find((each) => each.usd === undefined)
  if (alone) return holdsText(alone)
  const lostUsd = -sumUsd(lost)
  const gainedUsd = sumUsd(changes.filter(({ units }) => units > 0n))
  if (lostUsd - gainedUsd > lostUsd / tolerancePart)
    return `${holdsText(lost[0]!)}${gainedUsd > 0n ? besidesText(lostUsd, gainedUsd) : ''}`
  const reward = Object.keys(wanted).find((key) => hasLostReward(key, wanted, actual))
  return reward && holdsText(changeOf(positionAt(reward), { wanted, actual, prices }))
}

function sumUsd(changes: readonly Change[]): bigint {
  return changes.reduce((sum, { usd = 0n }) => sum + usd, 0n)
}

const isReward = (key: string): boolean => /^(locked_)?reward\//.test(key)

function changesOf(wanted: Holdings, actual: Holdings, prices: WorldPrices): Change[] {
  return [...new Set([...Object.keys(wanted), ...Object.keys(actual)])]
    .filter((key) => !isReward(key))
    .map(positionAt)
    .filter(({ position }) => !position.isCounted)
    .map((at) => changeOf(at, { wanted, actual, prices }))
    .filter(({ units, wanted }) => (units < 0n ? -units : units) > toleranceOf(wanted))
}

interface Held {
  key: string
  position: Position
}

function positionAt(key: string): Held {
  const folio = { prices: {}, yield_markets: {}, borrow_markets: {} }
  const [position] = positionsOf({ ...folio, balances: { [`${key}/wallet`]: '0e0' } })
  return { key, position: position! }
}

function changeOf(
  { key, position }: Held,
  { wanted, actual, prices }: { wanted: Holdings; actual: Holdings; prices: WorldPrices },
): Change {
  const [before, after] = [wanted[key] ?? 0n, actual[key] ?? 0n]
  const units = position.kind === 'debt' ? before - after : after - before
  const usd = worthInUsd(position, units, prices)
  return { key, position, wanted: before, actual: after, units, usd }
}

/** An amount in USD with 26 decimals, which is exact; undefined without a price. */
export function worthInUsd(
  { symbol, network }: { symbol: string; network: string },
  units: bigint,
  prices: WorldPrices,
): bigint | undefined {
  const decimals = decimalsOf(symbol, network)
  const price = prices[symbol]
  if (decimals === undefined || price === undefined) return undefined
  return units * parseUnits(price, 8) * 10n ** BigInt(18 - decimals)
}

function decimalsOf(symbol: string, network: string): number | undefined {
  const name = networks.find((each) => each.name === network)?.name
  return name && loadAddressBook().token(name, symbol)?.decimals
}

/** More than half is gone. What was locked may have become claimable. */
function hasLostReward(key: string, wanted: Holdings, actual: Holdings): boolean {
  if (!isReward(key)) return false
  const gain = (each: string): bigint => (actual[each] ?? 0n) - (wanted[each] ?? 0n)
  const claimable = gain(key.replace(/^locked_/, ''))
  const unlocked = key.startsWith('locked_') && claimable > 0n ? claimable : 0n
  return -gain(key) - unlocked > wanted[key]! / 2n + dust
}

function holdsText({ key, position, wanted, actual }: Change): string {
  const verb = position.kind === 'debt' ? 'owes' : 'holds'
  const text = (units: bigint): string => holdingText(key, position, units)
  return `${verb} ${text(actual)}; without faults it ${verb} ${text(wanted)}.`
}

/** In USD with 8 decimals, rounded down. */
function besidesText(lostUsd: bigint, gainedUsd: bigint): string {
  const text = (usd: bigint): string => usdText(usd / 10n ** 18n)
  return ` What it has instead is worth ${text(gainedUsd)} USD of the ${text(lostUsd)} USD that are gone.`
}

/** `4 USDC on base (token/base/USDC)`; what is no amount of a known token stays in smallest units. */
function holdingText(key: string, { symbol, network }: Position, units: bigint): string {
  const text = tokenText(symbol, network, units)
  return text === undefined
    ? `${units} of ${key} (smallest unit)`
    : `${text} on ${network} (${key})`
}

/** The amount in whole tokens; undefined where there is no such token. */
export function tokenText(symbol: string, network: string, units: bigint): string | undefined {
  const decimals = decimalsOf(symbol, network)
  return decimals === undefined ? undefined : `${formatUnits(units, decimals)} ${symbol}`
}
