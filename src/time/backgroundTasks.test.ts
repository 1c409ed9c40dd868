import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import {
  awaitAnswer,
  awaitBehind,
  createBackgroundTasks,
  createStand,
  currentTask,
  inOrder,
  inParallel,
  type Task,
  taskQueues,
  whileMoving,
  yieldFor,
} from './backgroundTasks.js'
import { realWait } from './clock.js'

function latch() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('default: settled waits until all work has ended', async () => {
  const tasks = createBackgroundTasks()
  await tasks.settled()
  const [first, second] = [latch(), latch()]
  const done: string[] = []
  void tasks.run(() => first.opened)
  const failing = tasks.run(async () => {
    await second.opened
    throw new Error('failed')
  })
  const settled = tasks.settled().then(() => done.push('settled'))
  first.open()
  await new Promise(setImmediate)
  expect(done).toEqual([])
  second.open()
  await expect(failing).rejects.toThrow('failed')
  await settled
})

test('behavior: what waits for an event is not busy, and is again when the event has come', async () => {
  const tasks = createBackgroundTasks()
  const [event, rest] = [latch(), latch()]
  let reached = false
  const running = tasks.run(async () => {
    await yieldFor(event.opened)
    await rest.opened
    reached = true
  })
  await tasks.settled()
  event.open()
  const settled = tasks.settled()
  rest.open()
  await settled
  expect(reached).toBe(true)
  await running
})

test('behavior: a task that has yielded counts as busy again afterwards', async () => {
  const tasks = createBackgroundTasks()
  const [event, rest] = [latch(), latch()]
  const running = tasks.run(async () => {
    await yieldFor(event.opened)
    await rest.opened
  })
  expect(tasks.counts()).toEqual({ busy: 0, yielding: 1 })
  event.open()
  await new Promise(setImmediate)
  expect(tasks.counts()).toEqual({ busy: 1, yielding: 0 })
  rest.open()
  await running
  expect(tasks.counts()).toEqual({ busy: 0, yielding: 0 })
})

test('behavior: work that follows from other work is waited for too', async () => {
  const tasks = createBackgroundTasks()
  const steps: number[] = []
  const first = tasks.run(async () => {
    steps.push(1)
  })
  void first.then(() =>
    tasks.run(async () => {
      await new Promise(setImmediate)
      steps.push(2)
    }),
  )
  await tasks.settled()
  expect(steps).toEqual([1, 2])
})

test('behavior: of work in parallel, one waits for an event and the other is still busy', async () => {
  const tasks = createBackgroundTasks()
  const [event, other] = [latch(), latch()]
  const done: string[] = []
  const running = tasks.run(() =>
    inParallel([
      async () => {
        await yieldFor(event.opened)
        done.push('event')
      },
      async () => {
        await other.opened
        done.push('other')
      },
    ]),
  )
  const settled = tasks.settled().then(() => done.push('settled'))
  other.open()
  await settled
  expect(done).toEqual(['other', 'settled'])
  event.open()
  await running
  await tasks.settled()
})

test('behavior: work in order begins when the one before has ended or waits for others, and is waited for as a whole', async () => {
  const tasks = createBackgroundTasks()
  const [event, answer] = [latch(), latch()]
  const done: string[] = []
  const running = tasks.run(() =>
    inOrder([
      async () => {
        done.push('first')
        await yieldFor(event.opened)
        return 1
      },
      async () => {
        done.push('second')
        await answer.opened
        done.push('second ends')
        return 2
      },
      async () => {
        done.push('third')
        return 3
      },
    ]),
  )
  const settled = tasks.settled().then(() => done.push('settled'))
  await vi.waitFor(() => expect(done).toEqual(['first', 'second']))
  answer.open()
  await settled
  expect(done).toEqual(['first', 'second', 'second ends', 'third', 'settled'])
  event.open()
  expect(await running).toEqual([1, 2, 3])
  await tasks.settled()
})

test('behavior: work in order begins when the parts of the one before, and those whom they wait for, have ended or wait', async () => {
  const tasks = createBackgroundTasks()
  const [answer, event, ending] = [latch(), latch(), latch()]
  const done: string[] = []
  let other: Task | undefined
  const bringing = tasks.run(async () => {
    other = currentTask()
    await answer.opened
    done.push('answered')
    await yieldFor(event.opened)
  })
  const running = tasks.run(() =>
    inOrder([
      () => inParallel([() => awaitBehind(() => other, bringing), () => yieldFor(ending.opened)]),
      async () => void done.push('second'),
    ]),
  )
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  answer.open()
  expect(await tasks.settled()).toEqual([])
  expect(done).toEqual(['answered', 'second'])
  event.open()
  ending.open()
  await running
})

test('error: one of several in order that fails fails all, and the others are carried out', async () => {
  const tasks = createBackgroundTasks()
  const done: string[] = []
  const running = tasks.run(() =>
    inOrder([
      async () => {
        throw new Error('broken')
      },
      async () => done.push('second'),
    ]),
  )
  await expect(running).rejects.toThrow('broken')
  await tasks.settled()
  expect(done).toEqual(['second'])
})

test('behavior: outside of work there is nothing to park', async () => {
  const tasks = createBackgroundTasks()
  const event = latch()
  const waiting = yieldFor(event.opened)
  await tasks.settled()
  event.open()
  await waiting
  expect(await inParallel([async () => 1, async () => 2])).toEqual([1, 2])
  const busy = latch()
  const running = tasks.run(() => busy.opened)
  let isSettled = false
  const settled = tasks.settled().then(() => {
    isSettled = true
  })
  await new Promise(setImmediate)
  expect(isSettled).toBe(false)
  busy.open()
  await Promise.all([running, settled])
})

