import { type Address, decodeEventLog, erc20Abi, type Hex, parseEventLogs, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { actors } from '../../src/deployments/actors.js'
import { iSpokePoolAbi } from '../../src/generated/abis.js'
import { contractsOn, type Effect, friend, grant, type Life, type Place, places } from './life.js'
import { chainIdOf, type Log, type Sight } from './sight.js'

/** Every unit of USDC that came to the wallet or left it, by the chains' logs: there is a reason for each, and each reason counts once. */

/** What moved, in the smallest unit. */
interface Move {
  on: Place
  what: Effect['kind'] | 'grant' | 'deposit' | 'fill' | 'refund'
  amount: bigint
  transaction: Hex
}

/** What the pool's logs say of a deposit or a fill. */
interface Bridged extends Omit<Move, 'what'> {
  what: 'deposit' | 'fill'
  /** Where it comes from and what it is about, without its number: a deposit that was made again may have another. */
  about: string
  input: bigint
  output: bigint
}

/** Throws for a transfer that has none of the reasons that there are. */
function movesIn(on: Place, logs: readonly Log[], wallet: Address): Move[] {
  const { usdc, spokePool, comet, exchange } = contractsOn(on)
  const transfers = parseEventLogs({
    ...{ abi: erc20Abi, eventName: 'Transfer' as const },
    logs: logs.filter(({ address }) => address.toLowerCase() === usdc) as never[],
  })
  const reasons: Record<'in' | 'out', Record<Address, Move['what']>> = {
    in: {
      [zeroAddress]: 'grant',
      [actors.relayer]: 'fill',
      [spokePool]: 'refund',
      [comet]: 'withdraw',
    },
    out: { [spokePool]: 'deposit', [comet]: 'earn', [friend]: 'transfer', [exchange]: 'swap' },
  }
  return transfers.flatMap(({ args, transactionHash: transaction }): Move[] => {
    const [from, to] = [args.from, args.to].map((each) => each.toLowerCase() as Address)
    const [way, other] = from === wallet ? (['out', to!] as const) : (['in', from!] as const)
    if (from !== wallet && to !== wallet) return []
    const what = reasons[way][other]
    if (!what) throw new Error(`${args.value} USDC on ${on} went ${way}, from or to ${other}`)
    return [{ on, what, amount: args.value, transaction }]
  })
}

const eventNames = ['FundsDeposited', 'FilledRelay'] as const

function bridgedIn(on: Place, logs: readonly Log[], wallet: Address): Bridged[] {
  const { spokePool } = contractsOn(on)
  const own = logs.filter(({ address }) => address.toLowerCase() === spokePool)
  return own.flatMap((log): Bridged[] => {
    const { eventName, args } = decodeEventLog({ abi: iSpokePoolAbi, ...log })
    if (!(eventNames as readonly string[]).includes(eventName)) return []
    const said = args as {
      depositor: Hex
      originChainId?: bigint
      inputAmount: bigint
      outputAmount: bigint
      fillDeadline: number
    }
    if (BigInt(said.depositor) !== BigInt(wallet)) return []
    const { originChainId: from = BigInt(chainIdOf(on)), inputAmount: input } = said
    const { outputAmount: output } = said
    const about = [from, input, output, said.fillDeadline].join('/')
    const what = eventName === 'FilledRelay' ? 'fill' : 'deposit'
    const amount = what === 'fill' ? output : input
    return [{ what, on, about, input, output, amount, transaction: log.transactionHash }]
  })
}

const nameOf = ({ what, on, amount, transaction }: Omit<Move, 'what'> & { what: string }): string =>
  `${what} of ${amount} on ${on} in ${transaction}`

/** The hint of the folio, by hand: 0.9999 of the input arrives, less 0.003 USDC. */
const arrives = (input: bigint): bigint => (input * 9_999n) / 10_000n - 3_000n

/**
 * Every fill pays for a deposit, none twice; a deposit that went back was not filled. At the `end` each has gone one of both ways. Where a
 * reorganisation took the grant as well, a deposit cannot be made again, and its fill stays.
 */
function bridgesAgree(
  moves: readonly Move[],
  bridged: readonly Bridged[],
  granted: readonly Place[],
  isEnd: boolean,
): void {
  const told = moves.filter(({ what }) => what === 'deposit' || what === 'fill').map(nameOf)
  expect(told.sort(), 'the money of deposits and fills').toEqual(bridged.map(nameOf).sort())
  const open = bridged.filter(({ what }) => what === 'deposit')
  for (const { input, output } of open)
    expect([input, output], 'an input, and what arrives of it').toEqual([input, arrives(input)])
  const close = (reason: string, test: (deposit: Bridged) => boolean): void => {
    const at = open.findIndex(test)
    expect(at, `${reason} of no deposit, or of one that has ended`).toBeGreaterThanOrEqual(0)
    open.splice(at, 1)
  }
  for (const { what, about } of bridged)
    if (what === 'fill' && granted.some((on) => about.startsWith(`${chainIdOf(on)}/`)))
      close(`a fill ${about}`, (deposit) => deposit.about === about)
  for (const move of moves)
    if (move.what === 'refund')
      close(nameOf(move), ({ on, input }) => on === move.on && input === move.amount)
  if (isEnd) expect(open.map(nameOf), 'deposits that nobody ended').toEqual([])
}

/**
 * What is confirmed has happened, once; what has happened is confirmed or, before the `end`, under way. When a deposit cannot be made again
 * (not all is `granted`), its plan has failed, though what it paid for stays.
 */
function effectsAgree(
  life: Life,
  sight: Sight,
  moves: readonly Move[],
  granted: readonly Place[],
): void {
  const statuses = new Map(sight.activities.map((each) => [each.activity_id, each.activity_status]))
  const text = ({ kind, on, amount }: Effect): string => `${kind} of ${amount} on ${on}`
  const of = (wanted: string): string[] =>
    life.memory.executions
      .filter(({ activityId }) => statuses.get(activityId) === wanted)
      .map(({ effect }) => text(effect))
  const seen = moves
    .filter(({ what }) => ['transfer', 'earn', 'withdraw', 'swap'].includes(what))
    .map(({ what, ...more }) => text({ ...more, kind: what as Effect['kind'] }))
  expect(without(of('confirmed'), seen), 'confirmed, but it has not happened').toEqual([])
  const more = without(seen, of('confirmed'))
  const others = [...of('pending'), ...(granted.length < places.length ? of('failed') : [])]
  expect(without(more, others), 'happened, but it is not confirmed').toEqual([])
  if (more.length > 0) return
  for (const on of places) {
    const bought = life.memory.executions
      .filter((each) => statuses.get(each.activityId) === 'confirmed' && each.effect.on === on)
      .reduce((sum, each) => sum + each.bought, 0n)
    expect([on, sight.on[on].weth], 'WETH that swaps have left').toEqual([on, bought])
  }
}

/** The first list without the second; each entry counts. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...texts]
  for (const other of others) {
    const at = left.indexOf(other)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

/** Nothing of the wallet's money has come from nowhere, or gone. */
export function moneyAgrees(life: Life, sight: Sight, isEnd: boolean): void {
  const wallet = life.user.wallet.toLowerCase() as Address
  const all = places.map((on) => {
    const { logs, usdc } = sight.on[on]
    const moves = movesIn(on, logs, wallet)
    const sum = (...names: Move['what'][]) =>
      moves
        .filter(({ what }) => names.includes(what))
        .reduce((total, { amount }) => total + amount, 0n)
    const gained =
      sum('grant', 'fill', 'refund', 'withdraw') - sum('deposit', 'earn', 'transfer', 'swap')
    // A fork's token is not minted, so its log lacks the grant. A reorganisation may have taken the grant back.
    const isWhole = gained === usdc || (sum('grant') === 0n && gained + grant === usdc)
    expect([usdc, isWhole], `what the logs of ${on} leave is ${gained}`).toEqual([usdc, true])
    const hasGrant = sum('grant') > 0n || gained !== usdc
    return { on, moves, bridged: bridgedIn(on, logs, wallet), hasGrant }
  })
  const moves = all.flatMap((each) => each.moves)
  const bridged = all.flatMap((each) => each.bridged)
  const granted = all.filter(({ hasGrant }) => hasGrant).map(({ on }) => on)
  bridgesAgree(moves, bridged, granted, isEnd)
  effectsAgree(life, sight, moves, granted)
}
