import type { ExchangeView } from '../../api/types.js'
import { errorCodeIn } from '../../parts/text.js'

/** Pairs the requests of two worlds by position. Successful reads are left out, because a client may poll more often in one of them. */
export function compareWorlds(one: readonly ExchangeView[], other: readonly ExchangeView[]) {
  const [ones, others] = [one, other].map((all) => all.filter((each) => !isGoodRead(each)))
  const most = Math.max(ones!.length, others!.length)
  return Array.from({ length: most }, (_, step) => {
    const [a, b] = [ones![step], others![step]]
    return { one: a, other: b, isSame: !!a && !!b && wordsOf(a) === wordsOf(b) }
  })
}

const isGoodRead = ({ method, answer }: ExchangeView): boolean =>
  method === 'GET' && !!answer && !answer.cut && answer.status < 400

/** Ids, hashes, addresses and signatures are others in every world. */
const drawn = /\b[a-z]{2,3}_[0-9A-Za-z]{6,32}\b|\b0x[0-9a-f]+/gi

function wordsOf({ method, url, body, answer }: ExchangeView): string {
  const request = `${method} ${url} ${typeof body === 'string' ? body : (JSON.stringify(body) ?? '')}`
  return `${request.replaceAll(drawn, '')} ${shownOutcome(answer)}`
}

/** `409 plan_stale`, `201`, `cut`, or nothing yet. */
export function shownOutcome(answer: ExchangeView['answer'] | undefined): string {
  if (!answer) return ''
  if (answer.cut) return 'cut'
  return [answer.status, errorCodeIn(answer.body)].filter((part) => part !== undefined).join(' ')
}
