import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type NetworkName, networkNames, networkOf } from '../../../deployments/networks.js'
import { makeFolder } from '../../../lib/files/makeFolder.js'
import { serialQueues } from '../../../lib/serialQueues.js'
import { lateAnswers, lineOf, type RecordedAnswers } from '../upstream/answerCache.js'

export interface RecordedNetwork {
  block: number
  hash: string
  answers: RecordedAnswers
}

/** The recorded reads of networks at one moment. Contains no URLs or keys. */
export interface Bundle {
  /** Version of the svc-sim that made it. */
  madeBy: string
  /** Each network is at its last block at or before this Unix second. */
  moment: number
  /** Accounts whose state for plans and folio was recorded. Lower case. */
  accounts: readonly string[]
  networks: ReadonlyMap<NetworkName, RecordedNetwork>
}

/** The message says why the folder cannot be used, and what to do. */
class BundleError extends Error {
  override name = 'BundleError'
}

const format = 'svc-sim bundle'
const version = 1
/** A line of JSON, and the compressed answers. One file, so that a bundle is always complete. */
const fileName = 'networks.bundle'
/** The limit of unpacked answers, which no bundle of ours reaches. Bytes. */
const maxBytes = 2 ** 30
/** Unpack in large pieces; the default would be hundreds of small ones. */
const pieceBytes = 2 ** 20

interface RecordedHead {
  chainId: number
  block: number
  hash: string
  /** The number of answers. */
  answers: number
}

/** The first line, without its checksum. */
interface Head {
  format: typeof format
  version: number
  madeBy: string
  moment: number
  accounts: readonly string[]
  networks: Partial<Record<NetworkName, RecordedHead>>
  /** The length of the compressed answers. */
  bytes: number
  sha256: string
}

/** A bundle whose answers are still being unpacked. */
export interface OpeningBundle extends Bundle {
  /** The size of the file. */
  bytes: number
  /** Resolves when the networks have their answers. Rejects with the reason when they are damaged. */
  loaded: Promise<void>
}

/** Rejects with the reason when the file is damaged, incomplete, foreign or of another version. */
export async function readBundle(folder: string): Promise<Bundle & { bytes: number }> {
  const { loaded, ...bundle } = await openBundle(folder)
  await loaded
  return bundle
}

/** Resolves as soon as networks and blocks are known, so that nodes can be started while the answers are unpacked. */
export async function openBundle(folder: string): Promise<OpeningBundle> {
  const path = join(folder, fileName)
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new BundleError(
      `${folder} is no bundle: ${fileName} cannot be read there (${error.code}). Name the folder that "svc-sim bundle create --out" has written`,
    )
  })
  return bundleIn(path, whole)
}

function bundleIn(path: string, whole: Buffer): OpeningBundle {
  const end = whole.indexOf('\n')
  const { madeBy, moment, accounts, ...head } = headIn(path, whole.subarray(0, Math.max(0, end)))
  const packed = whole.subarray(end + 1)
  if (packed.length !== head.bytes)
    throw damaged(path, `its answers have ${packed.length} bytes instead of ${head.bytes}`)
  if (sha256Of(packed) !== head.sha256) throw damaged(path, 'the checksum of its answers is wrong')
  const networks = networksOf(head).map(([network, { block, hash, answers: count }]) => ({
    network,
    block,
    hash,
    count,
    answers: lateAnswers(),
  }))
  const load = async (): Promise<void> => {
    const lines = linesIn(await unpacked(path, packed))
    for (const { network, count, answers } of networks) {
      answers.fill(lines.splice(0, count))
      if (answers.size !== count)
        throw damaged(path, `${answers.size} of the ${count} answers of ${network} are whole`)
    }
  }
  const loaded = load()
  loaded.catch(() => {}) // its awaiters get the error
  const recorded = networks.map(
    ({ network, block, hash, answers }) => [network, { block, hash, answers }] as const,
  )
  return { madeBy, moment, accounts, networks: new Map(recorded), bytes: whole.length, loaded }
}

/** Writes a bundle atomically; the same content gives the same bytes. */
export async function writeBundle(folder: string, bundle: Bundle): Promise<void> {
  await makeFolder(folder)
  await replace(join(folder, fileName), await contentOf(bundle))
}

/**
 * Adds the answers of a bundle to the one in the folder, keeping those that other processes have added meanwhile. Rejects, and changes
 * nothing, when the folder has another bundle now.
 */
