import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from './replaceFile.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sim-replace-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('default: the file holds the new content, and nothing is left beside it', async () => {
  const path = join(folder, 'file.json')
  await writeFile(path, 'before, and longer')
  await replaceFile(path, 'after')
  expect(await readFile(path, 'utf8')).toBe('after')
  expect(await readdir(folder)).toEqual(['file.json'])
})

test('error: what cannot be written rejects, and the file stays as it was', async () => {
  const path = join(folder, 'file.json')
  await writeFile(path, 'before')
  await expect(replaceFile(join(path, 'below'), 'after')).rejects.toThrow('ENOTDIR')
  expect(await readFile(path, 'utf8')).toBe('before')
})
