import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultCacheDir, openCache } from './cache.js'

const block = { chainId: 1, block: 16, hash: `0x${'ab'.repeat(32)}` }
let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'cache-')), 'forks')
})

const remarks: string[] = []
const say = (remark: string): void => void remarks.push(remark)
const open = (which: Partial<typeof block> = {}, bounds?: Parameters<typeof openCache>[3]) =>
  openCache(folder, { ...block, ...which }, say, bounds)

async function onlyFile(): Promise<string> {
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  return join(folder, names[0]!)
}

test('default: what one has kept is there for the next, and nothing of another block', async () => {
  const first = await open()
  first.add('slot', '0x1')
  first.add('account', { balance: '0x1', code: '0x\t\n' })
  first.add('slot', '0x2') // What is there stays.
  await first.close()
  const again = await open()
  expect(Object.fromEntries(again.entries())).toEqual({
    slot: '0x1',
    account: { balance: '0x1', code: '0x\t\n' },
  })
  expect((await open({ hash: `0x${'cd'.repeat(32)}` })).get('slot')).toBe(undefined)
  expect((await open({ chainId: 10 })).get('slot')).toBe(undefined)
})

test('behavior: two that share a file lose nothing', async () => {
  const both = [await open(), await open()]
  for (let n = 0; n < 200; n++) both[n % 2]!.add(`slot ${n}`, `0x${n}`)
  await Promise.all(both.map((each) => each.close()))
  const after = await open()
  for (let n = 0; n < 200; n++) expect(after.get(`slot ${n}`)).toBe(`0x${n}`)
})

test('behavior: a file that ends in the middle of a line costs that line; the next is whole', async () => {
  const first = await open()
  first.add('one', '0x1')
  first.add('two', '0x2222')
  await first.close()
  const path = await onlyFile()
  await truncate(path, (await readFile(path)).length - 4)
  const second = await open()
  expect([second.get('one'), second.get('two')]).toEqual(['0x1', undefined])
  second.add('three', '0x3')
  await second.close()
  const third = await open()
  expect([third.get('one'), third.get('three')]).toEqual(['0x1', '0x3'])
})

test('behavior: a line that was changed is not believed', async () => {
  const first = await open()
  first.add('one', '0x1')
  await first.close()
  const path = await onlyFile()
  await writeFile(path, (await readFile(path, 'utf8')).replace('0x1', '0x7'))
  await appendFile(path, 'no line\n\n00000000\tone\t"0x9"\n')
  expect((await open()).get('one')).toBe(undefined)
})

test('behavior: what was not used for longest goes when the folder grows too large', async () => {
  for (const number of [1, 2, 3]) {
    const cache = await open({ block: number })
    cache.add('code', 'x'.repeat(1000))
    await cache.close()
  }
  const names = (await readdir(folder)).sort()
  for (const [at, name] of names.entries()) await utimes(join(folder, name), 1_000 + at, 1_000 + at)
  // The oldest is the one in use.
  expect((await open({ block: 1 }, { maxBytes: 2_500, maxBytesOfOne: 2_000 })).get('code')).toBe(
    'x'.repeat(1000),
  )
  expect((await readdir(folder)).sort()).toEqual([names[0], names[2]])
  // It stays even if it exceeds the limit on its own.
  await open({ block: 1 }, { maxBytes: 500, maxBytesOfOne: 2_000 })
  expect(await readdir(folder)).toEqual([names[0]])
})

test('behavior: one file has its bound too; what is beyond is known until the end', async () => {
  const cache = await open({}, { maxBytes: 1_000, maxBytesOfOne: 100 })
  cache.add('code', 'x'.repeat(200))
  await cache.close()
  cache.add('more', 'y')
  await cache.close()
  expect(cache.get('more')).toBe('y')
  const again = await open()
  expect([again.get('code'), again.get('more')]).toEqual(['x'.repeat(200), undefined])
})

test('behavior: a folder that cannot be written is said once, and done without', async () => {
  await writeFile(folder, 'a file')
  remarks.length = 0
  const cache = await open()
  cache.add('one', '0x1')
  await cache.close()
  expect(cache.get('one')).toBe('0x1')
  expect(remarks).toEqual([expect.stringMatching(/^nothing is kept in .*forks: /)])
})

test('behavior: the folder is in the cache of the user, wherever the system has it', () => {
  expect(defaultCacheDir({ XDG_CACHE_HOME: '/there' })).toBe(join('/there', 'svc-sim', 'forks'))
  expect(defaultCacheDir({})).toMatch(/svc-sim.forks$/)
  expect(defaultCacheDir({}, '')).toBe(join(tmpdir(), 'svc-sim', 'forks'))
})
