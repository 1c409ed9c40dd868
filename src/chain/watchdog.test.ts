import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive, waitUntilGone } from '../../test/kit/processes.js'
import { startWatchdog, type WatchdogKind } from './watchdog.js'

const children: ChildProcess[] = []

/** A process that runs until it is killed. */
function idle(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  children.push(child)
  return child.pid!
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
