import { z } from 'zod'
import { unframe } from './frames.js'
import { layoutVersion, type Manifest, manifestFormat } from './manifest.js'
import { logName } from './recover.js'

/** The layout of an export. A change that older code would misread increments it. */
export const exportVersion = 1
export const exportFormat = 'svc-sim-export'

/**
 * The first line of an export, framed like a line of a log. It is followed by the contents of the parts, in the order of their names, and
 * the logs. The whole file is compressed with gzip.
 */
export interface ExportHead {
  format: typeof exportFormat
  version: typeof exportVersion
  /** Version of svc-sim that wrote it. */
  madeBy: string
  manifest: Manifest
  logs: { name: string; bytes: number; checksum: string }[]
}

/** An export cannot be used, and nothing was changed. The message says why and what to do. */
export class ExportFileError extends Error {
  override name = 'ExportFileError'
  constructor(file: string, why: string, cure = 'Take another copy of it, or export again.') {
    super(`The export ${file} cannot be used: ${why}. Nothing was changed. ${cure}`)
  }
}

/** Longer than the head of any export. */
export const longestHead = 1 << 20

/** Parses the first line. Its names and sizes are checked, since an export may come from anybody. */
export function parseHead(file: string, line: Buffer): ExportHead {
  const [found] = unframe(line).records
  const said = z.object({ format: z.literal(exportFormat), version: z.number() }).safeParse(found)
  if (!said.success)
    throw new ExportFileError(file, 'its first line is not that of an export, or is damaged')
  if (said.data.version !== exportVersion) throw otherVersion(file, said.data.version)
  if ((found as { archives?: unknown }).archives !== undefined)
    throw new ExportFileError(
      file,
      'it holds old blocks in files of their own, which this svc-sim does not read',
      otherVersionCure,
    )
  const head = headSchema.safeParse(found)
  if (!head.success) {
    const [issue] = head.error.issues
    throw new ExportFileError(
      file,
      `its first line is malformed (${issue?.path.join('.')}: ${issue?.message})`,
    )
  }
  const { manifest, logs } = head.data
  if (manifest.version !== layoutVersion) throw otherVersion(file, manifest.version)
  // Only names of a data folder's own files may reach the disk.
  const { files, firstLog } = manifest
  const names = [
    ...Object.entries(files).map(([part, { name, cut }]) => [name, partFile(part, cut)]),
    ...logs.map(({ name }, index) => [name, logName(firstLog + index)]),
  ]
  const wrong = names.find(([name, expected]) => name !== expected)
  if (wrong) throw new ExportFileError(file, `it holds a file ${JSON.stringify(wrong[0])}`)
  return head.data
}

/** The file name of a part's checkpoint. */
function partFile(part: string, cut: number): string {
  return `${part}-${cut}.data`
}

function otherVersion(file: string, version: number): ExportFileError {
  return new ExportFileError(
    file,
    `it has version ${version}, which this svc-sim does not read`,
    otherVersionCure,
  )
}

const otherVersionCure = 'Start the version of svc-sim that made it.'

const content = z.object({
  name: z.string(),
  bytes: z.int().nonnegative(),
  checksum: z.string().regex(/^[0-9a-f]{8}$/),
})

const headSchema = z.object({
  format: z.literal(exportFormat),
  version: z.literal(exportVersion),
  madeBy: z.string(),
  manifest: z.object({
    format: z.literal(manifestFormat),
    version: z.int(),
    folder: z.string(),
    worldHash: z.string(),
    anvilVersion: z.string(),
    forks: z
      .record(z.string().regex(/^[a-z]+$/), z.object({ block: z.int(), hash: z.string() }))
      .optional(),
    firstLog: z.int().nonnegative(),
    files: z.record(z.string().regex(/^[a-z]+$/), content.extend({ cut: z.int() })),
  }),
  logs: z.array(content).min(1),
})