export async function addToBundle(folder: string, more: Bundle): Promise<void> {
  const path = join(folder, fileName)
  const attempt = async (): Promise<boolean> => {
    const before = await readFile(path)
    const there = bundleIn(path, before)
    await there.loaded
    const sum = sumOf(path, there, more)
    // Another process may have added to it meanwhile.
    const isUnchanged = async () => (await readFile(path)).equals(before)
    return replace(path, await contentOf(sum), isUnchanged)
  }
  await adding(resolve(path), async () => {
    while (!(await attempt()));
  })
}

/** Serializes the additions of this process. */
const adding = serialQueues<string>()

function sumOf(path: string, bundle: Bundle, more: Bundle): Bundle {
  const networks = new Map<NetworkName, RecordedNetwork>(bundle.networks)
  for (const [network, added] of more.networks) {
    const there = networks.get(network) ?? added
    if (there.hash !== added.hash || bundle.moment !== more.moment)
      throw new BundleError(
        `nothing is added to ${path}: another bundle is there now, with ${network} at block ${there.block} instead of ${added.block}. Start from that one to add to it`,
      )
    networks.set(network, { ...there, answers: new Map([...added.answers, ...there.answers]) })
  }
  return { ...bundle, networks }
}

async function contentOf({ madeBy, moment, accounts, networks }: Bundle): Promise<Buffer> {
  const recorded = networkNames.flatMap((network) => {
    const fork = networks.get(network)
    return fork ? [[network, fork] as const] : []
  })
  const lines = recorded.flatMap(([, { answers }]) =>
    [...answers].map(([key, value]) => lineOf(key, value)).sort(byKey),
  )
  const packed = await promisify(gzip)(lines.join('\n'), { level: 9 })
  const heads = recorded.map(([network, { block, hash, answers }]) => {
    const { chainId } = networkOf(network)
    return [network, { chainId, block, hash, answers: answers.size }] as const
  })
  const head: Head = {
    format,
    version,
    madeBy,
    moment,
    accounts,
    networks: Object.fromEntries(heads),
    bytes: packed.length,
    sha256: sha256Of(packed),
  }
  const line = `${JSON.stringify({ ...head, checksum: checksumOf(head) })}\n`
  return Buffer.concat([Buffer.from(line), packed])
}

/** Sorts similar lines together, which compresses better. */
function byKey(a: string, b: string): number {
  return a.slice(9) < b.slice(9) ? -1 : 1
}

/** Resolves to whether the file was replaced; `may` is checked at the last moment, because other processes may replace it too. */
async function replace(
  path: string,
  content: Buffer,
  may: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, content, { flush: true })
    if (!(await may())) return false
    await rename(temporary, path)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

function headIn(path: string, line: Buffer): Head {
  const { checksum, ...head } = jsonIn(line)
  if (head.format !== format)
    throw new BundleError(
      `${path} is of something else, or damaged: it does not begin as a "${format}". Name the folder that "svc-sim bundle create --out" has written`,
    )
  if (head.version !== version)
    throw new BundleError(
      `${path} is a bundle of version ${head.version}, made by svc-sim ${head.madeBy}; this svc-sim reads version ${version}. Make it anew with "svc-sim bundle create", or use the svc-sim that made it`,
    )
  if (checksum !== checksumOf(head)) throw damaged(path, 'the checksum of its first line is wrong')
  return head
}

function jsonIn(line: Buffer): Head & { checksum?: string } {
  try {
    return Object(JSON.parse(line.toString('utf8')))
  } catch {
    return Object({})
  }
}

async function unpacked(path: string, packed: Buffer): Promise<Buffer> {
  const options = { maxOutputLength: maxBytes, chunkSize: pieceBytes }
  return promisify(gunzip)(packed, options).catch((error: Error) => {
    throw damaged(path, `its answers cannot be unpacked: ${error.message}`)
  })
}

function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const next = bytes.indexOf('\n', start)
    const end = next < 0 ? bytes.length : next
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return lines
}

function checksumOf(head: Head): string {
  return sha256Of(JSON.stringify(head))
}

function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function networksOf({ networks }: Pick<Head, 'networks'>): [NetworkName, RecordedHead][] {
  return Object.entries(networks) as [NetworkName, RecordedHead][]
}

function damaged(path: string, why: string): BundleError {
  return new BundleError(
    `${path} is damaged: ${why}. Take the bundle from where it came from again, or make it anew with "svc-sim bundle create"`,
  )
}
