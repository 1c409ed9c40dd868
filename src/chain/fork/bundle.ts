import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { makeFolder } from '../../lib/makeFolder.js'
import { type NetworkName, networkNames, networkOf } from '../deployments/networks.js'
import { lineOf, readLine } from './kept.js'

/** What a network is in a bundle: its block, and all that was read of it there. */
export interface RecordedNetwork {
  block: number
  hash: string
  /** By what was asked, as in `Kept`. */
  answers: ReadonlyMap<string, unknown>
}

/** Networks at one moment, as far as they were read. It has neither URL nor key. */
export interface Bundle {
  /** Version of the svc-sim that made it. */
  madeBy: string
  /** Each network is at its last block at or before this Unix second. */
  moment: number
  /** Lower case; what plans and folio need was read for them too. */
  accounts: readonly string[]
  networks: ReadonlyMap<NetworkName, RecordedNetwork>
}

/** A folder that is no bundle, or that cannot be used; the message says why and what to do. */
class BundleError extends Error {
  override name = 'BundleError'
}

const format = 'svc-sim bundle'
const version = 1
const manifestName = 'bundle.json'
/** More than this is no bundle that we wrote. Bytes. */
const mostBytes = 2 ** 30

/** A network in the manifest. */
interface RecordedFile {
  chainId: number
  block: number
  hash: string
  answers: number
  file: string
  bytes: number
  sha256: string
}

interface Manifest {
  format: typeof format
  version: number
  madeBy: string
  moment: number
  accounts: readonly string[]
  networks: Partial<Record<NetworkName, RecordedFile>>
}

/** Reads a whole bundle. Rejects with the reason when any of it is damaged, cut off, foreign or of another version. */
export async function readBundle(folder: string): Promise<Bundle & { bytes: number }> {
  const manifest = await readManifest(folder)
  const { madeBy, moment, accounts } = manifest
  const files = networksOf(manifest)
  const networks = await Promise.all(
    files.map(async ([network, file]) => {
      const { block, hash } = file
      return [network, { block, hash, answers: await readAnswers(folder, file) }] as const
    }),
  )
  const bytes = files.reduce((sum, [, file]) => sum + file.bytes, 0)
  return { madeBy, moment, accounts, networks: new Map(networks), bytes }
}

/**
 * Writes a bundle; the same content gives the same bytes. The manifest comes last and in one step, so there is always a whole bundle:
 * the one before, or this one. Files of the one before that it does not need go then.
 */
export async function writeBundle(folder: string, { networks, ...about }: Bundle): Promise<void> {
  await makeFolder(folder)
  const before = await readManifest(folder).catch(() => undefined)
  const files: [NetworkName, RecordedFile][] = []
  for (const network of networkNames) {
    const recorded = networks.get(network)
    if (recorded) files.push([network, await writeAnswers(folder, network, recorded)])
  }
  const content = { format, version, ...about, networks: Object.fromEntries(files) } as const
  await replace(
    join(folder, manifestName),
    `${JSON.stringify({ ...content, checksum: checksumOf(content) }, undefined, 2)}\n`,
  )
  const used = files.map(([, { file }]) => file)
  const unused = before ? networksOf(before).filter(([, { file }]) => !used.includes(file)) : []
  for (const [, { file }] of unused) await rm(join(folder, file), { force: true })
}

async function writeAnswers(
  folder: string,
  network: NetworkName,
  { block, hash, answers }: RecordedNetwork,
): Promise<RecordedFile> {
  const lines = [...answers].map(([key, value]) => lineOf(key, value)).sort(byKey)
  const packed = await promisify(gzip)(`${lines.join('\n')}\n`, { level: 9 })
  const sha256 = createHash('sha256').update(packed).digest('hex')
  const file = `${network}-${sha256.slice(0, 16)}.answers.gz`
  await replace(join(folder, file), packed)
  const { chainId } = networkOf(network)
  return { chainId, block, hash, answers: answers.size, file, bytes: packed.length, sha256 }
}

/** Lines that differ little stand together, which compresses better. */
function byKey(a: string, b: string): number {
  return a.slice(9) < b.slice(9) ? -1 : 1
}

/** Nobody finds half of it. */
async function replace(path: string, content: string | Buffer): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, content)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BundleError(
      `${folder} is no bundle: ${manifestName} cannot be read there (${error.code}). Name the folder that "svc-sim bundle create --out" has written`,
    )
  })
  const { checksum, ...content } = manifestIn(path, text)
  if (content.version !== version)
    throw new BundleError(
      `${folder} is a bundle of version ${content.version}, made by svc-sim ${content.madeBy}; this svc-sim reads version ${version}. Make it anew with "svc-sim bundle create", or use the svc-sim that made it`,
    )
  if (checksum !== checksumOf(content)) throw damaged(path, 'its checksum does not fit')
  return content
}

function manifestIn(path: string, text: string): Manifest & { checksum?: string } {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw damaged(path, 'it is no JSON')
  }
  const given = Object(content) as Partial<Manifest>
  if (given.format !== format)
    throw new BundleError(
      `${path} is of something else: its format is not "${format}". Name the folder that "svc-sim bundle create --out" has written`,
    )
  return given as Manifest & { checksum?: string }
}

function checksumOf(content: Manifest): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

async function readAnswers(
  folder: string,
  { file, bytes, sha256, answers: count }: RecordedFile,
): Promise<Map<string, unknown>> {
  const path = join(folder, file)
  const packed = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw damaged(path, `it cannot be read (${error.code})`)
  })
  if (packed.length !== bytes)
    throw damaged(path, `it has ${packed.length} bytes instead of ${bytes}`)
  if (createHash('sha256').update(packed).digest('hex') !== sha256)
    throw damaged(path, 'its checksum does not fit')
  const text = (await promisify(gunzip)(packed, { maxOutputLength: mostBytes })).toString('utf8')
  const entries = text.split('\n').flatMap((line) => {
    const entry = readLine(line)
    return entry ? [entry] : []
  })
  if (entries.length !== count)
    throw damaged(path, `${entries.length} of its ${count} answers are whole`)
  return new Map(entries)
}

function networksOf({ networks }: Manifest): [NetworkName, RecordedFile][] {
  return Object.entries(networks) as [NetworkName, RecordedFile][]
}

function damaged(path: string, why: string): BundleError {
  return new BundleError(
    `${path} is damaged: ${why}. Take the bundle from where it came from again, or make it anew with "svc-sim bundle create"`,
  )
}
