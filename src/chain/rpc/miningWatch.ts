import { commandKind } from './nodeCommand.js'
import type { ChainStep } from './pipeline.js'

/** Knows whether a node mines what it is sent, since all that changes it goes through its channels. */
export interface MiningWatch {
  /** Whether it mines each transaction at once; undefined while that is not known. */
  isOn: boolean | undefined
  /**
   * Resolves when something begins or ends next by which a waiting transaction may be mined, or by which transactions have to wait: in
   * that very moment, so before anybody can see the block.
   */
  stirs(): Promise<void>
  /** Its process is another one. */
  renew(): void
  /** Watches what goes to the node. */
  readonly step: ChainStep
}

const switchesMining = /_(setautomine|setintervalmining)$/i

/** @param isOn Whether the node is known to mine at the start. */
export function createMiningWatch(isOn?: boolean): MiningWatch {
  const waiting: (() => void)[] = []
  const stir = (): void => {
    for (const go of waiting.splice(0)) go()
  }
  const note = (text: string, answer: string): void => {
    // Which of them was refused need not be found out: who wants to know asks the node.
    if (answer.includes('"error"')) {
      self.isOn = undefined
      return
    }
    const sent = JSON.parse(text) as { method: string; params?: unknown[] } | object[]
    for (const { method, params } of [sent].flat() as { method: string; params?: unknown[] }[])
      if (switchesMining.test(method)) self.isOn = /automine/i.test(method) && params?.[0] === true
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
      if (methods.every((method) => commandKind(method, undefined) === 'read')) return next(message)
      stir()
      try {
        const answer = await next(message)
        if (methods.some((method) => switchesMining.test(method))) note(text, answer)
        return answer
      } finally {
        stir()
      }
    },
  }
  return self
}
