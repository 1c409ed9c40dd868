import { keepNewest } from '../../lib/keepNewest.js'
import type { ChangeTracker, Pooled } from './changeTracker.js'
import { type Method, methodOf } from './methods.js'
import type { ChainMessage, ChainStep } from './pipeline.js'
import { parseAnswer } from './rpc.js'

/** How many answers each network keeps. The state of a whole network takes about 80 kB, with its request. */
const maxAnswers = 16

/**
 * Caches the node's answers to the service's requests about the latest block (number, header) or the next one (`eth_call` at `pending`).
 * They are valid until the node may have changed.
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
      void changeTracker.settle(pooled).catch(() => {}) // the request itself will fail with the reason
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
    // Errors are not cached. A result, which is one hex number, cannot contain this text.
    if (isSure && !answer.includes('"error"')) {
      answers.set(question, answer)
      keepNewest(answers, maxAnswers)
    }
    return answer
  }
}

/** With a third parameter (state overrides), the text ends otherwise and the answer is not about the node's own state. */
function isAboutNextBlock({ by, methods, text }: ChainMessage): boolean {
  return isCached(by, methods, 'next block') && text.endsWith(',"pending"]}')
}

function isAboutLatestBlock({ by, methods, text }: ChainMessage): boolean {
  if (isCached(by, methods, 'latest block')) return text.includes('"params":["latest",')
  return isCached(by, methods, 'height')
}

const isCached = (by: string, [method]: readonly string[], what: Method['cached']): boolean =>
  by === 'service' && method !== undefined && methodOf(method).cached === what
