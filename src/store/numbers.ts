import type { ActivityNumbers, NewActivity } from './store.js'

/** The numbers that have been given: each kind counts by itself and only grows. JSON-safe. */
export interface Numbers {
  last: Record<keyof ActivityNumbers, number>
  /** By wallet address in lower case. */
  wallets: Record<string, number>
}

/** Before the first activity. */
export function noNumbers(): Numbers {
  return { last: { activity: 0, intent: 0, wallet: 0, operation: 0, execution: 0 }, wallets: {} }
}

/** Draws the numbers of an activity of this wallet, and of all its parts. */
export function drawNumbers(
  { last, wallets }: Numbers,
  activity: NewActivity,
  walletAddress: string,
): ActivityNumbers {
  const { operations, executions } = partsOf(activity)
  const wallet = walletAddress.toLowerCase()
  wallets[wallet] ??= ++last.wallet
  const numbers = {
    activity: ++last.activity,
    intent: activity.planId === null ? null : ++last.intent,
    wallet: wallets[wallet],
    operation: last.operation + 1,
    execution: last.execution + 1,
  }
  last.operation += operations
  last.execution += executions
  return numbers
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
  return { last, wallets: { ...one.wallets, ...other.wallets } }
}

/** How a path names an activity: by its number, a decimal integer without sign or leading zeros, or by its `act_` id. */
export function activityKey(text: string): number | string {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : text
}
