import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { networkNames } from '../../deployments/networks.js'
import { svcAddresses } from '../../generated/svc.js'
import { openDataFolder } from '../../wal/dataFolder.js'
import { readContents, writeExport } from '../../wal/exportFile.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import { lockDataDir } from './dataDirLock.js'
import { areWrittenDown, expectImported, importFolder } from './importFolder.js'

// The chains are made up: what is tested is which of them are taken over, and what a refusal leaves.

const origin = { worldHash: 'world', anvilVersion: '1.7.1' }
const block: NodeCommand = { method: 'evm_mine', params: [], at: 1, on: '0x1' }
const setting: NodeCommand = { method: 'anvil_impersonateAccount', params: ['0x1'] }
const { scripts, ...contracts } = svcAddresses
const ownContracts = Object.values({ ...contracts, ...scripts })

/** An export of chains with these contracts, after whose checkpoint came these commands. */
async function exported({
  commands = [setting],
  code = ownContracts,
  from = origin,
}: {
  commands?: NodeCommand[]
  code?: readonly string[]
  from?: typeof origin
} = {}) {
  const root = await mkdtemp(join(tmpdir(), 'svc-sim-import-'))
  const folder = join(root, 'data')
  await mkdir(folder)
  const log = await openDataFolder(folder, from)
  const accounts = Object.fromEntries(code.map((address) => [address, { code: '0x01' }]))
  log.keep(
    networkNames.map((name) => ({
      name,
      async content(mark) {
        await mark()
        return [JSON.stringify({ accounts })]
      },
    })),
  )
  await log.checkpoint()
  for (const command of commands) await log.append('polygon', command)
  await log.close()
  const file = join(root, 'export')
  const contents = (await readContents(folder))!
  await writeExport(folder, contents, { file, madeBy: '1.2.3', mayReplace: false })
  return { root, folder, file, contents, target: join(root, 'target') }
}

const originOf = async (folder: string) => {
  const { worldHash, anvilVersion } = (await readContents(folder))!.manifest
  return { worldHash, anvilVersion }
}

test('default: into a folder that is new, or empty', async () => {
  const { file, target, root } = await exported()
  expect(await importFolder(target, file, origin)).toEqual({ madeBy: '1.2.3', remarks: [] })
  expect(await readdir(target)).not.toContain('svc-sim.lock')
  const empty = join(root, 'empty')
  await mkdir(empty)
  await importFolder(empty, file, origin)
  expect(await originOf(empty)).toEqual(origin)
})

test('behavior: chains of another world and an older node go on, with a word about it', async () => {
  const from = { worldHash: 'other', anvilVersion: '1.6.12' }
  const { file, target } = await exported({ from })
  const { remarks } = await importFolder(target, file, origin)
  expect(remarks).toEqual([
    'its chains were made with anvil 1.6.12',
    'its chains were made with another world, which they keep',
  ])
  expect(await originOf(target)).toEqual(origin)
})

test('behavior: with the same version, blocks may be made again', async () => {
  const { file, target, contents } = await exported({ commands: [block] })
  expect(areWrittenDown(contents)).toBe(false)
  expect(areWrittenDown((await exported()).contents)).toBe(true)
  await importFolder(target, file, origin)
})

test.each([
  [
    'a newer node',
    { from: { ...origin, anvilVersion: '1.10.0' } },
    'its chains were written with anvil 1.10.0, and this is anvil 1.7.1, which is older',
    'Use the version of svc-sim that made it, or a newer one.',
  ],
  [
    'another world, and blocks to be made again',
    { from: { ...origin, worldHash: 'other' }, commands: [block] },
    'its chains were made with another version of svc-sim, and are not written down whole',
    'Have that version export it again ("svc-sim data export").',
  ],
  [
    'another world, with other contracts',
    { from: { ...origin, worldHash: 'other' }, code: ownContracts.slice(1) },
    'its mainnet chain has other contracts than this version of svc-sim needs (no factory)',
    'Use the version of svc-sim that made it.',
  ],
])('error: of %s: refused, and the folder is as before', async (_what, how, why, cure) => {
  const { file, root, target } = await exported(how)
  const refused = `The export ${file} cannot be used: ${why}. Nothing was changed. ${cure}`
  await expect(importFolder(target, file, origin)).rejects.toThrow(refused)
  expect((await readdir(root)).sort()).toEqual(['data', 'export'])
  await mkdir(target)
  await expect(importFolder(target, file, origin)).rejects.toThrow(refused)
  expect(await readdir(target)).toEqual([])
})

test('behavior: a new volume, with its lost+found, is empty', async () => {
  const { file, target } = await exported()
  await mkdir(join(target, 'lost+found'), { recursive: true })
  await importFolder(target, file, origin)
  expect(await readdir(target)).toContain('lost+found')
})

test('error: a folder that is used, or has something in it', async () => {
  const { file, root, target } = await exported()
  await mkdir(target)
  await writeFile(join(target, 'notes.txt'), 'mine')
  await expect(importFolder(target, file, origin)).rejects.toThrow(
    `${target} is not empty (it has notes.txt), and an import does not change existing data.`,
  )
  expect(await readdir(target)).toEqual(['notes.txt'])
  const busy = join(root, 'busy')
  const lock = await lockDataDir(busy)
  await expect(importFolder(busy, file, origin)).rejects.toThrow(`in use by process ${process.pid}`)
  await lock.release()
})

test('error: a damaged export leaves the folder as it was', async () => {
  const { file, root, target } = await exported()
  await writeFile(file, 'no export')
  await expect(importFolder(target, file, origin)).rejects.toThrow(`The export ${file} cannot be`)
  expect((await readdir(root)).sort()).toEqual(['data', 'export'])
})

test('behavior: what a killed import has left is refused by a start, and the next import begins anew', async () => {
  const { file, folder, target } = await exported()
  await cp(folder, target, { recursive: true })
  await rm(join(target, 'manifest.json'))
  await writeFile(join(target, 'svc-sim.import'), '')
  expect(() => expectImported(target)).toThrow(
    `The data folder ${target} cannot be used: an import into it did not come to its end. Nothing in it was changed. ` +
      `Do it again: "svc-sim data import FILE --data-dir ${target}" begins anew.`,
  )
  await importFolder(target, file, origin)
  expectImported(target)
  expect(await originOf(target)).toEqual(origin)
  await expect(importFolder(target, file, origin)).rejects.toThrow('is not empty')
})
