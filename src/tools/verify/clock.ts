import { setTimeout as sleep } from 'node:timers/promises'
import type { RunClock } from '../../clients/scenarios/play.js'

/** The machine's own time. */
export const realRunClock: RunClock = { now: Date.now, wait: (ms) => sleep(ms) }
