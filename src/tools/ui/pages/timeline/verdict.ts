import type { WhyView } from '../../api/types.js'
import { fact, type Tone } from './elements.js'
import { shownUrl } from './words.js'

/** One thing that went wrong, in words. */
export interface Finding {
  tone: Tone
  title: string
  text: string | undefined
  hint: string | undefined
  /** The moment that says it; undefined for what the store says. */
  index: number | undefined
}

const most = 6

/** What went wrong, so that nobody has to look for it: rules that fired, refusals, and why the activity failed. */
export function findingsOf({ timeline, verdict, now }: WhyView): Finding[] {
  const urls = new Map(
    timeline.flatMap(({ type, request_id, title }) =>
      type === 'request' ? [[request_id, shownUrl(title)] as const] : [],
    ),
  )
  const found = timeline.flatMap((moment, index): Finding[] => {
    const { type, title, request_id } = moment
    const hint = fact(moment, 'hint')
    if (type === 'cause')
      return [{ tone: 'bad', title: 'Cause', text: title, hint: undefined, index }]
    if (type === 'fault') {
      const text = fact(moment, 'effect')
      return [{ tone: 'warn', title: `Fault ${fact(moment, 'rule')} fired`, text, hint, index }]
    }
    const { status, cut } = moment.details
    const isRefusal = type === 'answer' && (cut === true || Number(status) >= 400)
    if (!isRefusal) return []
    const asked = urls.get(request_id) ?? 'a request'
    return [
      { tone: 'bad', title: `${asked}: ${title}`, text: fact(moment, 'message'), hint, index },
    ]
  })
  const isFailed = verdict.outcome === 'failed'
  const isHeld = verdict.outcome === 'pending' && found.length > 0
  const activity: Finding[] =
    isFailed || isHeld
      ? [
          {
            tone: isFailed ? 'bad' : 'warn',
            title: isFailed ? 'The activity failed' : 'The activity is pending',
            text: now,
            hint: undefined,
            index: undefined,
          },
        ]
      : []
  // The cause comes first, and is not repeated as the hint of the refusal.
  const causes = found.filter(({ title }) => title === 'Cause')
  const said = new Set(causes.map(({ text }) => text))
  const others = found
    .filter(({ title }) => title !== 'Cause')
    .map((each) => (said.has(each.hint) ? { ...each, hint: undefined } : each))
  return [...activity, ...causes, ...others].slice(0, most)
}
