import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SearchDone } from '../search/search.js'

const name = 'search.json'

const progress = z.object({
  version: z.literal(1),
  seed: z.int().min(0),
  runs: z.int().min(0),
  findings: z.array(z.looseObject({ kind: z.string(), cause: z.string() })),
})

/** Notes in the folder of a search how far it has come, for `--resume`. */
export async function writeProgress(
  out: string,
  { seed, runs, findings }: SearchDone,
): Promise<void> {
  await writeFile(join(out, name), `${JSON.stringify({ version: 1, seed, runs, findings })}\n`)
}

/** Reads it. Rejects with what to do when there is none. */
export async function readProgress(out: string): Promise<SearchDone> {
  const file = join(out, name)
  try {
    return progress.parse(JSON.parse(await readFile(file, 'utf8'))) as unknown as SearchDone
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : 'it is not the progress of a search'
    throw new Error(
      `Cannot go on with the search in ${out}: ${file}: ${why}. Name the folder that --out named, or begin a new search without --resume.`,
    )
  }
}
