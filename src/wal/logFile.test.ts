import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallDisk } from '../../test/kit/smallDisk.js'
import { openLogFile } from './logFile.js'

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
