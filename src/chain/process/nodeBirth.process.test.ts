import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { markedBy, markVariable, waitUntilNothingCarries } from '../../../test/kit/processes.js'

/**
 * Starts one node, and kills itself by SIGKILL at a moment of its birth. In the place of the node stands a program that never ends by
 * itself: anvil would, in part of these moments, when it finds that nobody reads what it says.
 */
const script = `
  import childProcess from 'node:child_process'
  import { writeSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'

  const kill = () => process.kill(process.pid, 'SIGKILL')
  const moments = {
    'at once': kill,
    'after the promises': () => void Promise.resolve().then(() => queueMicrotask(kill)),
    'after a turn': () => void setImmediate(kill),
    'after two turns': () => void setImmediate(() => setImmediate(kill)),
    'with its first words': (child) => child.stdout.once('data', kill),
  }
  const { spawn } = childProcess
  childProcess.spawn = (command, args, options) => {
    if (!args.includes('--ipc')) return spawn(command, args, options)
    const words = [command, ...args]
    const program = words.findIndex((word) => word.endsWith('anvil'))
    const endless = [process.execPath, '-e', 'console.log(1); setInterval(() => {}, 1e6)']
    const [first, ...others] = [...words.slice(0, program), ...endless]
    const child = spawn(first, others, options)
    writeSync(1, 'spawned ' + child.pid)
    moments[process.env.MOMENT](child)
    return child
  }
  syncBuiltinESMExports()
  const { startNodes } = await import(process.env.DIST + 'chain/process/nodes.js')
  await startNodes({ networks: ['base'] })
`

/** Runs the script; resolves when it is dead, to what it said. */
async function dieAt(moment: string, mark: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      ...process.env,
      // The child needs compiled JavaScript; `npm run build:ts` has made it before tests run.
      DIST: new URL('../../../dist/modules/', import.meta.url).href,
      MOMENT: moment,
      [markVariable]: mark,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes
  })
  const [, signal] = await once(child, 'close')
  expect(signal).toBe('SIGKILL')
  return said
}

// Who is left behind is looked up in /proc.
test
  .runIf(process.platform === 'linux')
  .each([
    'at once',
    'after the promises',
    'after a turn',
    'after two turns',
    'with its first words',
  ])(
  'behavior: SIGKILL at the birth of a node, %s, leaves no node behind',
  async (moment) => {
    for (let round = 0; round < 2; round++) {
      const mark = randomUUID()
      expect(await dieAt(moment, mark)).toContain('spawned')
      await waitUntilNothingCarries(mark)
      expect(markedBy(mark)).toEqual([])
    }
  },
  60_000,
)
