import { networks } from '../../../deployments/networks.js'
import type { ClientFinding } from '../types.js'
import { lossText, tokenText, toleranceOf, worthInUsd } from './holdings.js'
import type { AccountOutcome, MoneyOutcome, Move, WorldPrices } from './outcome.js'

type Difference = Pick<ClientFinding, 'message' | 'about' | 'until'>

/**
 * An intent that was executed more often than in the baseline, and moved more money. Accounts are compared in the order of their creation,
 * without those in which nothing happened.
 */
export function movedTwice(baseline: MoneyOutcome, outcome: MoneyOutcome): Difference | undefined {
  const known = used(baseline)
  for (const [place, account] of used(outcome).entries()) {
    const before = grouped(known[place]?.moves ?? [])
    for (const [intent, moves] of grouped(asExpected(account.moves, before, baseline.prices))) {
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

/** Money that is worth less than in the baseline, or an intent that was not executed. */
export function misplaced(baseline: MoneyOutcome, outcome: MoneyOutcome): Difference | undefined {
  const reached = used(outcome)
  for (const [place, expected] of used(baseline).entries()) {
    const account = reached[place]
    if (!account)
      return {
        message: `Without faults there is an account number ${place + 1} with funds or activities; now there is none.`,
        about: undefined,
      }
    const before = grouped(expected.moves)
    const there = grouped(asExpected(account.moves, before, baseline.prices))
    for (const [intent, moves] of before) {
      const done = there.get(intent)?.length ?? 0
      if (done >= moves.length) continue
      return {
        message: `Account ${account.id} executed "${intentText(intent)}" ${timesText(done)}; without faults it did so ${timesText(moves.length)}.`,
        about: account.id,
      }
    }
    const loss = lossText(expected.holdings, account.holdings, baseline.prices ?? {})
    if (loss !== undefined) return { message: `Account ${account.id} ${loss}`, about: account.id }
  }
  return undefined
}

/** The first move whose amounts no other expected one has; the last one when all have. */
function unexpected(expected: readonly Move[], moves: readonly Move[]): Move {
  return unmatched(moves, expected)[0] ?? moves.at(-1)!
}

/** The moves without a counterpart of the same amounts; each move is the counterpart of one other. */
function unmatched(moves: readonly Move[], others: readonly Move[]): Move[] {
  const left = [...others]
  return moves.filter((move) => {
    const place = left.findIndex((each) => isAlike(each, move))
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

/** Intents that leave the money in the account, so that another market or asset may serve as well. */
const staying: readonly string[] = ['supply', 'withdraw']

/** The moves of a run, where a move of the same type and worth counts as a missing one of the baseline. */
function asExpected(
  moves: readonly Move[],
  expected: ReadonlyMap<string, readonly Move[]>,
  prices: WorldPrices = {},
): Move[] {
  const there = grouped(moves)
  const missing = [...expected].flatMap(([intent, wanted]) => {
    const done = there.get(intent) ?? []
    return unmatched(wanted, done).slice(0, Math.max(0, wanted.length - done.length))
  })
  return moves.map((move) => {
    if (expected.has(move.intent)) return move
    const place = missing.findIndex((each) => standsInFor(move, each, prices))
    const [missed] = place < 0 ? [] : missing.splice(place, 1)
    return missed ? { ...move, intent: missed.intent, amounts: missed.amounts } : move
  })
}

function standsInFor(move: Move, missing: Move, prices: WorldPrices): boolean {
  const [made, wanting] = [fieldsOf(move.intent), fieldsOf(missing.intent)]
  if (made.type !== wanting.type || !staying.includes(made.type)) return false
  if (made.symbol === wanting.symbol) return isAlike(missing, move)
  const usd = ({ amounts }: Move, asset: Fields) => worthInUsd(asset, amounts.amount ?? 0n, prices)
  const [worth, wanted] = [usd(move, made), usd(missing, wanting)]
  return worth !== undefined && wanted !== undefined && isClose(worth, wanted)
}

function isAlike(move: Move, other: Move): boolean {
  return Object.entries(move.amounts).every(([field, amount]) =>
    isClose(other.amounts[field] ?? 0n, amount),
  )
}

function isClose(amount: bigint, wanted: bigint): boolean {
  const distance = amount - wanted
  return (distance < 0n ? -distance : distance) <= toleranceOf(wanted)
}

function used({ accounts }: MoneyOutcome): AccountOutcome[] {
  return accounts.filter(
    ({ holdings, moves }) => Object.keys(holdings).length > 0 || moves.length > 0,
  )
}

function grouped(moves: readonly Move[]): Map<string, Move[]> {
  const groups = new Map<string, Move[]>()
  for (const move of moves) groups.set(move.intent, [...(groups.get(move.intent) ?? []), move])
  return groups
}

/** Whether the sum of some amount is larger beyond tolerance; moves without amounts move more each time. */
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

interface Fields {
  type: string
  symbol: string
  /** Its name, or its chain id when it is unknown. */
  network: string
  /** All others. */
  rest: Record<string, string>
}

function fieldsOf(intent: string): Fields {
  const [type = '', ...fields] = intent.split(' ')
  const {
    asset_symbol = '',
    chain_id = '',
    ...rest
  } = Object.fromEntries(fields.map((field) => field.split('=') as [string, string]))
  const network = networks.find(({ chainId }) => String(chainId) === chain_id)?.name ?? chain_id
  return { type, symbol: asset_symbol, network, rest }
}

/** `supply chain_id=8453 asset_symbol=USDC market_type=COMET` for people: `supply USDC on base (market_type COMET)`. */
function intentText(intent: string): string {
  const { type, symbol, network, rest } = fieldsOf(intent)
  const others = Object.entries(rest).map(([name, value]) => `${name} ${value}`)
  return [
    type,
    ...(symbol === '' ? [] : [symbol]),
    ...(network === '' ? [] : [`on ${network}`]),
    ...(others.length === 0 ? [] : [`(${others.join(', ')})`]),
  ].join(' ')
}

function amountsText({ amounts, intent }: Move): string {
  const { symbol, network } = fieldsOf(intent)
  const texts = Object.entries(amounts).map(
    ([field, amount]) =>
      `${field} ${(field === 'amount' && tokenText(symbol, network, amount)) || amount}`,
  )
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
