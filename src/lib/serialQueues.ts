/** The most turns in a row for work that cannot wait, while patient work waits. */
const inARow = 4

/** The queue of one key, while work of that key runs. */
interface Line {
  pressing: (() => void)[]
  patient: (() => void)[]
  /** Turns of pressing work since the last turn of patient work. */
  overtaken: number
}

/**
 * Queues by key: work of one key runs one at a time, in the order of the calls; different keys run in parallel. A rejection reaches its
 * own caller and does not stop the queue. A key is forgotten when its queue is empty.
 *
 * Work that `canWait` yields to other work of its key, but gets at least one turn in five.
 */
export function serialQueues<Key>() {
  const lines = new Map<Key, Line>()
  const turn = (key: Key, canWait: boolean): Promise<void> => {
    const line = lines.get(key)
    if (line) return new Promise((go) => (canWait ? line.patient : line.pressing).push(go))
    lines.set(key, { pressing: [], patient: [], overtaken: 0 })
    return Promise.resolve()
  }
  const leave = (key: Key): void => {
    const next = nextOf(lines.get(key)!)
    if (next) next()
    else lines.delete(key)
  }
  return async <T>(key: Key, work: () => Promise<T>, { canWait = false } = {}): Promise<T> => {
    await turn(key, canWait)
    try {
      return await work()
    } finally {
      leave(key)
    }
  }
}

function nextOf(line: Line): (() => void) | undefined {
  const { pressing, patient } = line
  if (pressing.length > 0 && (patient.length === 0 || line.overtaken < inARow)) {
    line.overtaken += patient.length > 0 ? 1 : 0
    return pressing.shift()
  }
  line.overtaken = 0
  return patient.shift()
}

/** A single queue. A rejection reaches its own caller and does not stop the queue. */
export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = serialQueues<'all'>()
  return (work) => inTurn('all', work)
}
