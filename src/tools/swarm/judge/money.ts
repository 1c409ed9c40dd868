import { formatUnits } from 'viem'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networks } from '../../../deployments/networks.js'
import type { ClientFinding } from './finding.js'
import type { AccountOutcome, MoneyOutcome, Move } from './outcome.js'

/** Part of an amount that fees, interest and prices may take or add: one in fifty, rounded down. */
const tolerancePart = 50n
/** Smallest units that roundings may take or add. */
const dust = 10n

type Difference = Pick<ClientFinding, 'message' | 'about' | 'until'>

/**
 * An intent that was carried out more often than in the baseline, and moved more by it. Accounts are compared in the order of their
 * creation; those in which nothing ever happened are left out.
 */
export function movedTwice(baseline: MoneyOutcome, outcome: MoneyOutcome): Difference | undefined {
  const known = used(baseline)
  for (const [place, account] of used(outcome).entries()) {
    const before = groupedMoves(known[place])
    for (const [intent, moves] of groupedMoves(account)) {
      const expected = before.get(intent) ?? []
      if (moves.length <= expected.length || !movesMore(expected, moves)) continue
      const times = timesText(moves.length)
      const extra = unexpected(expected, moves)
      return {
        message: `Account ${account.id} executed "${intentText(intent)}" ${times}; without faults it did so ${timesText(expected.length)}. One too many is activity ${extra.activityId} of plan ${extra.planId}${amountsText(extra)}.`,
        about: account.id,
        until: extra.activityId,
      }
    }
  }
  return undefined
}

/** Money that is less than in the baseline, or an intent that was not carried out. */
export function misplaced(baseline: MoneyOutcome, outcome: MoneyOutcome): Difference | undefined {
  const reached = used(outcome)
  for (const [place, expected] of used(baseline).entries()) {
    const account = reached[place]
    if (!account)
      return {
        message: `Without faults there is an account number ${place + 1} with funds or activities; now there is none.`,
        about: undefined,
      }
    const there = groupedMoves(account)
    for (const [intent, moves] of groupedMoves(expected)) {
      const done = there.get(intent)?.length ?? 0
      if (done >= moves.length) continue
      return {
        message: `Account ${account.id} executed "${intentText(intent)}" ${timesText(done)}; without faults it did so ${timesText(moves.length)}.`,
        about: account.id,
      }
    }
    const differs = lostHolding(expected.holdings, account.holdings)
    if (differs === undefined) continue
    const [key, wanted, found] = differs
    return {
      message: `Account ${account.id} holds ${holdingText(key, found)}; without faults it holds ${holdingText(key, wanted)}.`,
      about: account.id,
    }
  }
  return undefined
}

/** The first move whose amounts no other expected one has; the last one when all have. */
function unexpected(expected: readonly Move[], moves: readonly Move[]): Move {
  const left = [...expected]
  const extra = moves.find((move) => {
    const place = left.findIndex((each) => isAlike(each, move))
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
  return extra ?? moves.at(-1)!
}

function isAlike(one: Move, other: Move): boolean {
  return Object.entries(one.amounts).every(([field, amount]) => {
    const distance = amount - (other.amounts[field] ?? 0n)
    return (distance < 0n ? -distance : distance) <= toleranceOf(amount)
  })
}

/** Accounts in which something is, or was done. */
function used({ accounts }: MoneyOutcome): AccountOutcome[] {
  return accounts.filter(
    ({ holdings, moves }) => Object.keys(holdings).length > 0 || moves.length > 0,
  )
}

function groupedMoves(account: AccountOutcome | undefined): Map<string, Move[]> {
  const groups = new Map<string, Move[]>()
  for (const move of account?.moves ?? [])
    groups.set(move.intent, [...(groups.get(move.intent) ?? []), move])
  return groups
}

/** Whether the sum of some amount is larger beyond tolerance; what has no amounts moves more with each time. */
function movesMore(expected: readonly Move[], moves: readonly Move[]): boolean {
  const fields = Object.keys(moves[0]!.amounts)
  const sum = (all: readonly Move[], field: string): bigint =>
    all.reduce((total, { amounts }) => total + (amounts[field] ?? 0n), 0n)
  return (
    fields.length === 0 ||
    fields.some((field) => {
      const before = sum(expected, field)
      return sum(moves, field) > before + toleranceOf(before)
    })
  )
}

/** The first holding that has lost something. Gains are none of the client's faults: interest and rewards accrue while the clock skips. */
function lostHolding(
  wanted: AccountOutcome['holdings'],
  found: AccountOutcome['holdings'],
): [key: string, wanted: bigint, found: bigint] | undefined {
  for (const [key, one] of Object.entries(wanted)) {
    const other = found[key] ?? 0n
    const tolerance = /^(locked_)?reward\//.test(key) ? one / 2n + dust : toleranceOf(one)
    if (one - other > tolerance) return [key, one, other]
  }
  return undefined
}

/** Rounded down, so that what is just beyond it counts. */
function toleranceOf(amount: bigint): bigint {
  return amount / tolerancePart + dust
}

/** `supply chain_id=8453 asset_symbol=USDC market_type=COMET` for people: `supply USDC on base (market_type COMET)`. */
function intentText(intent: string): string {
  const [type, ...fields] = intent.split(' ')
  const { asset_symbol, chain_id, ...others } = Object.fromEntries(
    fields.map((field) => field.split('=') as [string, string]),
  )
  const network = networks.find(({ chainId }) => String(chainId) === chain_id)?.name ?? chain_id
  const rest = Object.entries(others).map(([name, value]) => `${name} ${value}`)
  return [
    type,
    ...(asset_symbol === undefined ? [] : [asset_symbol]),
    ...(network === undefined ? [] : [`on ${network}`]),
    ...(rest.length === 0 ? [] : [`(${rest.join(', ')})`]),
  ].join(' ')
}

/** `4 USDC on base (token/base/USDC)`; what is no amount of a known token stays in smallest units. */
function holdingText(key: string, units: bigint): string {
  const [, network = '', symbol = ''] = key.split('/')
  const text = tokenText(symbol, network, units)
  return text === undefined
    ? `${units} of ${key} (smallest unit)`
    : `${text} on ${network} (${key})`
}

/** The amount in whole tokens; undefined where there is no such token. */
function tokenText(symbol: string, network: string, units: bigint): string | undefined {
  const name = networks.find((each) => each.name === network)?.name
  const token = name && loadAddressBook().token(name, symbol)
  return token && `${formatUnits(units, token.decimals)} ${symbol}`
}

function amountsText({ amounts, intent }: Move): string {
  const { asset_symbol = '', chain_id } = Object.fromEntries(
    intent.split(' ').map((field) => field.split('=') as [string, string]),
  )
  const network = networks.find(({ chainId }) => String(chainId) === chain_id)?.name ?? ''
  const texts = Object.entries(amounts).map(
    ([field, amount]) =>
      `${field} ${(field === 'amount' && tokenText(asset_symbol, network, amount)) || amount}`,
  )
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
