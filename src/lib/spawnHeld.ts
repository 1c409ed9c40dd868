import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** A shell that waits for a line on file descriptor 3 and then becomes the program. It ends when the pipe closes. */
const held = ['/bin/sh', '-c', 'read -r line <&3 && exec "$@" 3<&-', 'svc-sim-held'] as const

type Standard = 'inherit' | 'pipe' | 'ignore'

/**
 * Starts a program that must not outlive this process, even after SIGKILL at any moment. Until `announce` has resolved, the child is a
 * shell that ends with this process; then it becomes the program, with the same pid.
 *
 * The shell ends with 127 for a missing program and with 126 for one that cannot be run. On Windows the program runs at once.
 *
 * @param announce Registers the pid with whatever kills leftover processes; resolves when it is registered.
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
  // The shell may have ended already; its exit event reports that.
  hold?.on('error', () => {})
  if (child.pid !== undefined) void announce(child.pid).then(() => hold?.end('go\n'))
  return child
}

/** Shells drop variables with names like `npm_config_my-registry`, so these are passed as words to `env`, which sets them again. */
function pastShell(env: NodeJS.ProcessEnv): string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
  if (odd.length === 0) return []
  return ['env', '--', ...odd.map(([name, value]) => `${name}=${value}`)]
}
