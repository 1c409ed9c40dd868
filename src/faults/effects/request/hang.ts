import { defineEffect } from '../../rules/effect.js'
import { waitOrGone } from '../settings.js'

/** No answer at all: nothing is done, and the connection stays open until somebody gives up. */
export const hang = defineEffect({
  on: 'request',
  name: 'hang',
  summary:
    'Nothing is done and no response comes until the client gives up. Removing the rule cuts the connection.',
  outcome: () => ({ text: 'left the request without a response' }),
  async apply(_, call, _proceed, { rule, wait }) {
    await waitOrGone(wait, undefined, [rule.signal, call.signal])
    call.cut()
    return undefined
  },
})
