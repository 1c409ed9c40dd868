import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { smallDisk } from '../../test/kit/smallDisk.js'
import { type DataFolder, openDataFolder } from './dataFolder.js'
import type { LoggedPart } from './dataLog.js'

const origin = { worldHash: 'world-1', anvilVersion: '1.0.0' }
const newFolder = () => mkdtemp(join(tmpdir(), 'svc-sim-folder-'))

/** Open until the test has ended. */
async function open(folder: string, from = origin): Promise<DataFolder> {
  const log = await openDataFolder(folder, from)
  onTestFinished(() => log.close())
  return log
}

/** A part that remembers texts. */
function aPart(name: string, log: DataFolder, texts: string[] = []) {
  const part: LoggedPart = {
    name,
    async content(mark) {
      const marked = mark()
      const content = JSON.stringify(texts)
      await marked
      return [content.slice(0, 3), Buffer.from(content.slice(3))]
    },
  }
  const add = (text: string) => {
    texts.push(text)
    return log.append(name, text, () => void texts.pop())
  }
  return { part, add, texts }
}

/** What the part remembers according to the folder. */
async function remembered({ recovered }: DataFolder, name: string): Promise<unknown[]> {
  const { files, changes } = recovered
  const path = files[name]
  const written = path ? JSON.parse(await readFile(path, 'utf8')) : []
  return [...written, ...(changes[name] ?? [])]
}

/** A folder with two parts, a checkpoint and changes since. */
async function usedFolder(folder?: string) {
  folder ??= await newFolder()
  const log = await open(folder)
  const [one, two] = [aPart('one', log), aPart('two', log)]
  log.keep([one.part, two.part])
  await log.checkpoint()
  await Promise.all([one.add('a'), two.add('b')])
  await log.checkpoint()
  await Promise.all([one.add('c'), two.add('d'), one.add('e')])
  return { folder, log, one, two }
}

test('default: what was appended is there again, without a close', async () => {
  const { folder, log } = await usedFolder()
  expect(log.recovered).toEqual({ files: {}, changes: {}, isNew: true, mark: '', remarks: [] })
  const again = await open(folder)
  expect(again.recovered).toMatchObject({ isNew: false, remarks: [] })
  expect(await remembered(again, 'one')).toEqual(['a', 'c', 'e'])
  expect(await remembered(again, 'two')).toEqual(['b', 'd'])
  // Only what came after the checkpoint is in the log, and nothing else is left.
  expect(again.recovered.changes).toEqual({ one: ['c', 'e'], two: ['d'] })
  expect((await readdir(folder)).sort()).toEqual([
    'log-2.wal',
    'manifest.json',
    'one-2.data',
    'two-2.data',
  ])
  await again.append('two', 'f')
  expect(await remembered(await open(folder), 'two')).toEqual(['b', 'd', 'f'])
})

test('behavior: changes before a cut are in the file, those after it in the log', async () => {
  const { folder, log } = await usedFolder()
  const texts = ['x']
  const part: LoggedPart = {
    name: 'one',
    async content(mark) {
      const before = log.append('one', 'before')
      const marked = mark()
      const after = log.append('one', 'after')
      await Promise.all([before, marked, after])
      return [JSON.stringify([...texts, 'before'])]
    },
  }
  log.keep([part])
  await log.checkpoint()
  const again = await open(folder)
  expect(await remembered(again, 'one')).toEqual(['x', 'before', 'after'])
  expect(again.recovered.changes).toEqual({ one: ['after'] })
})

test('behavior: a start that ended before the manifest was there begins anew', async () => {
  const folder = await newFolder()
  await open(folder)
  await rm(join(folder, 'manifest.json'))
  const log = await open(folder)
  expect(log.recovered.isNew).toBe(true)
  await log.append('one', 'a')
  expect(await remembered(await open(folder), 'one')).toEqual(['a'])
  await rm(join(folder, 'manifest.json'))
  await expect(open(folder)).rejects.toThrow('manifest.json is missing')
})

