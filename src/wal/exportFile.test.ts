import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDataFolder } from './dataFolder.js'
import { readContents, unpackExport, writeExport } from './exportFile.js'
import { frame, unframe } from './frames.js'

const origin = { worldHash: 'w', anvilVersion: '1.0.0' }
const how = (file: string) => ({ file, madeBy: '1.2.3', mayReplace: false })

/** A folder with two parts, a checkpoint and changes since; and its export. */
async function exported() {
  const root = await mkdtemp(join(tmpdir(), 'svc-sim-export-'))
  const folder = join(root, 'data')
  await mkdir(folder)
  const log = await openDataFolder(folder, origin)
  const part = (name: string, content: string) => ({
    name,
    async content(mark: () => Promise<void>) {
      await mark()
      return [content]
    },
  })
  log.keep([part('two', 'second'), part('one', 'first\n'), part('none', '')])
  await log.checkpoint()
  await log.append('one', { a: 1 })
  await log.append('two', 'b')
  await log.close()
  const file = join(root, 'export')
  await writeExport(folder, (await readContents(folder))!, how(file))
  const target = join(root, 'target')
  await mkdir(target)
  return { root, folder, file, target }
}

test('default: a folder made of an export holds the same, and is one of its own', async () => {
  const { folder, file, target } = await exported()
  expect(await unpackExport(file, target)).toMatchObject({ madeBy: '1.2.3' })
  const [before, after] = [(await readContents(folder))!, (await readContents(target))!]
  expect(after.recovered.changes).toEqual({ one: [{ a: 1 }], two: ['b'], none: [] })
  expect(after.recovered.remarks).toEqual([])
  expect(await readFile(join(target, 'one-1.data'), 'utf8')).toBe('first\n')
  expect((await readdir(target)).sort()).toEqual((await readdir(folder)).sort())
  expect(after.manifest).toEqual({
    ...before.manifest,
    folder: after.manifest.folder,
    end: undefined, // of a run of that folder
  })
  expect(after.manifest.folder).not.toBe(before.manifest.folder)
  const opened = await openDataFolder(target, origin)
  await opened.append('two', 'c')
  await opened.close()
  expect((await readContents(target))!.recovered.changes.two).toEqual(['b', 'c'])
})

test('behavior: the same folder gives the same bytes; what a sudden end has torn is not in them', async () => {
  const { root, folder, file } = await exported()
  const again = join(root, 'again')
  await writeFile(join(folder, 'log-1.wal'), '12345678 {"to', { flag: 'a' })
  const contents = (await readContents(folder))!
  expect(contents.recovered.remarks).toHaveLength(1)
  await writeExport(folder, contents, how(again))
  expect(await readFile(again)).toEqual(await readFile(file))
})

test('error: a file that is there is replaced only when that is asked for', async () => {
  const { folder, file, root } = await exported()
  await writeFile(file, 'precious')
  const contents = (await readContents(folder))!
  await expect(writeExport(folder, contents, how(file))).rejects.toThrow(
    `${file} exists already. Name another file, or give --overwrite.`,
  )
  expect(await readFile(file, 'utf8')).toBe('precious')
  await writeExport(folder, contents, { ...how(file), mayReplace: true })
  expect(await readFile(file, 'utf8')).not.toBe('precious')
  expect((await readdir(root)).sort()).toEqual(['data', 'export', 'target'])
})

interface Head {
  version: number
  manifest: { version: number; files: Record<string, { name: string; bytes: number }> }
  logs: { name: string; checksum: string }[]
}

/** Changes the first line, which is signed again. */
const withHead = (change: (head: Head) => void) => (bytes: Buffer) => {
  const plain = gunzipSync(bytes)
  const end = plain.indexOf('\n') + 1
  const [head] = unframe(plain.subarray(0, end)).records
  change(head as Head)
  return gzipSync(Buffer.concat([Buffer.from(frame(head)), plain.subarray(end)]))
}
/** Changes what is behind it. */
const withPlain = (change: (plain: Buffer) => Buffer) => (bytes: Buffer) =>
  gzipSync(change(gunzipSync(bytes)))