test('error: what hangs is named when the patience is over', async () => {
  const tasks = createBackgroundTasks()
  const hanging = latch()
  const running = tasks.run(() => hanging.opened, 'the execution of act_1')
  expect(await tasks.settled(1)).toEqual(['the execution of act_1'])
  hanging.open()
  await running
})

test('behavior: what stood still with the whole process does not hang: it gets the answers that came meanwhile', async () => {
  const tasks = createBackgroundTasks()
  const { port1, port2 } = new MessageChannel()
  const stand = createStand()
  const asking = tasks.run(async () => {
    for (const hop of [1, 2, 3, 4, 5]) {
      const answer = once(port2, 'message')
      port1.postMessage(hop)
      await awaitAnswer(stand, answer)
      await new Promise(setImmediate)
    }
  }, 'asks five times')
  const settled = tasks.settled(200)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(await settled).toEqual([])
  await asking
  port1.close()
})

test('behavior: what goes on in a task that began later, for one that waits for it, is a sign of life of both', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const tasks = createBackgroundTasks()
    const stand = createStand()
    const answers = Array.from({ length: 5 }, latch)
    const begin = latch()
    void tasks.run(async () => {
      await begin.opened
      let other: Task | undefined
      const work = tasks.run(async () => {
        other = currentTask()
        for (const { opened } of answers) await awaitAnswer(stand, opened)
      }, 'the other')
      await awaitBehind(() => other, work)
    }, 'waits for it')
    const settled = tasks.settled(100)
    begin.open()
    for (const { open } of answers) {
      await new Promise(setImmediate)
      vi.advanceTimersByTime(80)
      open()
    }
    expect(await settled).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('behavior: as long as what was busy ends one by one, nothing hangs; what begins meanwhile gives no more time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const tasks = createBackgroundTasks()
    const ends = Array.from({ length: 4 }, latch)
    for (const [i, { opened }] of ends.entries()) void tasks.run(() => opened, `work ${i}`)
    const settled = tasks.settled(100)
    for (const { open } of ends.slice(0, 3)) {
      await new Promise(setImmediate)
      vi.advanceTimersByTime(80)
      open()
    }
    await new Promise(setImmediate)
    vi.advanceTimersByTime(80)
    await tasks.run(async () => {}, 'new work')
    vi.advanceTimersByTime(80)
    expect(await settled).toEqual(['work 3'])
  } finally {
    vi.useRealTimers()
  }
})

test('behavior: who waits behind another task is as busy as that one', async () => {
  const tasks = createBackgroundTasks()
  const inTurn = taskQueues<string>()
  const [parked, rest] = [latch(), latch()]
  const done: number[] = []
  const first = tasks.run(() =>
    inTurn('key', async () => {
      await rest.opened
      await yieldFor(parked.opened)
      done.push(1)
    }),
  )
  const second = tasks.run(() => inTurn('key', async () => void done.push(2)))
  const third = tasks.run(() => inTurn('other', () => inTurn('key', async () => void done.push(3))))
  const fourth = tasks.run(() => inTurn('other', async () => void done.push(4)))
  const settled = tasks.settled()
  expect(tasks.counts()).toEqual({ busy: 4, yielding: 0 })
  rest.open()
  expect(await settled).toEqual([])
  expect(tasks.counts()).toEqual({ busy: 0, yielding: 4 })
  parked.open()
  expect(await tasks.settled()).toEqual([])
  expect(done).toEqual([1, 2, 3, 4])
  await Promise.all([first, second, third, fourth])
})

test('behavior: two tasks that each wait behind the other in a part of theirs are busy', async () => {
  const tasks = createBackgroundTasks()
  const inTurn = taskQueues<string>()
  const rest = latch()
  const hold = (key: string) => inTurn(key, () => rest.opened)
  const both = [['a', 'b'] as const, ['b', 'a'] as const].map(([own, other]) =>
    tasks.run(() => Promise.all([hold(own), Promise.resolve().then(() => hold(other))])),
  )
  await new Promise(setImmediate)
  expect(tasks.counts()).toEqual({ busy: 2, yielding: 0 })
  rest.open()
  await Promise.all(both)
})

test('behavior: who waits for an answer is busy, unless whoever answers stands still', async () => {
  const tasks = createBackgroundTasks()
  const stand = createStand()
  const answer = latch()
  const running = tasks.run(() => awaitAnswer(stand, answer.opened))
  expect(tasks.counts()).toEqual({ busy: 1, yielding: 0 })
  const settled = tasks.settled()
  stand.set(true)
  expect(await settled).toEqual([])
  stand.set(false)
  expect(tasks.counts()).toEqual({ busy: 1, yielding: 0 })
  answer.open()
  await running
})

test('behavior: what waits by the machine’s time is busy, and nothing hangs while what is asked is known to come', async () => {
  let isAsked = true
  const tasks = createBackgroundTasks(() => isAsked)
  const never = new AbortController().signal
  const waiting = tasks.run(() => realWait(20, never))
  expect(await tasks.settled(1)).toEqual([])
  await waiting
  isAsked = false
  const delay = tasks.run(() => whileMoving(realWait(20, never)))
  expect(await tasks.settled(1)).toEqual([])
  await delay
  const long = latch()
  const running = tasks.run(() => whileMoving(long.opened), 'a long delay')
  expect(await tasks.settled(undefined, 1)).toEqual(['a long delay'])
  long.open()
  await running
})
