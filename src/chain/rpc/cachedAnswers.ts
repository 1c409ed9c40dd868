import { keepNewest } from '../../lib/keepNewest.js'
import type { Gate, Pooled } from './gate.js'
import type { NodeAnswer } from './nodeSocket.js'
import { askOver, type ChainStep, firstParam, type NodeRequest } from './pipeline.js'

/** How many answers each network keeps. The state of a whole network takes about 80 kB, with its request. */
const maxAnswers = 16

/**
 * Caches the node's answers to the service's requests about the latest block (number, header) or the next one (`eth_call` at `pending`).
 * They are valid until the node may have changed.
 */
export function cacheAnswers(gate: Gate): ChainStep {
  const answers = new Map<string, NodeAnswer>()
  let standsAt: string | undefined
  return async (request, next) => {
    const isCall = isAboutNextBlock(request)
    if (!isCall && !isAboutLatestBlock(request)) return next(request)
    if (isCall && gate.isUnsettled) {
      const pooled = () => askOver(request, next)<Pooled>('txpool_status')
      void gate.settle(pooled).catch(() => {}) // the request itself will fail with the reason
    }
    const before = gate.mark()
    const question = `${request.method} ${JSON.stringify(request.params)}`
    if (before === undefined || before !== standsAt) {
      answers.clear()
      standsAt = before
    }
    const known = answers.get(question)
    if (known !== undefined) return known
    const answer = await next(request)
    const isSure = before !== undefined && before === standsAt && before === gate.mark()
    if (isSure && !answer.error) {
      answers.set(question, answer)
      keepNewest(answers, maxAnswers)
    }
    return answer
  }
}

/** With a third parameter (state overrides) the answer is not about the node's own state. */
function isAboutNextBlock({ by, about, params }: NodeRequest): boolean {
  return by === 'service' && about.cached === 'next block' && isList(params) && params.length === 2
    ? params[1] === 'pending'
    : false
}

function isAboutLatestBlock(request: NodeRequest): boolean {
  const { by, about } = request
  if (by !== 'service') return false
  if (about.cached === 'latest block') return firstParam(request) === 'latest'
  return about.cached === 'height'
}

const isList = (params: unknown): params is readonly unknown[] => Array.isArray(params)