const lies: [what: string, lie: (bytes: Buffer) => Buffer, why: RegExp][] = [
  ['it is cut off', (bytes) => bytes.subarray(0, -20), /it is damaged, or no export/],
  ['it is empty', () => Buffer.alloc(0), /it is damaged, or no export|ends too early/],
  ['it is something else', () => Buffer.from('{}'), /it is damaged, or no export/],
  ['it is another compressed file', () => gzipSync('{}\n'), /first line is not that of an export/],
  [
    'a bit of it differs',
    (bytes) => {
      const other = Buffer.from(bytes)
      other[other.length >> 1]! ^= 4
      return other
    },
    /it is damaged, or no export|not as it was written|not that of an export|malformed/,
  ],
  [
    'a part differs',
    withPlain((plain) => Buffer.from(plain.toString('latin1').replace('first\n', 'xirst\n'))),
    /its one-1\.data is not as it was written: the checksum differs/,
  ],
  [
    'a log differs',
    withPlain((plain) => Buffer.from(plain.toString('latin1').replace('"b"}', '"x"}'))),
    /its log-1\.wal is not as it was written: the checksum differs/,
  ],
  ['its content ends early', withPlain((plain) => plain.subarray(0, -3)), /ends too early/],
  [
    'there is more',
    withPlain((plain) => Buffer.concat([plain, Buffer.from('x')])),
    /holds more than it names/,
  ],
  [
    'a name leads elsewhere',
    withHead(({ manifest }) => {
      manifest.files.one!.name = '../one-1.data'
    }),
    /it holds a file "\.\.\/one-1\.data"/,
  ],
  [
    'the name of a part leads elsewhere',
    withHead(({ manifest: { files } }) => {
      files['../one'] = { ...files.one!, name: '../one-1.data' }
    }),
    /its first line is malformed/,
  ],
  [
    'the name of a log leads elsewhere',
    withHead(({ logs }) => {
      logs[0]!.name = '/etc/log-1.wal'
    }),
    /it holds a file "\/etc\/log-1\.wal"/,
  ],
  [
    'it claims to be huge',
    withHead(({ manifest }) => {
      manifest.files.one!.bytes = 2 ** 40
    }),
    /bytes claim to hold 1099511/,
  ],
  ['the first line never ends', () => gzipSync(Buffer.alloc(50_000_000, 'a')), /ends too early/],
  [
    'it has old blocks in files of their own',
    withHead((head) => Object.assign(head, { archives: [] })),
    /it holds old blocks in files of their own, which this svc-sim does not read.*Start the version/,
  ],
  [
    'it has another version',
    withHead((head) => {
      head.version = 2
    }),
    /it has version 2, which this svc-sim does not read.*Start the version of svc-sim that made it/,
  ],
  [
    'the folder had another version',
    withHead(({ manifest }) => {
      manifest.version = 4
    }),
    /it has version 4, which this svc-sim does not read/,
  ],
  [
    'sizes are no numbers',
    withHead(({ manifest }) => {
      manifest.files.one!.bytes = -1
    }),
    /its first line is malformed \(manifest\.files\.one\.bytes/,
  ],
]

test.each(lies)('error: %s: refused, and no data folder comes of it', async (_what, lie, why) => {
  const { file, target, root } = await exported()
  await writeFile(file, lie(await readFile(file)))
  const refusal = await unpackExport(file, target).catch((error: Error) => error)
  expect(refusal).toMatchObject({ name: 'ExportFileError' })
  expect((refusal as Error).message).toContain(`The export ${file} cannot be used: `)
  expect((refusal as Error).message).toMatch(why)
  expect((refusal as Error).message.length).toBeLessThan(1_000)
  expect(await readdir(target)).not.toContain('manifest.json')
  expect((await readdir(root)).sort()).toEqual(['data', 'export', 'target'])
})

test('error: a first line that was edited', async () => {
  const { file, target } = await exported()
  const plain = gunzipSync(await readFile(file)).toString('latin1')
  await writeFile(file, gzipSync(plain.replace('1.2.3', '1.2.4')))
  await expect(unpackExport(file, target)).rejects.toThrow('not that of an export, or is damaged')
})

test('error: a file that is not there', async () => {
  const { root, target } = await exported()
  await expect(unpackExport(join(root, 'nothing'), target)).rejects.toThrow('ENOENT')
})
