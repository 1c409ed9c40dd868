// The same for the client, which browsers load too.
const { Date: NativeDate } = globalThis

export { NativeDate as Date }
export const { setTimeout, clearTimeout, setInterval, clearInterval, performance, queueMicrotask } =
  globalThis
