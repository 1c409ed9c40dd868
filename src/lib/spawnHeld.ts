import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** A shell that waits for a line on the fourth file, and becomes the program then. Where no line comes any more, it ends. */
const held = ['/bin/sh', '-c', 'read -r line <&3 && exec "$@" 3<&-', 'svc-sim-held'] as const

/** Standard input, output and error of the program. */
type Standard = 'inherit' | 'pipe' | 'ignore'

/**
 * Starts a program that must not be left behind when this process is killed, even by SIGKILL and at any moment. Until `announce` has
 * resolved, its process is a shell that ends when this one does; then it becomes the program, with the same pid.
 *
 * A program that is not there makes the shell say so, and end with 127; with 126 when it cannot be run. Windows has no such shell: there
 * the program runs at once.
 *
 * @param announce Told the pid. What ends the process from the outside has to know of it when this resolves.
 */
export function spawnHeld(
  words: readonly [file: string, ...args: string[]],
  {
    stdio,
    ...options
  }: Omit<SpawnOptions, 'stdio'> & {
    stdio: [Standard, Standard, Standard]
    env: NodeJS.ProcessEnv
  },
  announce: (pid: number) => Promise<void>,
): ChildProcess {
  const isHeld = process.platform !== 'win32'
  const [file, ...args] = isHeld ? [...held, ...pastShell(options.env), ...words] : words
  const child = spawn(file, args, { ...options, stdio: isHeld ? [...stdio, 'pipe'] : stdio })
  const hold = child.stdio[3] as Writable | undefined
  // When it has ended before it was let go, its exit says so.
  hold?.on('error', () => {})
  if (child.pid !== undefined) void announce(child.pid).then(() => hold?.end('go\n'))
  return child
}

/** Shells drop variables that they could not name, as `npm_config_my-registry`. Such ones go as words to `env`, which sets them again. */
function pastShell(env: NodeJS.ProcessEnv): string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd.length === 0) return []
  return ['env', '--', ...odd.map(([name, value]) => `${name}=${value}`)]
}