test('behavior: a checkpoint under way ends before what it shows is replaced', async () => {
  const { folder, log, one } = await usedFolder()
  const order: string[] = []
  const checkpoint = log.checkpoint().then(() => order.push('checkpoint'))
  const replaced = log.replace(async () => {
    order.push('replaced')
    one.texts.splice(0, one.texts.length, 'new')
  }, 'everything')
  await Promise.all([checkpoint, replaced])
  expect(order).toEqual(['checkpoint', 'replaced'])
  expect(await remembered(await open(folder), 'one')).toEqual(['new'])
})

test('behavior: what starts quickly is written down again when the log is as long as its file', async () => {
  const { folder, log, one, two } = await usedFolder()
  await one.add('x'.repeat(10_000))
  log.keep([{ ...one.part, startsQuickly: true }, two.part])
  await log.checkpoint()
  await Promise.all([one.add('y'), two.add('z')])
  const names = async () => (await readdir(folder)).sort()
  for (const last of [4, 5]) {
    await log.checkpoint()
    // Its changes are in logs from its own cut on, which stay for it.
    const logs = [3, 4, 5].filter((number) => number <= last).map((number) => `log-${number}.wal`)
    const files = ['manifest.json', 'one-3.data', `two-${last}.data`]
    expect(await names()).toEqual([...logs, ...files])
    const again = await open(folder)
    expect(await remembered(again, 'one')).toEqual(one.texts)
    expect(await remembered(again, 'two')).toEqual(two.texts)
    expect(again.recovered.changes).toEqual({ one: ['y'], two: [] })
  }
  await one.add('z'.repeat(10_000))
  await log.checkpoint()
  expect(await names()).toEqual(['log-6.wal', 'manifest.json', 'one-6.data', 'two-6.data'])
  await one.add('short')
  await log.replace(async () => void one.texts.pop(), 'everything')
  expect(await names()).toEqual(['log-7.wal', 'manifest.json', 'one-7.data', 'two-7.data'])
  expect(await remembered(await open(folder), 'one')).toEqual(one.texts)
})

test('behavior: what replaces one part writes that down, and leaves the files of the others', async () => {
  const { folder, log, one, two } = await usedFolder()
  await log.replace(async () => void one.texts.pop(), ['one'])
  expect((await readdir(folder)).sort()).toEqual([
    'log-2.wal', // with what `two` has since its file
    'log-3.wal',
    'manifest.json',
    'one-3.data',
    'two-2.data',
  ])
  await Promise.all([one.add('f'), two.add('g')])
  const again = await open(folder)
  expect(await remembered(again, 'one')).toEqual(['a', 'c', 'f'])
  expect(await remembered(again, 'two')).toEqual(['b', 'd', 'g'])
  // What it changes besides is written down too.
  await log.replace(() => two.add('h'), ['one'])
  expect(await remembered(await open(folder), 'two')).toEqual(['b', 'd', 'g', 'h'])
})

test('behavior: however often one part is replaced, there are not many logs', async () => {
  const { folder, log, one, two } = await usedFolder()
  for (let i = 0; i < 120; i++) await log.replace(async () => void one.texts.push('x'), ['one'])
  expect((await readdir(folder)).length).toBeLessThan(60)
  const again = await open(folder)
  expect(await remembered(again, 'one')).toEqual(one.texts)
  expect(await remembered(again, 'two')).toEqual(two.texts)
})

test('behavior: a folder that has no files yet gets all of them, whatever is replaced', async () => {
  const folder = await newFolder()
  const log = await open(folder)
  const [one, two] = [aPart('one', log), aPart('two', log)]
  log.keep([one.part, two.part])
  await two.add('b')
  await log.replace(async () => void one.texts.push('a'), ['one'])
  expect(await remembered(await open(folder), 'two')).toEqual(['b'])
})

test('behavior: who waits for one replacement comes before the next', async () => {
  const { log, one, two } = await usedFolder()
  let isOver = false
  const replaceOn = async (): Promise<void> => {
    while (!isOver)
      await log.replace(() => new Promise((resolve) => setTimeout(resolve, 20)), ['one'])
  }
  const loops = [replaceOn(), replaceOn(), replaceOn()]
  for (let i = 0; i < 5; i++) await two.add('x')
  isOver = true
  await Promise.all(loops)
  expect(one.texts).toEqual(['a', 'c', 'e'])
})

