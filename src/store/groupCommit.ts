/**
 * Turns "write everything" into a commit that many callers share: while one write is under way, all who ask meanwhile
 * wait for one further write, which begins after the first has ended and therefore holds the changes of all of them.
 *
 * `write` must take its picture of the state before its first `await`. A commit rejects when the write that would have
 * held the caller's change failed; the next commit tries again. Writes never overlap.
 */
export function createGroupCommit(write: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    next = undefined
    return write()
  }

  return () => {
    if (!next) {
      next = current.then(begin, begin)
      current = next
    }
    return next
  }
}
