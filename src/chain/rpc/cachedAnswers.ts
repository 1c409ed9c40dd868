import { keepNewest } from '../../lib/keepNewest.js'
import type { ChangeTracker, Pooled } from './changeTracker.js'
import type { ChainMessage, ChainStep } from './pipeline.js'
import { parseAnswer } from './rpc.js'

/** The state of a whole network has about 80 kB with its question, and each network keeps so many. */
const most = 16

/**
 * Answers a question of the service about the latest block (number, head) or the next one (`eth_call`, `pending`) as it
 * was answered before, as long as the node stands as it stood then.
 */
export function cacheAnswers(changeTracker: ChangeTracker): ChainStep {
  const answers = new Map<string, string>()
  let standsAt: string | undefined
  return async (message, next) => {
    const isCall = isAboutNextBlock(message)
    if (!isCall && !isAboutLatestBlock(message)) return next(message)
    if (isCall && changeTracker.isUnsettled) {
      const { network } = message
      const text = '{"jsonrpc":"2.0","id":1,"method":"txpool_status","params":[]}'
      const pooled = async () =>
        parseAnswer(await next({ network, text, methods: ['txpool_status'], by: 'service' }))
          .result as Pooled
      void changeTracker.settle(pooled).catch(() => {}) // The answer to the question says what is wrong.
    }
    const before = changeTracker.mark()
    const question = message.text
    if (before === undefined || before !== standsAt) {
      answers.clear()
      standsAt = before
    }
    const known = answers.get(question)
    if (known !== undefined) return known
    const answer = await next(message)
    const isSure = before !== undefined && before === standsAt && before === changeTracker.mark()
    // An error is short, and has no part in a result, which is one number.
    if (isSure && !answer.includes('"error"')) {
      answers.set(question, answer)
      keepNewest(answers, most)
    }
    return answer
  }
}

/** With a third parameter it is about another state than the node's own, and ends otherwise. */
function isAboutNextBlock({ by, methods, text }: ChainMessage): boolean {
  return by === 'service' && methods[0] === 'eth_call' && text.endsWith(',"pending"]}')
}

function isAboutLatestBlock({ by, methods: [method], text }: ChainMessage): boolean {
  if (by !== 'service') return false
  if (method === 'eth_getBlockByNumber') return text.includes('"params":["latest",')
  return method === 'eth_blockNumber'
}
