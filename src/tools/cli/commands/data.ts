import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataDirLock, lockDataDir } from '../../../chain/persistence/dataDirLock.js'
import {
  areWrittenDown,
  expectImported,
  importFolder,
} from '../../../chain/persistence/importFolder.js'
import { networkNames } from '../../../deployments/networks.js'
import { shellWord } from '../../../lib/shellWord.js'
import { ownOrigin } from '../../../simulator/options/exportFolder.js'
import {
  expectFree,
  type FolderContents,
  readContents,
  writeExport,
} from '../../../wal/exportFile.js'
import { expectOrigin } from '../../../wal/manifest.js'
import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'

const usage =
  'use it as "svc-sim data check", "data compact", "data export FILE" or "data import FILE", each with --data-dir DIR; see "svc-sim data --help".'

/** `svc-sim data VERB [FILE]`: works on a data folder while no simulator uses it. */
export async function data(
  { dataDir, json, overwrite }: OptionValues,
  words: readonly string[],
  version: string,
): Promise<number> {
  const [verb = '', file, ...others] = words
  const takesFile = verb === 'export' || verb === 'import'
  const isKnown = takesFile || verb === 'check' || verb === 'compact'
  if (!isKnown || takesFile !== (file !== undefined) || others.length > 0)
    throw new ConfigError(usage)
  if (dataDir === undefined) throw new ConfigError('name the data folder with --data-dir DIR.')
  if (verb === 'import') return importFrom(dataDir, file!, json)
  if (!existsSync(dataDir))
    throw new Error(`There is no folder ${dataDir}. Name another --data-dir.`)
  if (verb === 'check') return check(dataDir, json)
  if (verb === 'compact') return compact(dataDir, json)
  return exportTo(dataDir, { file: file!, madeBy: version, mayReplace: overwrite }, json)
}

/** Prints a result: an object as JSON, or a text. */
async function printAs(asJson: boolean, result: object, text: string): Promise<number> {
  await print(asJson ? `${JSON.stringify(result)}\n` : text)
  return 0
}

async function importFrom(dataDir: string, file: string, asJson: boolean): Promise<number> {
  const { madeBy, remarks } = await importFolder(dataDir, file, ownOrigin())
  return printAs(
    asJson,
    { folder: dataDir, file, made_by: madeBy, remarks },
    `${dataDir} holds what svc-sim ${madeBy} exported to ${file}. Continue with "svc-sim start --data-dir ${shellWord(dataDir)}".\n${remarks.map((remark) => `  ${remark}\n`).join('')}`,
  )
}

async function check(dataDir: string, asJson: boolean): Promise<number> {
  const lock = await lockToRead(dataDir)
  try {
    return await checkAlone(dataDir, asJson)
  } finally {
    // Remains of a sudden end stay for the next start, which reports them: this process is gone by then.
    if (!lock.previousRunWasUnclean) await lock.release()
  }
}

async function checkAlone(dataDir: string, asJson: boolean): Promise<number> {
  const contents = await contentsOf(dataDir)
  await print(
    asJson ? `${JSON.stringify(summary(dataDir, contents))}\n` : describe(dataDir, contents),
  )
  expectOrigin(dataDir, contents.manifest, ownOrigin())
  if (!asJson) await print(`${whatStartDoes(contents)}\n`)
  return 0
}

/** Says what a start would recover, as far as it is known without one. */
function whatStartDoes({ recovered }: FolderContents): string {
  const commands = networkNames.reduce(
    (sum, name) => sum + (recovered.changes[name]?.length ?? 0),
    0,
  )
  return `This svc-sim can read it. A start replays ${commands} commands on its nodes, which this check does not try.`
}

async function compact(dataDir: string, asJson: boolean): Promise<number> {
  await alone(dataDir, () => contentsOf(dataDir))
  const before = await sizeOf(dataDir)
  await writtenDown(dataDir)
  const after = await sizeOf(dataDir)
  return printAs(
    asJson,
    { folder: dataDir, bytes_before: before, bytes_after: after },
    `${dataDir}: ${megabytes(before)} before, ${megabytes(after)} after\n`,
  )
}

