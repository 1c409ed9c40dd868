import { setMaxListeners } from 'node:events'

/** A controller whose signal any number may wait for: Node takes the eleventh listener for a leak, and says so. */
export function manyAborted(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
