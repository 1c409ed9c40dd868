import { keepNewest } from '../../lib/keepNewest.js'
import type { Rpc } from './rpc.js'
import type { Standing } from './standing.js'

/** The state of a whole network has about 80 kB with its question, and each network keeps so many. */
const most = 16

/**
 * Gives a question about the next block (`eth_call`, `pending`) the answer that it had before, as long as the node stands as it stood
 * then. Past `rpc` nothing is different.
 */
export function keepAnswers(rpc: Rpc, standing: Standing): Rpc {
  const answers = new Map<string, unknown>()
  let standsAt: string | undefined
  const ask = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    if (standing.isUnsettled) {
      const pooled = () => rpc.request<{ pending: string }>('txpool_status')
      void standing.settle(pooled).catch(() => {}) // The answer to the question says what is wrong.
    }
    const before = standing.mark()
    const question = JSON.stringify(params)
    if (before === undefined || before !== standsAt) {
      answers.clear()
      standsAt = before
    }
    const known = answers.get(question)
    if (known !== undefined) return known as T
    const answer = await rpc.request<T>(method, params)
    if (before !== undefined && before === standsAt && before === standing.mark()) {
      answers.set(question, answer)
      keepNewest(answers, most)
    }
    return answer
  }
  return {
    request: <T>(method: string, params: readonly unknown[] = []) =>
      // With a third parameter it is about another state than the node's own.
      method === 'eth_call' && params.length === 2 && params[1] === 'pending'
        ? ask<T>(method, params)
        : rpc.request<T>(method, params),
    close: () => rpc.close(),
  }
}
