import { createHash } from 'node:crypto'
import type { Ids } from '../../lib/ids.js'
import { requestFaults } from '../rules/requestFaults.js'

const otherAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The id in another form: the same prefix, then 26 characters of another alphabet. */
function otherIdOf(id: string): string {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 26)
  const letters = Array.from(bytes, (byte) => otherAlphabet[byte % otherAlphabet.length])
  return `${id.slice(0, id.indexOf('_') + 1)}${letters.join('')}`
}

/** The ids, in another form for requests that meet `answer.other_ids`: drawn as ever, so that a seed gives the same ones. */
export function withOtherIds<I extends Ids>(ids: I): I {
  const other = (draw: () => string) => () => {
    const id = draw()
    return requestFaults().hasOtherIds ? otherIdOf(id) : id
  }
  const { account, plan, activity, intent } = ids
  return {
    ...ids,
    account: other(account),
    plan: other(plan),
    activity: other(activity),
    intent: other(intent),
  }
}
