// Generated files: a script makes their text, and writes it or, with `--check`, fails when it is not what is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

export const isCheck = process.argv.includes('--check')

/**
 * Makes the files and writes or checks them. `module` is a TypeScript module below the repository, run from source, without a build; its
 * function `files` returns the text of each file by its path. `command` is how a person calls the script.
 */
export async function generate(module, command) {
  const stale = staleFiles(await filesOf(module), command)
  // Whatever a simulator has left behind must not keep the script running.
  process.exit(isCheck && stale.length > 0 ? 1 : 0)
}

/** The files whose text differs from what is there. Names each on stderr, and writes it unless this is a check. */
export function staleFiles(texts, command) {
  const stale = Object.keys(texts).filter((file) => read(file) !== texts[file])
  for (const file of stale) {
    if (!isCheck) writeFileSync(root + file, texts[file])
    process.stderr.write(`${file}: ${isCheck ? `stale; run "${command}"` : 'written'}\n`)
  }
  return stale
}

async function filesOf(module) {
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
