import { type ClockStart, type ClockState, frozenByDefault, isoSeconds } from '../time/clock.js'
import type { Nodes } from './rpc/node.js'
import { latestChainTime, mineUnlessHalted, setChainTimes } from './transactions/time.js'

/** The default mode of a clock. */
export const machineTime: ClockState = { mode: 'real', offsetMs: 0 }

/**
 * A loaded chain still shows the time at which it was saved, a forked one that of its block: one block brings all to the time
 * of the clock, where blocks are mined at all. No chain can go back: a running clock goes on from the latest of them, one that stands still refuses an earlier instant.
 */
export async function alignClocks(
  nodes: Nodes,
  start: ClockStart,
  { areForked = false, hasPersistedClock = false } = {},
): Promise<ClockState> {
  const latestMs = (await latestChainTime(nodes)) * 1000
  if (start.mode === 'real') {
    const behindMs = latestMs - (Date.now() + start.offsetMs)
    // The nodes keep the machine's time by themselves, but forked ones go on from their block.
    const areAlike = start.offsetMs === 0 && !areForked
    if (areAlike && behindMs <= 0) {
      await Promise.all(nodes.all().map(mineUnlessHalted))
      return start
    }
    const offsetMs = start.offsetMs + Math.max(0, behindMs)
    await setChainTimes(nodes, { mode: 'real', ms: Date.now() + offsetMs })
    return { mode: 'real', offsetMs }
  }
  const wantedMs = start.atMs === 'earliest' ? frozenByDefault : start.atMs
  // A sudden end may have come when the chains had moved on and the clock had not.
  const mayMove = start.atMs === 'earliest' || hasPersistedClock
  const atMs = mayMove ? Math.max(wantedMs, latestMs) : wantedMs
  if (atMs < latestMs)
    throw new Error(
      `The clock cannot be frozen at ${isoSeconds(atMs)}: the chains are at ${isoSeconds(latestMs)} and cannot go back. Choose a later instant, or "real".`,
    )
  const { mode } = start
  await setChainTimes(nodes, { mode, ms: atMs })
  return { mode, atMs }
}
