import { spawn, spawnSync } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
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

test('behavior: in this process, one that is being closed is waited for', async () => {
  const first = await lockDataDir(dir)
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  }).then(() => first.release())
  first.isReleasedBy(closed)
  await expect(lockDataDir(dir, 1)).rejects.toBeInstanceOf(DataDirBusyError)
  const waiting = lockDataDir(dir)
  close()
  const second = await waiting
  expect(second.previousRunWasUnclean).toBe(false)
  await expect(lockDataDir(dir)).rejects.toBeInstanceOf(DataDirBusyError)
  await second.release()
})

test('error: one of this process whose end fails keeps it', async () => {
  const first = await lockDataDir(dir)
  first.isReleasedBy(Promise.reject(new Error('a node does not end')))
  await expect(lockDataDir(dir)).rejects.toBeInstanceOf(DataDirBusyError)
  await first.release()
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

const lockFile = () => join(dir, 'svc-sim.lock')

/** A process that does nothing until it is killed. */
function start(file: string, ...args: string[]) {
  const other = spawn(file, args, { stdio: 'ignore' })
  onTestFinished(() => void other.kill('SIGKILL'))
  return other.pid!
}

test.runIf(process.platform !== 'win32')(
  'behavior: a lock whose pid belongs to another process by now is taken over',
  async () => {
    const held = await lockDataDir(dir)
    const { startedAt } = JSON.parse(await readFile(lockFile(), 'utf8'))
    expect(startedAt).toEqual(expect.any(String))
    await held.release()
    // As it was written, but by a simulator whose pid this process has got since.
    const pid = start(process.execPath, '-e', 'setInterval(() => {}, 1e6)')
    await writeFile(lockFile(), JSON.stringify({ pid, run: 'another run', startedAt: 'earlier' }))
    const lock = await lockDataDir(dir)
    expect(lock.previousRunWasUnclean).toBe(true)
    await lock.release()
  },
)

test('behavior: who died while taking over a lock does not block the directory', async () => {
  await leaveLock(deadPid())
  const dead = JSON.stringify({ pid: deadPid(), run: 'a third run' })
  await writeFile(`${lockFile()}.takeover`, dead)
  await writeFile(`${lockFile()}.takeover.takeover`, dead)
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dir)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await readdir(dir)).toEqual(['svc-sim.lock'])
})

test('error: the directory cannot be made, or is none', async () => {
  const file = join(dir, '..', 'file')
  await writeFile(file, '')
  await expect(lockDataDir(file)).rejects.toThrow(
    `The data directory ${file} cannot be made: something that is no folder has its name (EEXIST). Choose another --data-dir.`,
  )
  await expect(lockDataDir(join(file, 'inside'))).rejects.toThrow('a part of its path is no folder')
})

test('error: another process uses the directory', async () => {
  const pid = start(process.execPath, '-e', 'setInterval(() => {}, 1e6)')
  await leaveLock(pid)
  await expect(lockDataDir(dir)).rejects.toThrow(
    `The data directory ${dir} is in use by process ${pid}. Stop that process, or choose another ` +
      `--data-dir. If process ${pid} is not a simulator, delete ${join(dir, 'svc-sim.lock')} and start again.`,
  )
})

/** What a simulator in another container of this machine writes. */
const lockFromElsewhere = async () => {
  await mkdir(dir)
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const holder = { pid: 1, run: 'theirs', space: { boot, pids: 'pid:[1]' } }
  await writeFile(join(dir, 'svc-sim.lock'), JSON.stringify(holder))
}

test.runIf(process.platform === 'linux')(
  'error: a simulator in another container is seen by what it does to its lock',
  async () => {
    await lockFromElsewhere()
    const path = join(dir, 'svc-sim.lock')
    let at = 0
    const touching = setInterval(() => utimesSync(path, ++at, at), 50)
    await expect(lockDataDir(dir))
      .rejects.toThrow(
        `The data directory ${dir} is in use by process 1 of another container. Stop that process, or choose another --data-dir. It updates ${path} every second`,
      )
      .finally(() => clearInterval(touching))
    expect(await readFile(path, 'utf8')).toContain('theirs')
  },
)

test.runIf(process.platform === 'linux')(
  'behavior: the lock of a container that is gone is taken over, and touched from then on',
  async () => {
    await lockFromElsewhere()
    const lock = await lockDataDir(dir, 300)
    onTestFinished(() => lock.release())
    expect(lock.previousRunWasUnclean).toBe(true)
    const touchedAt = async () => (await stat(join(dir, 'svc-sim.lock'))).mtimeMs
    const before = await touchedAt()
    await vi.waitUntil(async () => (await touchedAt()) !== before, { timeout: 20_000 })
  },
)

test('behavior: a lock file that says nothing is that of a process that is gone', async () => {
  await mkdir(dir)
  for (const text of ['null', '[]', '"x"', '']) {
    await writeFile(join(dir, 'svc-sim.lock'), text)
    const lock = await lockDataDir(dir)
    expect(lock.previousRunWasUnclean).toBe(true)
    await lock.release()
  }
})

test('error: a folder with the name of the lock file is named', async () => {
  await mkdir(join(dir, 'svc-sim.lock'), { recursive: true })
  await expect(lockDataDir(dir)).rejects.toThrow(
    `The data directory ${dir} cannot be used: a folder has the name of its lock file, svc-sim.lock (EISDIR).`,
  )
})

test('behavior: a lock file that somebody has deleted is there again when it is looked for', async () => {
  const lock = await lockDataDir(dir)
  onTestFinished(() => lock.release())
  await rm(join(dir, 'svc-sim.lock'))
  await lock.expectHeld()
  await expect(lockDataDir(dir)).rejects.toThrow(DataDirBusyError)
})

test('error: what another process has taken over is not ours, and its lock stays', async () => {
  const lock = await lockDataDir(dir)
  await rm(join(dir, 'svc-sim.lock'))
  await leaveLock(1)
  await expect(lock.expectHeld()).rejects.toThrow('another process has taken it over')
  await lock.release()
  expect(await readFile(join(dir, 'svc-sim.lock'), 'utf8')).toContain('another run')
})
