/** A text that waits to be written. */
interface Entry {
  text: string
  undo: () => void
  resolve: () => void
  reject: (cause: unknown) => void
}

/** Combines the writes of many callers, in one order, into fewer disk writes. */
export interface GroupWrites {
  /**
   * Writes after everything that was added before; resolves when it is on the disk. When a write fails, everything that is not on the disk
   * yet is undone, the last first, and then rejected.
   */
  add(text: string, undo?: () => void): Promise<void>
  /** True when nothing waits; otherwise resolves to whether everything waiting now has reached the disk. */
  settled(): true | Promise<boolean>
  /** Runs work between two writes: everything added before has been written or undone by then. */
  between(work: () => Promise<void>): Promise<void>
}

/** `write` appends texts durably, or not at all. Calls of it never overlap. */
export function createGroupWrites(write: (texts: readonly string[]) => Promise<void>): GroupWrites {
  let waiting: Entry[] = []
  let steps: (() => Promise<void>)[] = []
  /** Settles with the newest waiting text; undefined when nothing waits. */
  let last: Promise<void> | undefined
  let isBusy = false

  const writeWaiting = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      await write(batch.map(({ text }) => text))
    } catch (error) {
      // Texts added meanwhile may build on what is undone now.
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
