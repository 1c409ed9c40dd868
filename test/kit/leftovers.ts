import { afterAll, expect, vi } from 'vitest'
import { lentOut } from './lending.js'

/**
 * Runs around each test file of the tiers that share a process. A file fails when it leaves something behind that the next one would
 * find: an environment variable, a global, a server, a child process, a listener for signals. Faults, clocks and balances cannot be
 * left: a simulator is lent anew to each file, and a lent node is taken back to its start.
 */

/** What a file may not leave open, as Node counts what keeps a process alive. Timers and sockets end by themselves. */
const counted = ['TCPServerWrap', 'ProcessWrap', 'FSEvent', 'StatWatcher']

/** Variables that a Node of the run sets for itself. */
const ownVariables = /^(VITEST|TEST$|NODE_ENV|MODE|DEV|PROD|SSR|BASE_URL)/

// For `countStarts.cjs`.
Object.assign(globalThis, { svcSimTestFile: expect.getState().testPath })

const before = look()
// Handles close a moment after their owner.
afterAll(() =>
  vi.waitFor(() => expect(differences(before, look()), 'left behind').toEqual([]), {
    timeout: 5_000,
  }),
)

interface Seen {
  env: Record<string, string | undefined>
  globals: string[]
  handles: Map<string, number>
  signals: Map<string, number>
}

function look(): Seen {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !ownVariables.test(name)),
  )
  const handles = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo())
    if (counted.includes(name)) handles.set(name, (handles.get(name) ?? 0) + 1)
  handles.set('simulator or node that was lent', lentOut())
  const signals = new Map(
    ['SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit'].map((name) => [
      name,
      process.listenerCount(name),
    ]),
  )
  return { env, globals: Object.keys(globalThis).sort(), handles, signals }
}

function differences(from: Seen, to: Seen): string[] {
  const names = new Set([...Object.keys(from.env), ...Object.keys(to.env)])
  const variables = [...names].filter((name) => from.env[name] !== to.env[name])
  const globals = to.globals.filter(
    (name) => !from.globals.includes(name) && !/^(svcSim|__zod)/.test(name),
  )
  const more = (a: Map<string, number>, b: Map<string, number>): string[] =>
    [...b].flatMap(([name, count]) => {
      const extra = count - (a.get(name) ?? 0)
      return extra > 0 ? [`${extra} x ${name}`] : []
    })
  return [
    ...variables.map((name) => `the environment variable ${name}`),
    ...globals.map((name) => `the global ${name}`),
    ...more(from.handles, to.handles),
    ...more(from.signals, to.signals).map((text) => `${text} listener`),
  ]
}
