import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { clockModes } from '../../time/clock.js'
import { createRedactor, redactJson } from '../journal/redact.js'
import type { TraceContent } from './content.js'
import type { WorldTrace } from './worldTraces.js'

const traceFormat = 'svc-sim-trace'
/** The layout of a trace; a change that older code would misread counts it up. */
const traceVersion = 1

/** A trace that was read, with what its first line says. */
export interface Trace {
  madeBy: string
  content: RunContent
}

/** All that a run did: in the simulator itself, and in worlds that were leased from it. */
export interface RunContent extends TraceContent {
  worlds: readonly WorldTrace[]
  /** How many worlds were omitted for lack of room. */
  worldsLeftOut: number
}

/** A trace cannot be used. The message says why and what to do. */
class TraceFileError extends Error {
  override name = 'TraceFileError'
  constructor(file: string, why: string, cure: string) {
    super(`The trace ${file} cannot be used: ${why}. ${cure}`)
  }
}

/** The file: a line that says what it is and a line with the content, compressed together; gzip's checksum detects damage. */
export async function traceBytes(
  { worlds, ...content }: RunContent,
  { madeBy, secrets }: { madeBy: string; secrets: readonly string[] },
): Promise<Buffer> {
  const head = { format: traceFormat, version: traceVersion, madeBy }
  // Worlds have redacted their traces already: they know their own secrets.
  const body = { ...(redactJson(content, createRedactor(secrets)) as object), worlds }
  return promisify(gzip)(`${JSON.stringify(head)}\n${JSON.stringify(body)}\n`)
}

/** More than any trace is, packed and unpacked: such a file comes from somewhere else. */
const maxPacked = 64 * 1024 * 1024
const maxUnpacked = 256 * 1024 * 1024

const retryHint = 'Take another copy of it, or run again with --trace.'

/** Throws `TraceFileError` for a file that is damaged, cut off, no trace, or newer than this program. */
export async function readTrace(file: string): Promise<Trace> {
  const text = await unpacked(file, await bytesOf(file))
  const [first = '', second] = text.split('\n', 2)
  const head = headSchema.safeParse(parsed(first))
  if (!head.success)
    throw new TraceFileError(file, 'it is no trace of svc-sim', `Name what --trace has written.`)
  const { version, madeBy } = head.data
  if (version !== traceVersion)
    throw new TraceFileError(
      file,
      `svc-sim ${madeBy} wrote it with version ${version}, and this one reads version ${traceVersion}`,
      'Open it with the svc-sim that wrote it.',
    )
  const content = runSchema.safeParse(parsed(second ?? ''))
  if (!content.success) throw new TraceFileError(file, 'its content is malformed', retryHint)
  return { madeBy, content: content.data as unknown as RunContent }
}

/** Whether a file of these first bytes may be a trace: it is compressed. */
function looksPacked(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    const stats = await stat(file)
    if (!stats.isFile()) throw new Error('it is no file')
    if (stats.size > maxPacked) throw new Error(`it has ${stats.size} bytes, more than any trace`)
    const pieces: Buffer[] = []
    for await (const piece of createReadStream(file)) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    throw new TraceFileError(file, (error as Error).message, 'Name what --trace has written.')
  }
}

async function unpacked(file: string, bytes: Buffer): Promise<string> {
  if (!looksPacked(bytes))
    throw new TraceFileError(file, 'it is no trace of svc-sim', 'Name what --trace has written.')
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: maxUnpacked })).toString()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'Z_BUF_ERROR' ? 'its end is missing' : `it is damaged (${message.toLowerCase()})`
    throw new TraceFileError(file, why, retryHint)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const headSchema = z.object({
  format: z.literal(traceFormat),
  version: z.number(),
  madeBy: z.string(),
})

const list = z.array(z.unknown())
const contentSchema = z.object({
  journal: z.object({
    exchanges: z.array(z.looseObject({ url: z.string(), notes: list })),
    marks: list,
    dropped: z.number(),
  }),
  store: z.array(z.array(z.unknown())),
  accountsLeftOut: z.number(),
  clock: z.looseObject({ ms: z.number(), now: z.string(), mode: z.enum(clockModes) }),
  prices: z
    .record(z.string(), z.string().regex(/^\d{1,30}$/))
    .nullable()
    .default(null),
  // Older traces lack these.
  heads: list.default([]),
  folios: z.record(z.string(), z.unknown()).default({}),
  values: z.record(z.string(), list).default({}),
  transactions: z.record(z.string(), z.unknown()).default({}),
  switches: list.default([]),
  faults: list,
  snapshots: list,
  coverage: z.array(z.tuple([z.string(), z.number()])),
  keys: z.array(z.looseObject({ key: z.string(), primeId: z.string() })),
})
const leaseSchema = z.object({
  name: z.string().optional(),
  // Absent for a test of the default world, which is not leased.
  leasedMs: z.number().optional(),
  leaseSeconds: z.number().optional(),
  leaseUntilMs: z.number().optional(),
  failedTests: z.array(z.string()),
  flakyTests: z.array(z.string()).default([]),
  passedTests: z.array(z.string()).default([]),
  failure: z.string().optional(),
  failures: z.record(z.string(), z.string()).optional(),
  failedActivities: z.record(z.string(), z.array(z.string())).optional(),
  testOf: z.string().optional(),
  lost: z.string().optional(),
})
const runSchema = contentSchema.extend({
  worlds: z
    .array(z.object({ id: z.string(), lease: leaseSchema.optional(), content: contentSchema }))
    .default([]),
  worldsLeftOut: z.number().default(0),
})
