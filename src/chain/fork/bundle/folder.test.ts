import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NetworkName } from '../../../deployments/networks.js'
import { type DataFolder, openDataFolder } from '../../../wal/dataFolder.js'
import { noLog } from '../../../wal/dataLog.js'
import type { ForkPin } from '../../../wal/manifest.js'
import { createRecording, expectForks, newForks, recoverForks, recoverRecording } from './folder.js'

const pin: ForkPin = { block: 7, hash: '0x77' }
const nothing = { files: {}, changes: {}, isNew: false, mark: '', remarks: [] }

/** What is said of a start that forks these in a folder that has those forked. */
async function said(
  cache: readonly NetworkName[],
  asked: readonly NetworkName[],
  bundle?: Partial<Record<NetworkName, ForkPin>>,
): Promise<string> {
  const pins = Object.fromEntries(cache.map((network) => [network, pin]))
  const forks = await recoverForks('kept', pins, nothing)
  const inBundle = bundle && new Map(Object.entries(bundle) as [NetworkName, ForkPin][])
  try {
    expectForks(forks, asked, inBundle)
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}

test('default: the same networks, or none; anything in a folder that is new', async () => {
  expect(await said(['base', 'polygon'], ['base', 'polygon'])).toBe('nothing')
  expect(await said(['base', 'polygon'], [])).toBe('nothing')
  expect(await said(['base'], ['base'], { base: pin })).toBe('nothing')
  const forks = newForks('new')
  expectForks(forks, ['base'], undefined)
  expect(forks.of('base')?.pin).toBe(undefined)
  expect(forks.recordings(['base', 'mainnet']).map(({ part }) => part.name)).toEqual([
    'basereads',
    'mainnetreads',
  ])
})

test('error: a network that is offline in the folder, with what to do', async () => {
  expect(await said(['base'], ['base', 'polygon'])).toMatch(
    /^The data folder kept cannot be used: polygon is offline in it.*Nothing in it was changed\. Leave the fork of polygon out, or name another --data-dir/,
  )
  expect(await said([], ['base', 'polygon'])).toContain('base and polygon are offline in it')
})

test('error: one of its forks left out, with what to do', async () => {
  expect(await said(['base', 'mainnet', 'polygon'], ['base'])).toMatch(
    /mainnet and polygon are forked in it too.*Give --fork mainnet=URL and --fork polygon=URL too; or leave all --fork out/,
  )
})

test('error: a bundle of another block', async () => {
  const other = { base: { block: 8, hash: '0x88' } }
  expect(await said(['base'], ['base'], other)).toMatch(
    /it has base at block 7 \(0x77\), and the bundle at block 8 \(0x88\).*Leave --bundle out/,
  )
})

const origin = { worldHash: 'w', anvilVersion: 'a' }
let dir: string
const open: DataFolder[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recording-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.close()))
  await rm(dir, { recursive: true })
})

async function opened() {
  const folder = await openDataFolder(dir, origin)
  open.push(folder)
  const recording = await recoverRecording('base', folder.recovered)
  await recording.keepIn(folder)
  folder.keep([recording.part])
  return { folder, recording }
}

test('default: what is added is in the folder when that resolves; written down or not, it is there again', async () => {
  const { folder, recording } = await opened()
  await recording.add('slot 1', '0x01')
  await recording.add('account 2', { balance: '0x0', nonce: '0x0', code: '0x' })
  expect((await opened()).recording.get('slot 1')).toBe('0x01')
  await folder.checkpoint()
  await recording.add('slot 3', '0x03\n\u2028')
  expect([...(await opened()).recording.entries()]).toEqual([...recording.entries()])
  expect((await opened()).recording.get('slot 3')).toBe('0x03\n\u2028')
})

test('behavior: what was read before there was a folder goes there; nothing that is there changes', async () => {
  const recording = createRecording('base')
  await recording.add('slot 1', '0x01')
  const folder = await openDataFolder(dir, origin)
  open.push(folder)
  await recording.keepIn(folder)
  await recording.add('slot 1', '0x02')
  expect([...(await opened()).recording.entries()]).toEqual([['slot 1', '0x01']])
})

test('behavior: what is read while everything is replaced waits for nobody, and is in what is written down then', async () => {
  const { folder, recording } = await opened()
  await folder.checkpoint()
  let read: unknown
  // As a node's request comes: not from the work itself.
  let go: () => void = () => {}
  const asked = new Promise<void>((resolve) => {
    go = resolve
  }).then(async () => {
    await recording.add('slot 1', '0x01')
    read = recording.get('slot 1')
  })
  await folder.replace(async () => {
    go()
    await asked
  }, 'everything')
  expect(read).toBe('0x01')
  expect((await opened()).recording.get('slot 1')).toBe('0x01')
})

test('error: what cannot be written is not kept either, and is asked for again', async () => {
  const recording = createRecording('base')
  const full = new Error('the disk is full')
  let isFull = true
  await recording.keepIn({
    ...noLog,
    async append(_part, _change, undo) {
      if (!isFull) return
      undo?.()
      throw full
    },
  })
  await expect(recording.add('slot 1', '0x01')).rejects.toThrow(full)
  expect(recording.get('slot 1')).toBe(undefined)
  isFull = false
  await recording.add('slot 1', '0x01')
  expect(recording.get('slot 1')).toBe('0x01')
})
