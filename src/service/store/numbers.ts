import type { ActivityNumbers, NewActivity } from './store.js'

export type LastNumbers = Record<keyof ActivityNumbers, number>

/** The numbers that have been given: each kind counts by itself and only grows. */
export interface Numbers {
  /** Replaced, never changed. */
  last: LastNumbers
  /** By wallet address in lower case. */
  wallets: Map<string, number>
}

export function noNumbers(): Numbers {
  return {
    last: { activity: 0, intent: 0, wallet: 0, operation: 0, execution: 0 },
    wallets: new Map(),
  }
}

/** Those that have the same numbers, and do not change with them. */
export function copyNumbers({ last, wallets }: Numbers): Numbers {
  return { last, wallets: new Map(wallets) }
}

/** The numbers of the next activity, which is of this wallet, and of all its parts; and the last ones when they have been given. */
export function nextNumbers(
  { last, wallets }: Numbers,
  activity: NewActivity,
  walletAddress: string,
): { own: ActivityNumbers; last: LastNumbers } {
  const { operations, executions } = partsOf(activity)
  const known = wallets.get(walletAddress.toLowerCase())
  const next = {
    activity: last.activity + 1,
    intent: activity.planId === null ? last.intent : last.intent + 1,
    wallet: known === undefined ? last.wallet + 1 : last.wallet,
    operation: last.operation + operations,
    execution: last.execution + executions,
  }
  const own = {
    activity: next.activity,
    intent: activity.planId === null ? null : next.intent,
    wallet: known ?? next.wallet,
    operation: last.operation + 1,
    execution: last.execution + 1,
  }
  return { own, last: next }
}

/** The operations of an activity by their place in it, and the transactions that run them: one for each network. */
function partsOf({ metadata }: NewActivity): { operations: number; executions: number } {
  const own = metadata.filter((item) => item.svc_operation_nonce !== null)
  return { operations: own.length, executions: new Set(own.map((item) => item.chain_id)).size }
}

/** What has been given in either of two lives of a store, so that a number of neither is given again. */
export function joinNumbers(one: Numbers, other: Numbers): Numbers {
  const last = { ...one.last }
  for (const kind of Object.keys(last) as (keyof ActivityNumbers)[])
    last[kind] = Math.max(one.last[kind], other.last[kind])
  return { last, wallets: new Map([...one.wallets, ...other.wallets]) }
}

/** How a path names an activity: by its number, a decimal integer without sign or leading zeros, or by its `act_` id. */
export function activityKey(text: string): number | string {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : text
}
