import { defineEffect } from '../../rules/effect.js'

/** The connection ends before anything is done: asking again is safe. */
export const resetBefore = defineEffect({
  on: 'request',
  name: 'reset_before',
  summary: 'The connection is cut before the request is carried out.',
  outcome: () => ({ text: 'cut the connection before the request was carried out' }),
  async apply(_, call) {
    call.cut()
    return undefined
  },
})