test('behavior: what only grows is added to while the log is closed', async () => {
  const { folder, log, one, two } = await usedFolder()
  log.keep([one.part, { ...two.part, onlyGrows: true }])
  let go = () => {}
  const asked = new Promise<void>((resolve) => {
    go = resolve
  }).then(() => two.add('e')) // not from the work itself
  await log.replace(async () => {
    go()
    await asked
  }, ['one'])
  expect(await remembered(await open(folder), 'two')).toEqual(['b', 'd', 'e'])
})

test('error: without room for what comes of it, nothing is replaced, and the log goes on', async ({
  skip,
}) => {
  const disk = await smallDisk()
  if (!disk) return skip('takes root on Linux')
  const { folder, log, one } = await usedFolder(disk.folder)
  await disk.fill()
  const { epoch } = log
  let isBegun = false
  const replace = () =>
    log.replace(async () => {
      isBegun = true
    }, 'everything')
  await expect(replace()).rejects.toMatchObject({
    message: expect.stringMatching(
      `^The data folder ${folder} cannot be written to \\(ENOSPC: 0 bytes are free, and \\d+ are needed .*; nothing was changed$`,
    ),
    hint: expect.stringContaining('Free some space'),
  })
  expect({ isBegun, epoch: log.epoch, isClosed: log.isClosed }).toEqual({
    isBegun: false,
    epoch,
    isClosed: false,
  })
  await disk.free()
  await one.add('f')
  await replace()
  expect(isBegun).toBe(true)
  expect(await remembered(await open(folder), 'one')).toEqual(['a', 'c', 'e', 'f'])
})

test('error: a disk that fills while something is replaced: it is done, and the answer says that a start would not have it', async ({
  skip,
}) => {
  const disk = await smallDisk()
  if (!disk) return skip('takes root on Linux')
  const { folder, log, one } = await usedFolder(disk.folder)
  const replace = (text: string, meanwhile = async () => {}) =>
    log.replace(async () => {
      await meanwhile()
      one.texts.splice(0, one.texts.length, text)
    }, 'everything')
  await disk.fill()
  await expect(replace('refused')).rejects.toThrow('nothing was changed')
  expect(one.texts).toEqual(['a', 'c', 'e'])
  await disk.free()
  await expect(replace('done', disk.fill)).rejects.toMatchObject({
    message: expect.stringMatching(
      `^The data folder ${folder} cannot be written to \\(ENOSPC.*\\); the running simulator has carried out the request, but a start from the folder would lack it$`,
    ),
    hint: expect.stringMatching(/^Free some space on the disk, and ask again\..*refused\.$/),
  })
  expect(one.texts).toEqual(['done'])
  // So it is told until there is room again.
  await expect(log.append('one', 'refused')).rejects.toThrow('nothing was changed')
  await disk.free()
  await log.opened()
  await one.add('later')
  expect(await remembered(await open(folder), 'one')).toEqual(['done', 'later'])
})

test('error: a checkpoint that fails leaves nothing behind, and the log goes on', async () => {
  const { folder, log, one, two } = await usedFolder()
  const bad: LoggedPart = { name: 'two', content: () => Promise.reject(new Error('no room')) }
  log.keep([one.part, bad])
  for (let i = 0; i < 2; i++)
    await expect(log.checkpoint()).rejects.toMatchObject({
      code: 'internal_error',
      message: `The data folder ${folder} cannot be written to (no room); nothing was changed`,
    })
  expect((await readdir(folder)).filter((name) => name.endsWith('.data')).sort()).toEqual([
    'one-2.data',
    'two-2.data',
  ])
  await one.add('f')
  const again = await open(folder)
  expect(await remembered(again, 'one')).toEqual(['a', 'c', 'e', 'f'])
  log.keep([one.part, two.part])
  await log.checkpoint()
  await two.add('g')
  const last = await open(folder)
  expect(await remembered(last, 'one')).toEqual(['a', 'c', 'e', 'f'])
  expect(await remembered(last, 'two')).toEqual(['b', 'd', 'g'])
})

