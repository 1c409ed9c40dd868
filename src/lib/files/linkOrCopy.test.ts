import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkOrCopy } from './linkOrCopy.js'

const refuseWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

async function file(): Promise<{ from: string; to: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-link-'))
  const from = join(folder, 'from')
  await writeFile(from, 'content')
  return { from, to: join(folder, 'to') }
}

test('default: one file with two names', async () => {
  const { from, to } = await file()
  await linkOrCopy(from, to)
  expect((await stat(to)).ino).toBe((await stat(from)).ino)
})

test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])(
  'behavior: %s: a copy, and still nothing is replaced',
  async (code) => {
    const { from, to } = await file()
    await linkOrCopy(from, to, refuseWith(code))
    expect(await readFile(to, 'utf8')).toBe('content')
    await expect(linkOrCopy(from, to, refuseWith(code))).rejects.toMatchObject({ code: 'EEXIST' })
  },
)

test('error: a name that is taken, and any other error', async () => {
  const { from, to } = await file()
  await linkOrCopy(from, to)
  await expect(linkOrCopy(from, to)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(linkOrCopy(from, `${to}2`, refuseWith('EACCES'))).rejects.toThrow('EACCES')
})
