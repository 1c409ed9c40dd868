/** What waits to be written. */
interface Entry {
  text: string
  undo: () => void
  resolve: () => void
  reject: (cause: unknown) => void
}

/** Writes of many callers in one order, several to one disk write. */
export interface GroupWrites {
  /**
   * Writes behind everything that was added before; resolves when it is on the disk. When that fails, nothing of what is not on
   * the disk yet counts any more: all of it is undone, the last first, and then all of it rejects.
   */
  add(text: string, undo?: () => void): Promise<void>
  /** True at once when nothing waits; else whether what waits now has reached the disk. */
  settled(): true | Promise<boolean>
  /** Does something between two writes: what was added before has been written by then, or undone. */
  between(work: () => Promise<void>): Promise<void>
}

/** `write` puts texts at the end, for good or not at all. It is never called twice at once. */
export function createGroupWrites(write: (texts: readonly string[]) => Promise<void>): GroupWrites {
  let waiting: Entry[] = []
  let steps: (() => Promise<void>)[] = []
  /** The newest of what waits; undefined when nothing does. */
  let last: Promise<void> | undefined
  let isBusy = false

  const writeWaiting = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      await write(batch.map(({ text }) => text))
    } catch (error) {
      // Whoever came meanwhile built on what is undone now.
      const lost = [...batch, ...waiting]
      waiting = []
      last = undefined
      for (const { undo } of lost.toReversed()) undo()
      for (const { reject } of lost) reject(error)
      return
    }
    if (waiting.length === 0) last = undefined
    for (const { resolve } of batch) resolve()
  }
  const run = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0 || steps.length > 0) {
      if (waiting.length > 0) await writeWaiting()
      const [step, ...later] = steps
      steps = later
      await step?.()
    }
    isBusy = false
  }

  return {
    add(text, undo = () => {}) {
      const written = new Promise<void>((resolve, reject) => {
        waiting.push({ text, undo, resolve, reject })
      })
      last = written
      void run()
      return written
    },
    settled() {
      if (!last) return true
      return last.then(
        () => true,
        () => false,
      )
    },
    between(work) {
      const done = new Promise<void>((resolve, reject) => {
        steps.push(() => work().then(resolve, reject))
      })
      void run()
      return done
    },
  }
}
