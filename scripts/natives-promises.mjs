// The same for `node:timers/promises`.
import timers from 'node:timers/promises'

export const { setTimeout, setImmediate, setInterval, scheduler } = timers
