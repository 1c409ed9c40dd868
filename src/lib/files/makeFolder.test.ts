import { mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeNamedPipe } from '../../../test/kit/namedPipe.js'
import { makeFolder, makeTemporaryFolder } from './makeFolder.js'

const newFolder = () => mkdtempSync(join(tmpdir(), 'svc-sim-folder-'))

test('default: makes what is missing, and leaves what is there', async () => {
  const path = join(newFolder(), 'a/b/c')
  await makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
  await makeFolder(path)
})

test('behavior: many at once make it together', async () => {
  const path = join(newFolder(), 'a/b/c')
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)))
  expect(statSync(path).isDirectory()).toBe(true)
})

test('behavior: a link to a folder is one', async () => {
  const folder = newFolder()
  const link = join(newFolder(), 'link')
  symlinkSync(folder, link)
  await makeFolder(link)
  await makeFolder(join(link, 'inside'))
  expect(statSync(join(folder, 'inside')).isDirectory()).toBe(true)
})

test('error: something else is in the way', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
  const codeOf = (name: string) =>
    makeFolder(join(folder, name)).catch(({ code }: NodeJS.ErrnoException) => code)
  expect(await codeOf('file')).toBe('EEXIST')
  expect(await codeOf('file/inside')).toBe('ENOTDIR')
  expect(await codeOf('dangling')).toBe('EEXIST')
  expect(await codeOf('dangling/inside')).toBe('EEXIST')
  if (process.platform === 'win32') return
  makeNamedPipe(join(folder, 'pipe'))
  expect(await codeOf('pipe')).toBe('EEXIST')
  expect(await codeOf('pipe/inside')).toBe('ENOTDIR')
})

test.runIf(process.platform === 'linux')(
  'error: where no folder can be made it does not try for ever',
  async () => {
    await expect(makeFolder('/proc/svc-sim/data')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)

test('error: no folder for temporary files', () => {
  const among = join(newFolder(), 'missing')
  expect(statSync(makeTemporaryFolder('a-', newFolder())).isDirectory()).toBe(true)
  expect(() => makeTemporaryFolder('a-', among)).toThrow(
    new RegExp(
      `^The simulator cannot make a folder in ${among}, .* ENOENT.* Set TMPDIR to a folder`,
    ),
  )
})
