import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallDisk } from '../../test/kit/smallDisk.js'
import { createGroupWrites, openLogFile } from './logFile.js'

const newFolder = () => mkdtemp(join(tmpdir(), 'svc-sim-log-'))

test('default: it grows; opened again it goes on behind the length that it is given', async () => {
  const path = join(await newFolder(), 'a.log')
  const file = await openLogFile(path, 0)
  await file.append('one\n')
  await file.append('zwö\n')
  await file.close()
  expect(await readFile(path, 'utf8')).toBe('one\nzwö\n')
  const again = await openLogFile(path, 4)
  expect(await readFile(path, 'utf8')).toBe('one\n')
  await again.append('two\n')
  await again.close()
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
})

test('behavior: a file begins anew at length 0', async () => {
  const path = join(await newFolder(), 'a.log')
  await writeFile(path, 'older')
  const file = await openLogFile(path, 0)
  await file.append('new')
  await file.close()
  expect(await readFile(path, 'utf8')).toBe('new')
})

test('error: a write that a full disk does not take leaves the file as it was', async ({
  skip,
}) => {
  const disk = await smallDisk()
  if (!disk) return skip('takes root on Linux')
  const path = join(disk.folder, 'a.log')
  const file = await openLogFile(path, 0)
  await file.append('one\n')
  await disk.fill()
  const long = 'x'.repeat(10_000)
  await expect(file.append(long)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readFile(path, 'utf8')).toBe('one\n')
  await disk.free()
  await file.append(long)
  await file.close()
  expect(await readFile(path, 'utf8')).toBe(`one\n${long}`)
})

/** A disk whose writes are ended by hand. */
function slowDisk() {
  const written: string[] = []
  const ends: { resolve(): void; reject(error: Error): void }[] = []
  const writes = createGroupWrites((texts) => {
    written.push(texts.join(''))
    return new Promise((resolve, reject) => ends.push({ resolve, reject }))
  })
  return { writes, written, ends }
}

/** All that is ready to run has run when this resolves. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('default: what comes during a write goes out with the next one, in order', async () => {
  const { writes, written, ends } = slowDisk()
  const told: string[] = []
  const add = (text: string) => writes.add(text).then(() => told.push(text))
  const all = [add('a'), add('b'), add('c')]
  await turn()
  expect(written).toEqual(['a'])
  ends[0]!.resolve()
  await turn()
  expect([written, told]).toEqual([['a', 'bc'], ['a']])
  ends[1]!.resolve()
  await Promise.all(all)
  expect(told).toEqual(['a', 'b', 'c'])
})

test('error: a failed write undoes all that is not on the disk, the last first, and rejects it', async () => {
  const { writes, written, ends } = slowDisk()
  const done: string[] = []
  const add = (text: string) =>
    writes
      .add(text, () => void done.push(`undo ${text}`))
      .then(
        () => done.push(`wrote ${text}`),
        ({ message }) => done.push(`${message} ${text}`),
      )
  const all = [add('a'), add('b'), add('c')]
  ends[0]!.reject(new Error('full'))
  await Promise.all(all)
  expect(done).toEqual(['undo c', 'undo b', 'undo a', 'full a', 'full b', 'full c'])
  const again = add('d')
  ends[1]!.resolve()
  await again
  expect(written).toEqual(['a', 'd'])
  expect(done.at(-1)).toBe('wrote d')
})

test('behavior: settled tells whether what there is gets to the disk', async () => {
  const { writes, ends } = slowDisk()
  expect(writes.settled()).toBe(true)
  const first = writes.add('a')
  const good = writes.settled()
  expect(good).toBeInstanceOf(Promise)
  ends[0]!.resolve()
  await first
  expect([await good, writes.settled()]).toEqual([true, true])
  const second = writes.add('b')
  const bad = writes.settled()
  await turn()
  ends[1]!.reject(new Error('full'))
  await expect(second).rejects.toThrow('full')
  expect([await bad, writes.settled()]).toEqual([false, true])
})

test('behavior: a step comes after what was added before, and before what is added during it', async () => {
  const { writes, written, ends } = slowDisk()
  const before = writes.add('a')
  let endStep = () => {}
  const step = writes.between(() => {
    written.push('step')
    return new Promise((resolve) => {
      endStep = resolve
    })
  })
  ends[0]!.resolve()
  await before
  await turn()
  // Nothing waits now, although the step is under way.
  expect(writes.settled()).toBe(true)
  const after = writes.add('b')
  await turn()
  expect(written).toEqual(['a', 'step'])
  endStep()
  await step
  await turn()
  ends[1]!.resolve()
  await after
  expect(written).toEqual(['a', 'step', 'b'])
})

test('error: a step that fails rejects, and writes go on', async () => {
  const { writes, ends } = slowDisk()
  await expect(writes.between(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const added = writes.add('a')
  ends[0]!.resolve()
  await added
})
