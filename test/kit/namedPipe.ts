import { execFileSync } from 'node:child_process'

/** Makes a named pipe: whoever reads it waits for somebody who writes. Not on Windows. */
export function makeNamedPipe(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
}
