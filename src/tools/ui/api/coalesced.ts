/** Runs the work when called; while it runs, any number of further calls make it run once more. */
export function coalesced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle'
  const run = async (): Promise<void> => {
    do {
      state = 'running'
      await work().catch(() => {})
    } while ((state as string) === 'again')
    state = 'idle'
  }
  return () => {
    if (state === 'idle') void run()
    else state = 'again'
  }
}
