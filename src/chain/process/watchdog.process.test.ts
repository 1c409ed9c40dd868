import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive, waitUntilGone } from '../../../test/kit/processes.js'
import { startWatchdog, type WatchdogKind } from './watchdog.js'

const children: ChildProcess[] = []

/** A process that runs until it is killed; with `detached` it leads a process group. */
function idle({ detached = false } = {}): number {
  const args = ['-e', 'setInterval(() => {}, 1e6)']
  const child = spawn(process.execPath, args, { stdio: 'ignore', detached })
  children.push(child)
  return child.pid!
}

/** The leader of a process group and another process in it, which runs on without the leader. */
async function group(): Promise<[leader: number, other: number]> {
  const child = spawn('sh', ['-c', 'sleep 100000 & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  children.push(child)
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  return [child.pid!, Number(text)]
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

describe.each<WatchdogKind>(['sh', 'node'])('watchdog in %s', (kind) => {
  test('default', async () => {
    const watchdog = startWatchdog(kind)
    const [first, second] = [idle(), idle()]
    watchdog.add(first)
    watchdog.add(second)
    await watchdog.close()
    await waitUntilGone([first, second, watchdog.pid!])
  })

  test('behavior: what was removed is left alone', async () => {
    const watchdog = startWatchdog(kind)
    const [kept, removed] = [idle(), idle()]
    watchdog.add(kept)
    watchdog.add(removed)
    watchdog.remove(removed)
    await watchdog.close()
    await waitUntilGone([kept])
    expect(isAlive(removed)).toBe(true)
  })

  test('behavior: a negative number is a group, without its leader too', async () => {
    const watchdog = startWatchdog(kind)
    const [first, second] = [await group(), await group()]
    const single = idle({ detached: true })
    watchdog.add(-first[0])
    watchdog.add(-second[0])
    watchdog.add(-single)
    watchdog.remove(-single)
    process.kill(first[0], 'SIGKILL')
    await waitUntilGone([first[0]])
    expect(isAlive(first[1])).toBe(true)
    await watchdog.close()
    await waitUntilGone([...first, ...second])
    expect(isAlive(single)).toBe(true)
  })

  test('behavior: close twice, and nothing to watch', async () => {
    const watchdog = startWatchdog(kind)
    await Promise.all([watchdog.close(), watchdog.close()])
    await watchdog.close()
    expect(isAlive(watchdog.pid!)).toBe(false)
  })

  test('behavior: its own death does not disturb', async () => {
    const watchdog = startWatchdog(kind)
    const child = idle()
    watchdog.add(child)
    process.kill(watchdog.pid!, 'SIGKILL')
    await waitUntilGone([watchdog.pid!])
    watchdog.add(child)
    watchdog.remove(child)
    await watchdog.close()
    expect(isAlive(child)).toBe(true)
  })
})
