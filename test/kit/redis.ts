import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { vi } from 'vitest'
import { emptyFolder } from './cli.js'
import { freePorts } from './ports.js'

/** The server's program, `redis-server` or `valkey-server`; undefined where none is installed. */
export const redisProgram = ['redis-server', 'valkey-server'].find((program) => {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).length > 0
  } catch {
    return false
  }
})

if (redisProgram === undefined && process.env.CI)
  process.stderr.write(
    'The tests of the fleet are skipped: neither redis-server nor valkey-server is installed\n',
  )

/** A Redis of its own, on a free port of this machine. */
export interface TestRedis {
  url: string
  port: number
  pid(): number
  /** Kills it. */
  kill(): Promise<void>
  /** Starts it again at the same port, with what it has written down. */
  again(): Promise<void>
}

/** Starts one that writes everything down, or nothing. */
export async function startRedis({ keeps = false } = {}): Promise<TestRedis> {
  const port = await freePorts(1)
  const dir = emptyFolder()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const keeping = keeps ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []
    const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '']
    child = spawn(redisProgram!, [...place, ...keeping], { stdio: 'ignore' })
    await vi.waitFor(() => reached(port), { timeout: 10_000, interval: 20 })
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child!.pid!,
    async kill() {
      if (child!.exitCode !== null || child!.signalCode !== null) return
      const ended = once(child!, 'exit')
      child!.kill('SIGCONT')
      child!.kill('SIGKILL')
      await ended
    },
    again: start,
  }
}

/** Resolves when it answers a ping; with data to load it says LOADING first. */
function reached(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', (data) => {
      socket.destroy()
      if (String(data).startsWith('+PONG')) resolve()
      else reject(new Error(String(data)))
    })
    socket.once('error', reject)
  })
}
