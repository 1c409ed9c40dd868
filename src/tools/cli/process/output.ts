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

let write = (line: string): void => {
  process.stderr.write(`svc-sim: ${line}\n`)
}

let isQuiet = false

/** From now on only failures are written. */
export function beQuiet(): void {
  isQuiet = true
}

/** Writes a line about the run to standard error. */
export function say(line: string): void {
  if (!isQuiet) write(line)
}

/** Writes why something failed to standard error, also with `--quiet`. */
export function complain(line: string): void {
  write(line)
}

/** From now on what is said goes to this log. */
export function sayThrough(log: (line: string) => void): void {
  write = log
}

/** Says why a command failed. A mistake of the program's own comes with its stack. */
export function sayFailure(error: unknown): void {
  const isMistake = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind)
  if (!(error instanceof Error)) complain(String(error))
  else complain(isMistake ? (error.stack ?? error.message) : error.message)
}
