import { type ChainStep, firstParam } from './pipeline.js'

/** Knows whether a node mines transactions at once, since every command that changes this goes through its channels. */
export interface MiningWatch {
  /** Whether it mines each transaction at once; undefined while unknown. */
  isOn: boolean | undefined
  /**
   * Resolves when a command next begins or ends after which a waiting transaction may be mined, or transactions have to wait. Resolves
   * at that very moment, before anybody can see the block.
   */
  stirs(): Promise<void>
  /** The node has a new process. */
  renew(): void
  /** Watches the messages to the node. */
  readonly step: ChainStep
}

/** @param isOn Whether the node is known to mine at the start. */
export function createMiningWatch(isOn?: boolean): MiningWatch {
  const waiting: (() => void)[] = []
  const stir = (): void => {
    for (const go of waiting.splice(0)) go()
  }
  const self: MiningWatch = {
    isOn,
    stirs: () => new Promise((resolve) => waiting.push(resolve)),
    renew() {
      self.isOn = undefined
      stir()
    },
    async step(request, next) {
      const { effect, turn, name } = request.about
      if (effect === 'read') return next(request)
      stir()
      try {
        const answer = await next(request)
        // Callers ask the node when this is undefined.
        if (turn === 'mining mode')
          self.isOn = answer.error
            ? undefined
            : name === 'setAutomine' && firstParam(request) === true
        return answer
      } finally {
        stir()
      }
    },
  }
  return self
}
