import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { expect, test } from 'vitest'
import { DurableFile, replaceFile } from './durableFile.js'

const folder = () => mkdtemp(join(tmpdir(), 'svc-sim-durable-'))

test('default: lowdb reads what it wrote, and nothing else is in the folder', async () => {
  const path = join(await folder(), 'settings.json')
  const db = new Low(new DurableFile<{ count: number }>(path), { count: 0 })
  await db.read()
  expect(db.data).toEqual({ count: 0 })
  await db.update((data) => {
    data.count = 2
  })
  expect(await new DurableFile(path).read()).toEqual({ count: 2 })
  expect(await readdir(join(path, '..'))).toEqual(['settings.json'])
})

test('behavior: no file is null', async () => {
  expect(await new DurableFile(join(await folder(), 'none')).read()).toBeNull()
})

test('error: a write that fails leaves the file as it was', async () => {
  const path = join(await folder(), 'settings.json')
  const refuse = (): string => {
    throw new Error('cannot be text')
  }
  await new DurableFile(path).write('before')
  await expect(
    new DurableFile(path, { format: refuse, parse: refuse }).write('after'),
  ).rejects.toThrow('cannot be text')
  expect(await readFile(path, 'utf8')).toBe('"before"')
})

test('error: text that is not in the format', async () => {
  const path = join(await folder(), 'settings.json')
  await writeFile(path, 'no JSON')
  await expect(new DurableFile(path).read()).rejects.toThrow(SyntaxError)
})

test('default: the file holds the new content, and nothing is left beside it', async () => {
  const at = await folder()
  const path = join(at, 'file.json')
  await writeFile(path, 'before, and longer')
  await replaceFile(path, 'after')
  expect(await readFile(path, 'utf8')).toBe('after')
  expect(await readdir(at)).toEqual(['file.json'])
})

test('error: what cannot be written rejects, and the file stays as it was', async () => {
  const at = await folder()
  const path = join(at, 'file.json')
  await writeFile(path, 'before')
  await expect(replaceFile(join(path, 'below'), 'after')).rejects.toThrow('ENOTDIR')
  expect(await readFile(path, 'utf8')).toBe('before')
})
