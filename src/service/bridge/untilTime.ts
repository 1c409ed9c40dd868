import type { Hex } from 'viem'
import type { Node } from '../../chain/rpc/node.js'
import { actors } from '../../deployments/actors.js'
import type { Wait } from '../../time/clock.js'
import { addressOf, type Deposit } from './deposit.js'
import type { FillParts } from './fill.js'

/**
 * Waits until a deposit that is exclusive to another relayer is open to all, or cannot be filled any more. False when told to
 * stop.
 */
export function untilOpen(
  { nodes, wait }: FillParts & { wait: Wait },
  { relayData, to }: Deposit,
  signal: AbortSignal,
): Promise<boolean> | true {
  const { exclusiveRelayer, exclusivityDeadline, fillDeadline } = relayData
  const isOurs = addressOf(exclusiveRelayer).toLowerCase() === actors.relayer
  if (exclusivityDeadline === 0 || isOurs) return true
  return untilChainTime(
    wait,
    nodes.get(to),
    Math.min(exclusivityDeadline, fillDeadline) + 1,
    signal,
  )
}

/** Waits until the network's next block would have this time (Unix seconds) or a later one. False when told to stop. */
export async function untilChainTime(
  wait: Wait,
  { rpc }: Node,
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    // The chain's own time, since the contract uses that; it may have been moved away from the clock.
    const next = await rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['pending', false])
    const missing = seconds - Number(next.timestamp)
    if (missing <= 0) return true
    if (!(await wait(missing * 1000, signal))) return false
  }
}
