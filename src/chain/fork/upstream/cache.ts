import { appendFile, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../../lib/files/makeFolder.js'
import { type AnswerCache, cacheInMemory, lineOf, readLine } from './answerCache.js'

/** The system's cache folder for this user; in the folder for temporary files if the user has no home. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env, home = homeOrNone()): string {
  const base = env.XDG_CACHE_HOME || (home ? cacheBelow(home, env) : tmpdir())
  return join(base, 'svc-sim', 'forks')
}

function cacheBelow(home: string, { LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return LOCALAPPDATA || join(home, 'AppData', 'Local')
  return join(home, ...(process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']))
}

/** Empty for a user unknown to the system, for example a container's arbitrary uid. */
function homeOrNone(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** Identifies the file of a block. A replaced block has another hash, and so another file. */
export interface CachedBlock {
  chainId: number
  block: number
  hash: string
}

/** The limits of a whole folder and of one file. */
const maxBytes = 256 * 2 ** 20
const maxBytesOfOne = 64 * 2 ** 20

/** How long answers are collected before a write. Milliseconds. */
const gatherMs = 50

/**
 * A cache in a file of the folder. Several simulators may append lines with checksums to the same file; a killed process loses only its
 * last line. Opening removes the least recently used files while the folder is over its limit. A cache that cannot be read or written is
 * reported once, and then ignored.
 */
export async function openCache(
  folder: string,
  { chainId, block, hash }: CachedBlock,
  say: (remark: string) => void,
  bounds = { maxBytes, maxBytesOfOne },
): Promise<AnswerCache> {
  const path = join(folder, `${chainId}-${block}-${hash.slice(2)}.answers`)
  const cache = cacheInMemory()
  let size = 0
  let isUsable = true
  const giveUp = (error: Error): void => {
    if (isUsable) say(`nothing is kept in ${folder}: ${error.message}`)
    isUsable = false
  }
  try {
    await makeFolder(folder)
    const text = await readFile(path, 'utf8').catch(unlessMissing)
    for (const line of text.split('\n')) {
      const [key, value] = readLine(line) ?? []
      if (key !== undefined) cache.add(key, value)
    }
    size = Buffer.byteLength(text)
    // Mark it as most recently used.
    if (size > 0) await utimes(path, new Date(), new Date())
    await removeOldest(folder, path, bounds.maxBytes)
  } catch (error) {
    giveUp(error as Error)
  }

  let lines: string[] = []
  let gathering: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = (): Promise<void> => {
    clearTimeout(gathering)
    gathering = undefined
    if (lines.length === 0 || !isUsable) return writing
    // The first line break ends a line that another process may have left half written.
    const text = `\n${lines.join('\n')}\n`
    lines = []
    size += Buffer.byteLength(text)
    writing = writing.then(() => appendFile(path, text)).catch(giveUp)
    return writing
  }
  return {
    ...cache,
    add(key, value) {
      if (cache.get(key) !== undefined) return
      cache.add(key, value)
      if (!isUsable || size > bounds.maxBytesOfOne) return
      lines.push(lineOf(key, value))
      gathering ??= setTimeout(write, gatherMs).unref()
    },
    close: write,
  }
}

function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}

/** Removes the least recently used files until the folder is within its limit. Another simulator may be removing the same. */
async function removeOldest(folder: string, own: string, limit: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.answers'))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { path, size, mtimeMs }
    }),
  )
  let sum = files.reduce((total, { size }) => total + size, 0)
  for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (sum <= limit) return
    if (path === own) continue
    await rm(path, { force: true })
    sum -= size
  }
}
