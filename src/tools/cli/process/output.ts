import { writeFile } from 'node:fs/promises'

/**
 * A reader that went away (`svc-sim openapi | head`, a closed terminal) must not end the program by an unhandled error,
 * which would skip the clean stop.
 */
export function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Writes to standard output; resolves when it is written, so that an exit right after does not cut it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve())
  })
}

/** Writes to a file, or to standard output without one; throws with the name of a file that cannot be written. */
export async function printOrWrite(text: string, file: string | undefined): Promise<void> {
  if (file === undefined) return print(text)
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new Error(`cannot write to ${file}: ${(error as Error).message}`)
  }
  say(`wrote ${file}`)
}

/** How this program writes; `setOutput` changes it. The output belongs to the process, and so do these. */
const output: {
  /** Only failures and results are written. */
  isQuiet: boolean
  isColoured: boolean
  /** Where lines about the run go instead of standard error. */
  log?: (line: string) => void
} = { isQuiet: false, isColoured: true }

export function setOutput(changes: Partial<typeof output>): void {
  Object.assign(output, changes)
}

function write(line: string, style?: Style): void {
  if (output.log) output.log(line)
  else process.stderr.write(`svc-sim: ${styled(style, line, process.stderr)}\n`)
}

type Style = keyof typeof codes
const codes = { red: [31, 39], bold: [1, 22] } as const

/** Text in a style where the stream is a terminal with colours; `NO_COLOR` is respected by Node. */
function styled(style: Style | undefined, text: string, stream: NodeJS.WriteStream): string {
  if (style === undefined || !output.isColoured || !stream.isTTY || !stream.hasColors()) return text
  const [on, off] = codes[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Prints a result for people: failures are red, and what something has come to is bold. */
export function printResult(text: string): Promise<void> {
  const show = (style: Style) => (text: string) => styled(style, text, process.stdout)
  return print(text.replace(/^ *FAIL\b/gm, show('red')).replace(/^now: .*$/gm, show('bold')))
}

/** Writes a line about the run to standard error. */
export function say(line: string): void {
  if (!output.isQuiet) write(line)
}

/** Writes why something failed to standard error, also with `--quiet`. */
export function complain(line: string): void {
  write(line, 'red')
}

/** Writes a line of the log for people, also with `--quiet`; one of a failure in red. */
export function logLine(line: string): void {
  write(line, /^(failed|[45]\d\d) /.test(line) ? 'red' : undefined)
}

/** Says why a command failed. A mistake of the program's own comes with its stack. */
export function sayFailure(error: unknown): void {
  const isMistake = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind)
  if (!(error instanceof Error)) complain(String(error))
  else complain(isMistake ? (error.stack ?? error.message) : error.message)
}
