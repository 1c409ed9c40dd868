import { methodEffect, sharedBlockMethod } from './methods.js'
import { type ChainStep, firstParam, type NodeRequest } from './pipeline.js'

/**
 * Tells whether a node may have changed since it was last read, without asking it: all changes go through its channels. While that is
 * unknown, for example while something is being sent, there is no mark.
 */
export interface ChangeTracker {
  /**
   * Equal marks before a request and after its answer mean that nothing changed in between: the same request has the same answer for
   * as long as the mark stays the same. Undefined while the node may be changing.
   */
  mark(): string | undefined
  /** Asks the node, with `pooled`, whether transactions wait. There are no marks until its pool is empty. */
  settle(pooled: () => Promise<Pooled>): Promise<void>
  /** Whether `settle` has to be called before there are marks. */
  readonly isUnsettled: boolean
  /** Whether the node's time stays at that of its latest block, as with a frozen clock. */
  readonly hasStillTime: boolean
  /** Suspends marks; returns a function that ends this. */
  hold(): () => void
  /** The node has a new process: unanswered requests of the old one will have no further effect. */
  renew(): void
  /** The step next to the node: notes what it is sent, and its answers. */
  readonly track: ChainStep
  /** The step next to the caller: covers what the command log sends in addition, before and after a message. */
  readonly settled: ChainStep
}

/** Transactions in the pool of a node (`txpool_status`), as hexadecimal counts; `queued` ones wait for a nonce. */
export interface Pooled {
  pending: string
  queued: string
}

/** @param isNew Whether nothing has been sent to the node yet. */
export function createChangeTracker(isNew: boolean): ChangeTracker {
  /** `version` counts the beginnings and ends of changes, `underWay` those that have not ended. */
  let [version, underWay] = [0, 0]
  /** Transactions may be in its pool, to be mined at any time. */
  let isUnsettled = !isNew
  /** Whether its time stays at that of its latest block, and whether it mines at intervals. */
  let [hasStillTime, minesByTheClock] = [false, false]
  const unanswered = new Set<() => void>()

  const begin = (): (() => void) => {
    let hasEnded = false
    version++
    underWay++
    return () => {
      if (hasEnded) return
      hasEnded = true
      version++
      underWay--
    }
  }
  const note = (hasFailed: boolean, request: NodeRequest): void => {
    const effect = methodEffect(request.method, request.params)
    const { name, waitsForBlock } = request.about
    const first = firstParam(request)
    // Other pooled transactions may be mined later. A revert leaves the pool as it is.
    if ((effect === 'beyond' && name !== 'revert') || name === 'setAutomine') isUnsettled = true
    if (effect === 'send' && (hasFailed || !(waitsForBlock || name === sharedBlockMethod)))
      isUnsettled = true
    if (name === 'setBlockTimestampInterval') hasStillTime = !hasFailed && Number(first) === 0
    if (['removeBlockTimestampInterval', 'reset', 'loadState'].includes(name)) hasStillTime = false
    if (name === 'setIntervalMining') minesByTheClock = hasFailed || Number(first) !== 0
    if (name === 'setAutomine' && first === true && !hasFailed) minesByTheClock = false
  }
  return {
    get isUnsettled() {
      return isUnsettled
    },
    get hasStillTime() {
      return hasStillTime
    },
    mark() {
      if (underWay > 0 || isUnsettled || minesByTheClock) return undefined
      // If the node's time runs, it follows the machine's in whole seconds, and interest accrues with it.
      return hasStillTime ? `${version}` : `${version} ${Math.floor(Date.now() / 1000)}`
    },
    async settle(pooled) {
      const before = version
      const { pending, queued } = await pooled()
      const isEmpty = BigInt(pending) === 0n && BigInt(queued) === 0n
      if (version === before && underWay === 0 && isEmpty) isUnsettled = false
    },
    renew() {
      for (const end of [...unanswered, begin()]) end()
      isUnsettled = true
    },
    hold: begin,
    async track(request, next) {
      if (request.about.effect === 'read') return next(request)
      // Without an answer the node may still carry it out at any time, so this change does not end.
      const end = begin()
      unanswered.add(end)
      const answer = await next(request)
      unanswered.delete(end)
      note(answer.error !== undefined, request)
      end()
      return answer
    },
    async settled(request, next) {
      if (request.about.effect === 'read') return next(request)
      const end = begin()
      try {
        return await next(request)
      } finally {
        end()
      }
    },
  }
}
