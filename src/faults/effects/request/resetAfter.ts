import { z } from 'zod'
import { defineEffect } from '../../rules/effect.js'

/** The work is done and the answer is lost: the client cannot tell it from `reset_before`. */
export const resetAfter = defineEffect({
  on: 'request',
  name: 'reset_after',
  summary: 'Everything is done, and the connection is cut without an answer.',
  settings: z.strictObject({}),
  async apply(_, call, proceed) {
    try {
      return await proceed()
    } finally {
      call.cut()
    }
  },
})
