import { defineEffect } from '../../rules/effect.js'

/** The work is done and the answer is lost: the client cannot tell it from `reset_before`. */
export const resetAfter = defineEffect({
  on: 'request',
  name: 'reset_after',
  summary: 'The request is carried out, and the connection is cut without a response.',
  outcome: () => ({ text: 'cut the connection after the request was carried out' }),
  async apply(_, call, proceed) {
    try {
      return await proceed()
    } finally {
      call.cut()
    }
  },
})
