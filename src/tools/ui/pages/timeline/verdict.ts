import type { WhyView } from '../../api/types.js'
import { fact, type Tone } from './elements.js'
import { shownUrl } from './words.js'

/** A moment at which something went wrong, in words. */
export interface Finding {
  tone: Tone
  title: string
  text: string | undefined
  index: number
}

const most = 6

/** The moments at which something went wrong: causes, rules that fired, and refusals; causes first. */
export function findingsOf({ timeline }: WhyView): Finding[] {
  const urls = new Map(
    timeline.flatMap(({ type, request_id, title }) =>
      type === 'request' ? [[request_id, shownUrl(title)] as const] : [],
    ),
  )
  const found = timeline.flatMap((moment, index): Finding[] => {
    const { type, title, request_id } = moment
    if (type === 'cause') return [{ tone: 'bad', title: 'Cause', text: title, index }]
    if (type === 'fault') {
      const text = fact(moment, 'effect')
      return [{ tone: 'warn', title: `Fault ${fact(moment, 'rule')} fired`, text, index }]
    }
    const { status, cut } = moment.details
    if (type !== 'answer' || (cut !== true && !(Number(status) >= 400))) return []
    const asked = urls.get(request_id) ?? 'a request'
    return [{ tone: 'bad', title: `${asked}: ${title}`, text: fact(moment, 'message'), index }]
  })
  const isCause = ({ title }: Finding) => title === 'Cause'
  return [...found.filter(isCause), ...found.filter((each) => !isCause(each))].slice(0, most)
}
