import { defineEffect } from '../../rules/effect.js'

/** The work is done and half of the answer comes through. */
export const truncate = defineEffect({
  on: 'request',
  name: 'truncate',
  summary:
    'The request is carried out. The response head and the first half of its body arrive, then the connection is cut.',
  outcome: () => ({ text: 'cut the response in the middle' }),
  apply(_, call, proceed) {
    call.truncate()
    return proceed()
  },
})
