import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataDirBusyError, lockDataDir } from './dataDirLock.js'

let dir: string

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'svc-sim-lock-')), 'data')
})

afterEach(() => rm(join(dir, '..'), { recursive: true }))

/** What a process with this pid would have left or holds. */
async function leaveLock(pid: number): Promise<void> {
  await (await lockDataDir(dir)).release()
  await writeFile(join(dir, 'svc-sim.lock'), JSON.stringify({ pid, run: 'another run' }))
}

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

test('default', async () => {
  const lock = await lockDataDir(dir)
  expect(lock.previousRunWasUnclean).toBe(false)
  expect(await readdir(dir)).toEqual(['svc-sim.lock'])
  await lock.release()
  await lock.release()
  expect(await readdir(dir)).toEqual([])
  const again = await lockDataDir(dir)
  expect(again.previousRunWasUnclean).toBe(false)
  await again.release()
})

test('behavior: the lock of a dead process is taken over, and its end was unclean', async () => {
  await leaveLock(deadPid())
  const lock = await lockDataDir(dir)
  expect(lock.previousRunWasUnclean).toBe(true)
  await expect(lockDataDir(dir)).rejects.toBeInstanceOf(DataDirBusyError)
  await lock.release()
})

test('behavior: an earlier process with our pid is dead', async () => {
  await leaveLock(process.pid)
  const lock = await lockDataDir(dir)
  expect(lock.previousRunWasUnclean).toBe(true)
  await lock.release()
})

test('behavior: an unreadable lock counts as left by a dead process', async () => {
  await leaveLock(1)
  await writeFile(join(dir, 'svc-sim.lock'), '')
  const lock = await lockDataDir(dir)
  expect(lock.previousRunWasUnclean).toBe(true)
  await lock.release()
})

test('behavior: of many who find a stale lock, one gets it', async () => {
  await leaveLock(deadPid())
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dir)))
  const won = attempts.filter((attempt) => attempt.status === 'fulfilled')
  const lost = attempts.filter((attempt) => attempt.status === 'rejected')
  expect(won).toHaveLength(1)
  expect(lost.every(({ reason }) => reason instanceof DataDirBusyError)).toBe(true)
  expect(await readdir(dir)).toEqual(['svc-sim.lock'])
})

test('error: another process uses the directory', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  await leaveLock(other.pid!)
  await expect(lockDataDir(dir)).rejects.toThrow(
    `The data directory ${dir} is in use by process ${other.pid}. Stop that process, or choose another ` +
      `--data-dir. If process ${other.pid} is not a simulator, delete ${join(dir, 'svc-sim.lock')} and start again.`,
  )
  other.kill('SIGKILL')
})
