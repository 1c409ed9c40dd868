// What Node has, taken when the bundles are loaded: tests replace timers and `Date` afterwards, and a simulator in the same process must not
// stand still with them. `bundle.mjs` puts these in the place of the globals, also in the packages inside.
import timers from 'node:timers'

export const {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
} = timers
const { Date: NativeDate } = globalThis

export { NativeDate as Date }
export const { performance, queueMicrotask, fetch } = globalThis
export const { nextTick, hrtime } = process
