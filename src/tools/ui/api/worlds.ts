import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isReadOnly } from './live.js'
import { answered, controlApi } from './session.js'
import type { WorldView } from './types.js'
import { useLoaded } from './useLoaded.js'

/** The leased worlds, as of the last `loadWorlds`. */
export const worlds = signal<readonly WorldView[]>([])

/** Worlds in which something failed, worst first; then the others, oldest lease first. */
export function byFailure(all: readonly WorldView[]): WorldView[] {
  const weights = ({ name, failed_tests, lost, failed_activities, refused }: WorldView) => [
    // What a failed test did comes before the file that had it.
    failed_tests.includes(name ?? '') ? 1 : 0,
    failed_tests.length,
    lost === null ? 0 : 1,
    failed_activities ?? 0,
    refused ?? 0,
  ]
  return [...all].sort((world, other) => {
    const [ones, others] = [weights(world), weights(other)]
    return ones.map((weight, i) => others[i]! - weight).find((difference) => difference !== 0) ?? 0
  })
}

/** Whether a test, an activity or a world itself failed. Refusals alone may be what a test wants. */
export function hasFailed({ failed_tests, lost, failed_activities }: WorldView): boolean {
  return failed_tests.length > 0 || lost !== null || (failed_activities ?? 0) > 0
}

/** Loads the worlds; without a response, the known ones stay. */
export async function loadWorlds(): Promise<void> {
  try {
    worlds.value = (await answered(controlApi.GET('/_sim/worlds'))).worlds
  } catch {}
}

const reloadMs = 5_000

/** Keeps the list up to date. The stream of the default world does not say that an activity failed in another. */
export function useWorlds(): void {
  useLoaded('worlds', loadWorlds, ({ type }) => type === 'world' || type === 'dropped')
  useEffect(() => {
    const reload = (): void => {
      if (worlds.peek().length > 0 && !isReadOnly.peek() && !document.hidden) void loadWorlds()
    }
    const timer = setInterval(reload, reloadMs)
    return () => clearInterval(timer)
  }, [])
}

/** The worlds with failures, worst first. In a trace, failed tests have entries of their own, so their file is left out. */
export function failedWorlds(all: readonly WorldView[]): WorldView[] {
  const names = new Set(all.map(({ name }) => name))
  const isOnlyFile = ({ name, failed_tests, failed_activities, lost }: WorldView): boolean =>
    lost === null &&
    !failed_activities &&
    failed_tests.every((test) => test !== name && names.has(test))
  return byFailure(all).filter((world) => hasFailed(world) && !isOnlyFile(world))
}
