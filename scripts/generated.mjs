// Generated files: a script makes their text, and writes it or, with `--check`, fails when it is not what is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

export const isCheck = process.argv.includes('--check')

/** Ends the script: whatever a simulator has left behind must not keep it running. A check fails when files are stale. */
export function end(stale) {
  process.exit(isCheck && stale.length > 0 ? 1 : 0)
}

/**
 * The files, by their paths, whose text differs from what is there. Names each on stderr, and writes it unless this is a check. `command` is
 * how a person calls the script.
 */
export function staleFiles(texts, command) {
  const stale = Object.keys(texts).filter((file) => read(file) !== texts[file])
  for (const file of stale) {
    if (!isCheck) writeFileSync(root + file, texts[file])
    process.stderr.write(`${file}: ${isCheck ? `stale; run "${command}"` : 'written'}\n`)
  }
  return stale
}

/** What the function `files` of a TypeScript module below the repository returns: texts by path. Runs the source, without a build. */
export async function filesOf(module) {
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
  })
  try {
    const { files } = await vite.ssrLoadModule(`/${module}`)
    return await files()
  } finally {
    await vite.close()
  }
}

function read(file) {
  try {
    return readFileSync(root + file, 'utf8')
  } catch {
    return undefined
  }
}
