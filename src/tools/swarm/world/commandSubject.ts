import { startWatchdog } from '../../../chain/process/watchdog.js'
import { spawnHeld } from '../../../lib/spawnHeld.js'
import { keptOutput, type Subject } from './subject.js'

/** A command in a process group of its own. Whatever it has started ends with it; should this process be killed, a watchdog kills it. */
export function commandSubject(words: readonly [string, ...string[]]): Subject {
  const watchdog = startWatchdog()
  return {
    async act({ variables }, end) {
      const begun = performance.now()
      const child = spawnHeld(
        words,
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...variables },
          detached: true,
        },
        (pid) => watchdog.add(-pid),
      )
      let output = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-keptOutput)
        })
      const kill = (): void => killGroup(child.pid)
      end.addEventListener('abort', kill)
      if (end.aborted) kill()
      const exit = await new Promise<number>((resolve) => {
        child.once('exit', (code, ended) => resolve(code ?? (ended ? 128 : 1)))
        child.once('error', () => resolve(126))
      })
      end.removeEventListener('abort', kill)
      kill()
      if (child.pid !== undefined) watchdog.remove(-child.pid)
      return { exit, tookMs: performance.now() - begun, output }
    },
    close: () => watchdog.close(),
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {} // all of it has ended
}
