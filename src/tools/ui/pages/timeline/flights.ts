import type { Moment } from '../../api/types.js'
import { detailList, fact } from './elements.js'

/** A deposit whose funds have neither arrived nor come back. */
export interface Flight {
  /** The transaction that made the deposit. */
  moment: Moment
  from: string
  to: string
}

/** What is known beside the timeline: names of networks, and amounts in whole units. */
export interface Names {
  networkOf(chainId: string): string
  money(network: string, token: string, raw: string): string
}

/** The bridges that are under way at the end of a timeline. */
export function flightsOf(moments: readonly Moment[], networkOf: Names['networkOf']): Flight[] {
  const ended = moments.filter(({ type }) => type === 'bridge')
  return moments.flatMap((moment) => {
    if (moment.type !== 'transaction' || fact(moment, 'status') !== 'mined') return []
    return depositsOf(moment).flatMap((deposit) =>
      deposit.outputAmount === undefined ||
      ended.some((bridge) => depositFor(bridge, moment) === deposit)
        ? []
        : [
            {
              moment,
              from: fact(moment, 'network') ?? 'service',
              to: networkOf(String(deposit.destinationChainId)),
            },
          ],
    )
  })
}

type Deposit = Record<string, unknown>

/** The address within the 32 bytes that a deposit names its token by. */
export function tokenOf(deposit: Deposit): string {
  return `0x${String(deposit.outputToken).slice(-40)}`
}

function depositsOf(moment: Moment): Deposit[] {
  return detailList(moment, 'logs').flatMap(({ event, args }) =>
    event === 'FundsDeposited' ? [args as Deposit] : [],
  )
}

/** The deposit of a bridge, when this transaction made it: the bridge's log says its number. */
export function depositFor(bridge: Moment, moment: Moment): Deposit | undefined {
  if (moment.type !== 'transaction') return undefined
  if (fact(moment, 'network') !== fact(bridge, 'from')) return undefined
  if (fact(moment, 'activity_id') !== fact(bridge, 'activity_id')) return undefined
  return depositsOf(moment).find(({ depositId }) => depositId === fact(bridge, 'deposit_id'))
}