async function exportTo(
  dataDir: string,
  how: Parameters<typeof writeExport>[2],
  asJson: boolean,
): Promise<number> {
  await expectFree(how.file, how.mayReplace)
  const contents = await alone(dataDir, () => contentsOf(dataDir))
  if (!areWrittenDown(contents)) {
    // Blocks are made again by the version that made them, and not for sure by any other.
    expectOrigin(
      dataDir,
      contents.manifest,
      ownOrigin(),
      'Export it with the version that made it.',
    )
    await writtenDown(dataDir)
  }
  await alone(dataDir, async () => writeExport(dataDir, (await readContents(dataDir))!, how))
  const { size } = await stat(how.file)
  return printAs(
    asJson,
    { folder: dataDir, file: how.file, bytes: size },
    `${how.file}: ${megabytes(size)}; "svc-sim start --from-export ${shellWord(how.file)}" starts from it\n`,
  )
}

async function contentsOf(dataDir: string): Promise<FolderContents> {
  expectImported(dataDir)
  const contents = await readContents(dataDir)
  if (contents) return contents
  throw new Error(
    `${dataDir} holds no data of svc-sim. Name the folder that "svc-sim start --data-dir" was given.`,
  )
}

/** Starts on the folder for as long as it takes to write everything down. */
async function writtenDown(dataDir: string): Promise<void> {
  say(`${dataDir}: starting once to compact it`)
  const { startSimulator } = await import('../../../simulator/sim.js')
  const onProgress = (step: string): void => {
    if (step.startsWith(dataDir)) say(step)
  }
  const simulator = await startSimulator({ dataDir, onProgress })
  try {
    await simulator.checkpoint()
  } finally {
    await simulator.close()
  }
  const contents = await alone(dataDir, () => readContents(dataDir))
  if (!contents || !areWrittenDown(contents))
    throw new Error(`${dataDir} could not be compacted; nothing is lost. Try again.`)
}

/** Holds the folder's lock meanwhile. */
async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockToRead(dataDir)
  return work().finally(() => lock.release())
}

/** On a read-only disk no other process can be at work either. */
async function lockToRead(
  dataDir: string,
): Promise<Pick<DataDirLock, 'previousRunWasUnclean' | 'release'>> {
  return lockDataDir(dataDir).catch((error) => {
    if (error?.cause?.code !== 'EROFS') throw error
    return { previousRunWasUnclean: false, release: async () => {} }
  })
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(async ({ name }) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function summary(folder: string, { manifest, recovered, logs }: FolderContents) {
  const names = new Set([...Object.keys(manifest.files), ...Object.keys(recovered.changes)])
  const { version, worldHash, anvilVersion: anvil, forks } = manifest
  return {
    folder,
    version,
    world_hash: worldHash,
    anvil_version: anvil,
    ...(forks && { forks }),
    parts: [...names].sort().map((name) => ({
      name,
      bytes: manifest.files[name]?.bytes ?? 0,
      changes_since: recovered.changes[name]?.length ?? 0,
    })),
    logs,
    remarks: recovered.remarks,
  }
}

function describe(dataDir: string, contents: FolderContents): string {
  const { version, world_hash, anvil_version, forks, parts, logs, remarks } = summary(
    dataDir,
    contents,
  )
  const width = Math.max(...parts.map(({ name }) => name.length), 10) + 2
  const row = (label: string, text: string) => `  ${label.padEnd(width)}${text}`
  return [
    `${dataDir}: intact.`,
    row('version', `${version}`),
    row('anvil', anvil_version),
    row('world', world_hash),
    ...Object.entries(forks ?? {}).map(([network, pin]) =>
      row('forked', `${network} at block ${pin!.block} (${pin!.hash})`),
    ),
    ...parts.map(({ name, bytes, changes_since }) =>
      row(name, `${megabytes(bytes)}, ${changes_since} changes since`),
    ),
    ...logs.map(({ name, bytes }) => row(name, megabytes(bytes))),
    ...remarks.map((remark) => `  ${remark}`),
    '',
  ].join('\n')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`
}