test('behavior: cut at any byte, the log gives what is whole, and says what it has cut off', async () => {
  const { folder } = await usedFolder()
  const path = join(folder, 'log-2.wal')
  const whole = await readFile(path)
  const ends = [...whole.toString('latin1').matchAll(/\n/g)].map(({ index }) => index + 1)
  const manifest = await readFile(join(folder, 'manifest.json'))
  const [, , cut] = ends // the head and the two cuts: a checkpoint counts only when they are there
  const changes = ['c', 'd', 'e']
  for (let length = whole.length; length >= cut!; length--) {
    await writeFile(path, whole.subarray(0, length))
    const log = await open(folder)
    const isTorn = !ends.includes(length)
    expect(log.recovered.remarks).toEqual(isTorn ? [expect.stringContaining('log-2.wal')] : [])
    const there = changes.slice(0, ends.findLastIndex((end) => end <= length) - 2)
    expect(Object.values(log.recovered.changes).flat().sort()).toEqual(there)
    expect(await readFile(path)).toEqual(
      whole.subarray(
        0,
        ends.findLast((end) => end <= length),
      ),
    )
    await log.close()
    await writeFile(join(folder, 'manifest.json'), manifest) // as a sudden end leaves it
  }
  await truncate(path, cut! - 1)
  await expect(open(folder)).rejects.toThrow('log-2.wal has lost its end')
})

test('error: a full disk: nothing has happened, and it goes on when there is room', async ({
  skip,
}) => {
  const disk = await smallDisk()
  if (!disk) return skip('takes root on Linux')
  const { folder, log, one } = await usedFolder(disk.folder)
  const fullDisk = /^The data folder [^ ]+ cannot [^(]+\(ENOSPC[^(]+$/
  await disk.fill()
  const long = 'x'.repeat(10_000)
  const first = one.add(long)
  const second = one.add('short')
  expect(log.settled()).toBeInstanceOf(Promise)
  for (const write of [first, second])
    await expect(write).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(`^The data folder ${folder} cannot be written to \\(ENOSPC`),
      hint: 'Free some space on the disk; then the same request succeeds. Reads still work.',
    })
  expect(one.texts).toEqual(['a', 'c', 'e'])
  await expect(log.checkpoint()).rejects.toThrow(fullDisk)
  expect(log.settled()).toBe(true)
  await disk.free()
  const greedy: LoggedPart = {
    name: 'one',
    async content(mark) {
      await disk.fill()
      await Promise.all([log.append('one', long), mark()])
      return []
    },
  }
  log.keep([greedy])
  await expect(log.checkpoint()).rejects.toThrow(fullDisk)
  await disk.free()
  log.keep([one.part])
  await one.add(long)
  await log.checkpoint()
  await one.add('last')
  const again = await open(folder)
  expect(again.recovered.remarks).toEqual([])
  expect(await remembered(again, 'one')).toEqual(['a', 'c', 'e', long, 'last'])
})

test.each([
  ['the log is deleted', (folder: string) => rm(at(folder, 'log-2.wal'))],
  [
    'the log is replaced by a copy',
    async (folder: string) => {
      await cp(at(folder, 'log-2.wal'), at(folder, 'copy'))
      await rename(at(folder, 'copy'), at(folder, 'log-2.wal'))
    },
  ],
  [
    'the folder is moved',
    async (folder: string) => {
      await rename(folder, `${folder}-moved`)
      onTestFinished(() => rm(`${folder}-moved`, { recursive: true }))
    },
  ],
])(
  'error: %s meanwhile: nothing more is promised, and what is there is left alone',
  async (_what, act) => {
    const { folder, log, one } = await usedFolder()
    await act(folder)
    const before = await readdir(folder).catch(() => 'none')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000)
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(one.add('f')).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be written to \(.*; nothing was changed$/),
      hint: expect.stringContaining('start it again'),
    })
    expect(one.texts).toEqual(['a', 'c', 'e'])
    await expect(log.checkpoint()).rejects.toThrow('cannot be written to')
    await log.close()
    expect(await readdir(folder).catch(() => 'none')).toEqual(before)
  },
)

