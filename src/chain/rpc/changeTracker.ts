import { commandKind, type NodeCommand } from './nodeCommand.js'
import type { ChainStep } from './pipeline.js'

/**
 * Tells whether a node can have changed since it was last read. All that changes one goes through its channels, so nobody has to be
 * asked. Where it cannot be told, as while something is being sent, it says so.
 */
export interface ChangeTracker {
  /**
   * Equal marks, taken before a question and after its answer, say that nothing happened in between: the same question gets the
   * same answer for as long as the mark is this. Undefined while the node may be changing.
   */
  mark(): string | undefined
  /** Asks the node, with `pooled`, whether transactions wait; until it has none there are no marks. */
  settle(pooled: () => Promise<Pooled>): Promise<void>
  /** Whether `settle` has to be called before there are marks. */
  readonly isUnsettled: boolean
  /** Whether its time is that of its latest block until it is moved: the clock is frozen. */
  readonly hasStillTime: boolean
  /** From now on nothing is known of the node; returns how to end that. */
  hold(): () => void
  /** Its process is another one: what the one before was sent and did not answer is done, or will not be. */
  renew(): void
  /** Next to the node: what it is told, and whether it says that it was done. */
  readonly track: ChainStep
  /** Next to who asks: the log may send more than that, before and after it. */
  readonly settled: ChainStep
}

/** Transactions in the pool of a node (`txpool_status`), as hexadecimal counts; `queued` ones wait for a nonce. */
export interface Pooled {
  pending: string
  queued: string
}

/** The name of a method without its family (`anvil_`, `evm_`, `hardhat_`), which share their methods; in lower case. */
const named = (method: string): string => method.toLowerCase().replace(/^[a-z]+_/, '')

const isRead = (methods: readonly string[]): boolean =>
  methods.every((method) => commandKind(method, undefined) === 'read')

/** @param isNew Whether the node has not been sent anything yet. */
export function createChangeTracker(isNew: boolean): ChangeTracker {
  /** Counts what has begun and what has ended. */
  let [version, underWay] = [0, 0]
  /** Transactions may be in its pool, to be mined whenever it likes. */
  let isUnsettled = !isNew
  /** Whether its time is that of its latest block until there is another one, and whether blocks come by themselves. */
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
  const note = (answer: string, { method, params }: NodeCommand): void => {
    const kind = commandKind(method, params)
    if (kind === 'read') return
    const hasFailed = answer.includes('"error"')
    const first = Array.isArray(params) ? (params[0] as unknown) : undefined
    const name = named(method)
    // Other transactions than the one that is waited for may be mined later. A revert leaves the pool as it is.
    if ((kind === 'beyond' && name !== 'revert') || name === 'setautomine') isUnsettled = true
    if (kind === 'send' && (hasFailed || !name.endsWith('sync'))) isUnsettled = true
    if (name === 'setblocktimestampinterval') hasStillTime = !hasFailed && Number(first) === 0
    if (['removeblocktimestampinterval', 'reset', 'loadstate'].includes(name)) hasStillTime = false
    if (name === 'setintervalmining') minesByTheClock = hasFailed || Number(first) !== 0
    if (name === 'setautomine' && first === true && !hasFailed) minesByTheClock = false
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
      // A node whose time runs has the machine's, in whole seconds: interest accrues with it.
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
    async track(message, next) {
      if (isRead(message.methods)) return next(message)
      // Without an answer the node may still do it at any time, so that this never ends.
      const end = begin()
      unanswered.add(end)
      const answer = await next(message)
      unanswered.delete(end)
      const sent = JSON.parse(message.text) as NodeCommand | NodeCommand[]
      for (const command of [sent].flat()) note(answer, command)
      end()
      return answer
    },
    async settled(message, next) {
      if (isRead(message.methods)) return next(message)
      const end = begin()
      try {
        return await next(message)
      } finally {
        end()
      }
    },
  }
}
