import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { canBeSignalled, procTable, psTable } from './processTable.js'

test.each([
  ['proc', procTable],
  ['ps', psTable],
])('default: the table of %s finds this process and not one that is gone', (name, table) => {
  if (name === 'proc' && process.platform !== 'linux') return
  const self = table.find(process.pid)!
  expect(self).toMatchObject({ pid: process.pid, parent: process.ppid })
  expect(self.words.join(' ')).toMatch(/node|vitest/)
  expect(table.isRunning(self)).toBe(true)
  const gone = { ...self, pid: 2 ** 22 + 1 }
  expect(table.find(gone.pid)).toBeUndefined()
  expect(table.isRunning(gone)).toBe(false)
})

test('behavior: a later process with the same id is another one', () => {
  if (process.platform !== 'linux') return
  const self = procTable.find(process.pid)!
  expect(procTable.isRunning({ ...self, startedAt: `${Number(self.startedAt) - 1}` })).toBe(false)
})

test('behavior: a start is told, the same each time, and another one of another process', () => {
  // By ps it may be a second off where there is a /proc.
  const table = process.platform === 'linux' ? procTable : psTable
  const { startedAt } = table.find(process.pid)!
  expect(startedAt).not.toBe('')
  expect(table.find(process.pid)!.startedAt).toBe(startedAt)
  expect(table.find(1)!.startedAt).not.toBe(startedAt)
})

test('behavior: one that has ended and was not fetched by its parent is gone, though it can be signalled', async () => {
  // The shell becomes a program that fetches nobody; its child waits for that, or the shell itself would fetch it.
  const untilThen = 'until ps -o comm= -p $PPID | grep -q sleep; do :; done'
  const parent = spawn('sh', ['-c', `sh -c '${untilThen}' & echo $!; exec sleep 1000`])
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(line)
  try {
    for (const table of process.platform === 'linux' ? [procTable, psTable] : [psTable])
      await vi.waitFor(() => expect(table.find(pid)).toBeUndefined(), 10_000)
    expect(canBeSignalled(pid)).toBe('yes')
  } finally {
    parent.kill('SIGKILL')
  }
})
