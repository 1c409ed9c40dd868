import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { addToBundle, type Bundle, readBundle, writeBundle } from './bundle.js'

const hash = `0x${'ab'.repeat(32)}`
const answers = new Map<string, unknown>([
  ['slot 0x1 of 0x2', '0x0'],
  ['account 0x2', { balance: '0x1', nonce: '0x0', code: '0x\t\n' }],
])
const bundle: Bundle = {
  ...{ madeBy: '0.1.0', moment: 1_767_225_600, accounts: ['0x2'] },
  networks: new Map([
    ['base', { block: 16, hash, answers }],
    ['polygon', { block: 17, hash, answers: new Map([['checked', true]]) }],
  ]),
}
let folder: string
let path: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'bundle-')), 'new', 'one')
  path = join(folder, 'networks.bundle')
  await writeBundle(folder, bundle)
})

/** The first line with something changed. */
async function alter(change: (head: Record<string, unknown>) => object): Promise<void> {
  const whole = await readFile(path)
  const end = whole.indexOf('\n')
  const head = change(JSON.parse(whole.subarray(0, end).toString()))
  await writeFile(path, Buffer.concat([Buffer.from(JSON.stringify(head)), whole.subarray(end)]))
}

test('default: what was written is read, and nothing else is in the folder', async () => {
  const { networks, ...others } = await readBundle(folder)
  const { networks: written, ...about } = bundle
  expect(others).toEqual({ ...about, bytes: (await readFile(path)).length })
  expect([...networks.keys()]).toEqual([...written.keys()])
  for (const [network, { answers, ...block }] of networks) {
    const { answers: wanted, ...itsBlock } = written.get(network)!
    expect([block, new Map(answers), answers.size]).toEqual([itsBlock, wanted, wanted.size])
    for (const [key, value] of wanted) expect(answers.get(key)).toEqual(value)
    expect([answers.get('slot'), answers.has('slot')]).toEqual([undefined, false])
  }
  expect(await readdir(folder)).toEqual(['networks.bundle'])
})

test('behavior: the same content is the same bytes, in whatever order it was read; again, and elsewhere', async () => {
  const before = await readFile(path)
  const turned = { block: 16, hash, answers: new Map([...answers].reverse()) }
  const networks = new Map([...bundle.networks].reverse()).set('base', turned)
  await writeBundle(folder, { ...bundle, networks })
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('behavior: two that write at once leave a whole one, and nothing else', async () => {
  const other: Bundle = { ...bundle, networks: new Map([['base', { block: 18, hash, answers }]]) }
  for (let round = 0; round < 10; round++) {
    const reading = readBundle(folder)
    await Promise.all([writeBundle(folder, bundle), writeBundle(folder, other), reading])
    expect([16, 18]).toContain((await readBundle(folder)).networks.get('base')?.block)
  }
  expect(await readdir(folder)).toEqual(['networks.bundle'])
})

/** The bundle with one answer more, or of another block. */
function withOne(key: string, of = hash): Bundle {
  const networks = new Map(bundle.networks)
  networks.set('base', { block: 16, hash: of, answers: new Map([...answers, [key, '0x7']]) })
  return { ...bundle, networks }
}

test('behavior: what is added stays, whoever adds at the same time; the same again changes no byte', async () => {
  const keys = Array.from({ length: 8 }, (_, i) => `slot ${i}`)
  await Promise.all(keys.map((key) => addToBundle(folder, withOne(key))))
  const { networks, accounts, moment } = await readBundle(folder)
  const found = networks.get('base')!
  expect([...new Map(found.answers).keys()].sort()).toEqual([...answers.keys(), ...keys].sort())
  expect({ accounts, moment, networks: networks.size }).toEqual({
    ...{ accounts: ['0x2'], moment: bundle.moment, networks: 2 },
  })
  const before = await readFile(path)
  await addToBundle(folder, withOne('slot 3'))
  expect((await readFile(path)).equals(before)).toBe(true)
  expect(await readdir(folder)).toEqual(['networks.bundle'])
})

test('error: nothing is added to a bundle of another block, to a damaged one and to none', async () => {
  const before = await readFile(path)
  await expect(addToBundle(folder, withOne('slot 1', `0x${'cd'.repeat(32)}`))).rejects.toThrow(
    /^nothing is added to .*: another bundle is there now, with base at block 16/,
  )
  const later = { ...bundle, moment: bundle.moment + 1 }
  await expect(addToBundle(folder, later)).rejects.toThrow('another bundle is there now')
  expect((await readFile(path)).equals(before)).toBe(true)
  await writeFile(path, before.subarray(0, -1))
  await expect(addToBundle(folder, withOne('slot 1'))).rejects.toThrow('is damaged')
  expect(await readdir(folder)).toEqual(['networks.bundle'])
})

test('error: a folder without a bundle, and a file of something else', async () => {
  await expect(readBundle(join(folder, 'none'))).rejects.toThrow('is no bundle: networks.bundle')
  for (const text of ['{"format":"a parcel"}\n', 'null\n', '{"format', '', '\n'])
    await expect(writeFile(path, text).then(() => readBundle(folder))).rejects.toThrow(
      'is of something else, or damaged: it does not begin as a "svc-sim bundle"',
    )
})

test('error: another version is named, with who made it', async () => {
  await alter((head) => ({ ...head, version: 2, madeBy: '9.9.9' }))
  await expect(readBundle(folder)).rejects.toThrow(
    'is a bundle of version 2, made by svc-sim 9.9.9; this svc-sim reads version 1',
  )
})

test('error: a bundle of which any byte was changed', async () => {
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at += 7) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 1
    await writeFile(path, changed)
    await expect(readBundle(folder)).rejects.toThrow(/damaged|is a bundle of version/)
  }
  await alter((head) => ({ ...head, moment: 1 }))
  await expect(readBundle(folder)).rejects.toThrow('damaged: the checksum of its first line')
})

test('error: a bundle that is cut off anywhere, or goes on', async () => {
  const whole = await readFile(path)
  for (let length = 0; length < whole.length; length += 11) {
    await writeFile(path, whole.subarray(0, length))
    await expect(readBundle(folder)).rejects.toThrow('damaged')
  }
  await writeFile(path, Buffer.concat([whole, whole]))
  await expect(readBundle(folder)).rejects.toThrow(/its answers have \d+ bytes instead of \d+/)
})
