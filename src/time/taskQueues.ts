import { serialQueues } from '../lib/serialQueues.js'
import { awaitBehind, currentTask, type Task } from './backgroundTasks.js'

/**
 * Queues by key, as `serialQueues` are, of what background tasks do: who waits for its turn behind a task that yields is not busy
 * either. Otherwise the second transaction for a network that mines no blocks would hold up the clock, which the first does not.
 */
export function taskQueues<Key>(): ReturnType<typeof serialQueues<Key>> {
  const inTurn = serialQueues<Key>()
  const working = new Map<Key, Task | undefined>()
  return (key, work, options) => {
    const task = currentTask()
    let begin = (): void => {}
    const turn = new Promise<void>((resolve) => {
      begin = resolve
    })
    void awaitBehind(() => working.get(key), turn)
    const inItsTurn = async () => {
      begin()
      working.set(key, task)
      try {
        return await work()
      } finally {
        working.delete(key)
      }
    }
    return inTurn(key, inItsTurn, options)
  }
}
