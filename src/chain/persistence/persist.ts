import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { replaceFile } from '../../lib/replaceFile.js'
import { type NetworkName, networkNames } from '../deployments/networks.js'
import { anvilVersion } from '../node/anvil.js'
import type { Node, Nodes } from '../node/node.js'

/** The layout of the directory and the manifest; a change that older code would misread counts it up. */
const format = 1

/** What has to be the same for saved chains to be usable. */
export interface ChainsOrigin {
  /** Identifies the world that the chains started from, for example its content hash. */
  worldHash: string
  /** The installed version when absent. */
  anvilVersion?: string
}

/** What stands in `manifest.json`: which files are the saved chains, and where they came from. */
interface Manifest {
  format: number
  /** Counts the saves; part of the file names, so a save never writes over the files of the one before. */
  generation: number
  anvilVersion: string
  worldHash: string
  chains: Partial<Record<NetworkName, SavedChain>>
}

interface SavedChain {
  chainId: number
  blockNumber: number
  file: string
}

/** Chains to start from. */
export interface SavedChains {
  /** For `startNodes({ loadState })`: absolute or relative as `dir` is. */
  loadState: Partial<Record<NetworkName, string>>
  /** The block each chain stood at. */
  blockNumbers: Partial<Record<NetworkName, number>>
}

/**
 * Saves the state of all nodes below `dir/chains`. Kept: balances, code, storage, nonces, blocks, receipts by hash.
 * Not kept: for which accounts a node may act, snapshots, state of past blocks, and how far its time runs ahead (see
 * `startNodes`).
 *
 * The manifest is replaced last and in one step. So whatever happens meanwhile, the directory holds one complete save:
 * the new one or the one before. Nothing may be sent while this runs, or the chains would be of different moments.
 */
export async function saveChains(nodes: Nodes, dir: string, origin: ChainsOrigin): Promise<void> {
  const folder = join(dir, 'chains')
  await mkdir(folder, { recursive: true })
  const before = await readManifest(folder).catch(() => undefined) // unreadable: this save replaces it
  const generation = (before?.generation ?? 0) + 1
  const saved = await Promise.all(
    nodes
      .all()
      .map(async (node) => [node.network, await saveChain(node, folder, generation)] as const),
  )
  const manifest: Manifest = {
    format,
    generation,
    anvilVersion: origin.anvilVersion ?? anvilVersion(),
    worldHash: origin.worldHash,
    chains: Object.fromEntries(saved),
  }
  await replaceFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
  await removeAllBut(folder, ['manifest.json', ...saved.map(([, chain]) => chain.file)])
}

/**
 * Finds the chains that `saveChains` saved in this directory; undefined when there are none.
 *
 * @throws `SavedChainsError` when they cannot be used: another anvil or world, a newer format, a missing file.
 */
export async function findSavedChains(
  dir: string,
  origin: ChainsOrigin,
): Promise<SavedChains | undefined> {
  const folder = join(dir, 'chains')
  const manifest = await readManifest(folder)
  if (manifest === undefined) return undefined
  const wanted = {
    anvilVersion: origin.anvilVersion ?? anvilVersion(),
    worldHash: origin.worldHash,
  }
  const checks = [
    ['format', manifest.format, format],
    ['anvil version', manifest.anvilVersion, wanted.anvilVersion],
    ['world', manifest.worldHash, wanted.worldHash],
  ] as const
  for (const [what, found, expected] of checks) {
    if (found !== expected) throw mismatch(folder, what, String(found), String(expected))
  }
  const present = new Set(await readdir(folder))
  const saved: SavedChains = { loadState: {}, blockNumbers: {} }
  for (const network of networkNames) {
    const chain = manifest.chains[network]
    if (chain === undefined) continue
    if (!present.has(chain.file)) throw new SavedChainsError(folder, `${chain.file} is missing`)
    saved.loadState[network] = join(folder, chain.file)
    saved.blockNumbers[network] = chain.blockNumber
  }
  return saved
}

/** anvil dumps gzipped JSON as hex, but starts only from plain JSON. */
async function saveChain(node: Node, folder: string, generation: number): Promise<SavedChain> {
  const [dump, block] = await Promise.all([
    node.rpc.request<string>('anvil_dumpState'),
    node.rpc.request<string>('eth_blockNumber'),
  ])
  const state = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))
  const file = `${node.network}-${generation}.json`
  await replaceFile(join(folder, file), state)
  return { chainId: node.chainId, blockNumber: Number(block), file }
}

/** Removes what earlier or broken-off saves left. */
async function removeAllBut(folder: string, kept: readonly string[]): Promise<void> {
  const left = (await readdir(folder)).filter((name) => !kept.includes(name))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}

/** Undefined when there is none. */
async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, 'manifest.json'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return JSON.parse(text) as Manifest
  } catch (cause) {
    throw new SavedChainsError(folder, 'manifest.json is not JSON', cause)
  }
}

function mismatch(folder: string, what: string, found: string, expected: string): SavedChainsError {
  return new SavedChainsError(
    folder,
    `they were saved with ${what} ${found}, but this is ${what} ${expected}. To keep them, start the version of ` +
      'the simulator that saved them',
  )
}

/** Chains were saved here, but this simulator cannot continue them. The message says why and what to do. */
export class SavedChainsError extends Error {
  override name = 'SavedChainsError'
  constructor(folder: string, why: string, cause?: unknown) {
    super(
      `The chains saved in ${folder} cannot be used: ${why}. To start afresh, delete the data directory ` +
        '(accounts and plans in it refer to these chains).',
      { cause },
    )
  }
}