test('error: a folder that is not ours any more is left alone', async () => {
  const { folder } = await usedFolder()
  let isOurs = true
  const expectHeld = async () => {
    if (!isOurs) throw Object.assign(new Error('another has it'), { code: 'LOST' })
  }
  const log = await openDataFolder(folder, origin, { expectHeld })
  await writeFile(at(folder, 'one-77.data'), 'of the other')
  isOurs = false
  await expect(log.append('one', 'f')).rejects.toThrow('another has it')
  await log.close()
  expect(await readdir(folder)).toContain('one-77.data')
  expect(await readFile(at(folder, 'manifest.json'), 'utf8')).not.toContain('"end"')
})

test('behavior: after a clean end the log is gone on with, and a sudden end after that is no lie', async () => {
  const { folder, log } = await usedFolder()
  await log.close()
  const second = await open(folder)
  await second.append('two', 'f')
  const third = await open(folder) // as after a sudden end of the second
  expect(await remembered(third, 'two')).toEqual(['b', 'd', 'f'])
  await third.close()
  expect((await open(folder)).recovered.remarks).toEqual([])
})

/** Changes the lines of the log of a used folder. */
async function editLines(folder: string, edit: (lines: string[]) => string[]): Promise<void> {
  const path = at(folder, 'log-2.wal')
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  await writeFile(
    path,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

const at = (folder: string, name: string) => join(folder, name)

/** What somebody does to a folder, and what the refusal says of it. */
const lies: [what: string, lie: (folder: string) => Promise<unknown>, message: RegExp][] = [
  [
    'a file is cut off',
    (folder) => truncate(at(folder, 'one-2.data'), 3),
    /one-2\.data has 3 bytes, and was written with 5\. .*Put back a copy/,
  ],
  [
    'a file is longer than it was',
    (folder) => writeFile(at(folder, 'one-2.data'), 'x', { flag: 'a' }),
    /one-2\.data has 6 bytes, and was written with 5\..*Put back a copy/,
  ],
  [
    'a file is not there',
    (folder) => rm(at(folder, 'two-2.data')),
    /two-2\.data is missing\..*Put back a copy/,
  ],
  [
    'the files of two parts are exchanged',
    async (folder) => {
      await rename(at(folder, 'one-2.data'), at(folder, 'x'))
      await rename(at(folder, 'two-2.data'), at(folder, 'one-2.data'))
      await rename(at(folder, 'x'), at(folder, 'two-2.data'))
    },
    /(one|two)-2\.data is not as it was written: its checksum differs.*Put back a copy/,
  ],
  [
    'the log is not there',
    (folder) => rm(at(folder, 'log-2.wal')),
    /log-2\.wal is missing or empty.*Put back a copy/,
  ],
  [
    'the very first log is not there',
    async (folder) => {
      const fresh = await newFolder()
      await open(fresh)
      for (const name of await readdir(folder)) await rm(at(folder, name))
      await cp(at(fresh, 'manifest.json'), at(folder, 'manifest.json'))
    },
    /log-0\.wal is missing or empty.*Put back a copy/,
  ],
  [
    'a log in the middle is not there',
    async (folder) => {
      await cp(at(folder, 'log-2.wal'), at(folder, 'log-4.wal'))
    },
    /log-3\.wal is missing or empty.*Put back a copy/,
  ],
  [
    'the log is of another number',
    (folder) => cp(at(folder, 'log-2.wal'), at(folder, 'log-3.wal')),
    /log-3\.wal is not the log of that number of this folder.*Put back a copy/,
  ],
  [
    'the log is of another folder',
    async (folder) => {
      const { folder: other } = await usedFolder()
      await cp(at(other, 'log-2.wal'), at(folder, 'log-2.wal'))
    },
    /log-2\.wal is not the log of that number of this folder.*Put back a copy/,
  ],
  [
    'a byte in the middle of the log differs',
    async (folder) => {
      const text = await readFile(at(folder, 'log-2.wal'), 'utf8')
      await writeFile(at(folder, 'log-2.wal'), text.replace('"cut":2', '"cut":3'))
    },
    /log-2\.wal is damaged after 1 lines.*Put back a copy/,
  ],
  [
    'a line in the middle of the log is lost',
    (folder) => editLines(folder, (lines) => lines.toSpliced(4, 1)),
    /log-2\.wal is damaged after 4 lines.*Put back a copy/,
  ],
  [
    'a line of the log is there twice',
    (folder) => editLines(folder, (lines) => [...lines, lines.at(-1)!]),
    /log-2\.wal is damaged after 6 lines.*Put back a copy/,
  ],
  [
    'a byte of the last line differs',
    (folder) => editLines(folder, (lines) => lines.with(-1, lines.at(-1)!.replace('"e"', '"f"'))),
    /log-2\.wal is damaged after 5 lines.*Put back a copy/,
  ],
  [
    'the last line is lost',
    (folder) => editLines(folder, (lines) => lines.slice(0, -1)),
    /log-2\.wal holds \d+ whole bytes, and was left with \d+: it has lost lines.*Put back a copy/,
  ],
  [
    'a log ends in the middle, and another follows',
    async (folder) => {
      const log = await open(folder)
      const bad: LoggedPart = { name: 'one', content: () => Promise.reject(new Error('no')) }
      log.keep([bad])
      await log.checkpoint().catch(() => {})
      const text = await readFile(at(folder, 'log-2.wal'), 'utf8')
      await writeFile(at(folder, 'log-2.wal'), text.slice(0, -5))
    },
    /log-2\.wal ends in the middle of a line, and another log follows.*Put back a copy/,
  ],
  [
    'the manifest is not there',
    (folder) => rm(at(folder, 'manifest.json')),
    /manifest\.json is missing.*Put back a copy/,
  ],
  [
    'the manifest is cut off',
    (folder) => truncate(at(folder, 'manifest.json'), 100),
    /manifest\.json is not JSON.*Put back a copy/,
  ],
  [
    'the manifest is of something else',
    (folder) => writeFile(at(folder, 'manifest.json'), '{"name":"left-pad"}'),
    /manifest\.json has the format undefined, not "svc-sim-data".*Put back a copy/,
  ],
  [
    'somebody has edited the manifest',
    async (folder) => {
      const text = await readFile(at(folder, 'manifest.json'), 'utf8')
      await writeFile(at(folder, 'manifest.json'), text.replace('one-2.data', 'two-2.data'))
    },
    /manifest\.json is not as it was written: its checksum differs.*Put back a copy/,
  ],
  [
    'it has old blocks in a file that is not read',
    (folder) => writeFile(at(folder, 'base.blocks'), 'x'),
    /base\.blocks holds old blocks, which this svc-sim does not read.*Start the version of svc-sim that wrote it/,
  ],
  [
    'it was written by another version',
    async (folder) => {
      const text = await readFile(at(folder, 'manifest.json'), 'utf8')
      await writeFile(at(folder, 'manifest.json'), text.replace('"version": 5', '"version": 7'))
    },
    /has version 7, and this svc-sim reads version 5.*Start the version of svc-sim that made it/,
  ],
]

test.each(lies)('error: %s: it is refused, and stays as it is', async (_what, lie, message) => {
  const { folder, log } = await usedFolder()
  await log.close()
  await lie(folder)
  const before = await contentsOf(folder)
  const refusal = await open(folder).catch((error: Error) => error)
  expect(refusal).toMatchObject({ name: 'DataFolderError' })
  const said = (refusal as Error).message
  expect(said).toContain(`The data folder ${folder} cannot be used: `)
  expect(said).toMatch(message)
  expect(await contentsOf(folder)).toEqual(before)
})

test.each([
  [
    { ...origin, worldHash: 'world-2' },
    'its chains were made with world world-1, and this is world world-2',
  ],
  [
    { ...origin, anvilVersion: '2.0.0' },
    'its chains were made with anvil 1.0.0, and this is anvil 2.0.0',
  ],
])('error: a folder of another origin: %s', async (other, why) => {
  const { folder } = await usedFolder()
  await expect(open(folder, other)).rejects.toThrow(
    `The data folder ${folder} cannot be used: ${why}. Nothing in it was changed. Start the version`,
  )
})

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(at(folder, name), 'latin1')]),
    ),
  )
}
