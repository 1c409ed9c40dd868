import { isRead, methodOf } from './methods.js'
import type { ChainStep } from './pipeline.js'

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

const switchesMining = (method: string): boolean =>
  methodOf(method).turn === 'mining mode' && !isRead(method)

/** @param isOn Whether the node is known to mine at the start. */
export function createMiningWatch(isOn?: boolean): MiningWatch {
  const waiting: (() => void)[] = []
  const stir = (): void => {
    for (const go of waiting.splice(0)) go()
  }
  const note = (text: string, answer: string): void => {
    // Which command failed does not matter: callers ask the node when this is undefined.
    if (answer.includes('"error"')) {
      self.isOn = undefined
      return
    }
    const sent = JSON.parse(text) as { method: string; params?: unknown[] } | object[]
    for (const { method, params } of [sent].flat() as { method: string; params?: unknown[] }[])
      if (switchesMining(method))
        self.isOn = methodOf(method).name === 'setAutomine' && params?.[0] === true
  }
  const self: MiningWatch = {
    isOn,
    stirs: () => new Promise((resolve) => waiting.push(resolve)),
    renew() {
      self.isOn = undefined
      stir()
    },
    async step(message, next) {
      const { methods, text } = message
      if (methods.every(isRead)) return next(message)
      stir()
      try {
        const answer = await next(message)
        if (methods.some(switchesMining)) note(text, answer)
        return answer
      } finally {
        stir()
      }
    },
  }
  return self
}
