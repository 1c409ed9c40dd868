import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answered, controlApi, world } from './session.js'
import type { ListedWorlds, WorldFacts, WorldView } from './types.js'
import { useLoaded } from './useLoaded.js'

/** The leased worlds, as of the last `loadWorlds`; in a trace, entries of tests as well. */
export const worlds = signal<readonly WorldView[]>([])

/** Worlds with failed tests that have ended, the trace that keeps them, and the tests that share the default world. */
export const endedWorlds = signal<ListedWorlds>()

/** Failed tests first, then files with failed tests, lost worlds, flaky tests, and passing ones with failures; each in the order of the run. */
export function byFailure<Any extends WorldFacts>(all: readonly Any[]): Any[] {
  const rankOf = ({ name, failed_tests, lost, ...others }: WorldFacts & Partial<WorldView>) =>
    [
      // What a failed test did comes before the file that had it.
      failed_tests.includes(name ?? ''),
      failed_tests.length > 0,
      lost !== null,
      others.flaky_tests.length > 0,
      (others.failed_activities ?? 0) > 0,
      (others.refused ?? 0) > 0,
      true,
    ].indexOf(true)
  return [...all].sort((world, other) => rankOf(world) - rankOf(other))
}

/** Whether a test, an activity or a world itself failed. Refusals alone may be what a test wants, and a flaky test has passed. */
export const hasFailed = ({ failed_tests, lost, failed_activities }: WorldView): boolean =>
  failed_tests.length > 0 || lost !== null || (failed_activities ?? 0) > 0

export async function loadWorlds(): Promise<void> {
  try {
    const listed = await answered(controlApi.GET('/_sim/worlds'))
    worlds.value = listed.worlds
    endedWorlds.value = listed
  } catch {}
}

/** Keeps the list up to date. The stream of the default world does not say that an activity failed in another. */
export function useWorlds(): void {
  useLoaded('worlds', loadWorlds, ({ type }) => type === 'world' || type === 'dropped')
  useEffect(() => {
    const timer = setInterval(() => worlds.peek().length > 0 && loadWorlds(), 5_000)
    return () => clearInterval(timer)
  }, [])
}

/** The worlds with failures, in the order of `byFailure`. Not the file whose failed tests have entries of their own, as in a trace. */
export function failedWorlds(): WorldView[] {
  const isFile = ({ id, failed_tests: tests }: WorldView): boolean =>
    tests.length > 0 && tests.every((test) => entryOf(id, test))
  return byFailure(worlds.value).filter((each) => hasFailed(each) && !isFile(each))
}

export function fileOfTest(): string | null | undefined {
  const test_of = worlds.value.find(({ id }) => id === world.value)?.test_of
  if (test_of === 'default') return 'the default world'
  return worlds.value.find(({ id }) => id === test_of)?.name
}

export function entryOf(id: string, test: string): WorldView | undefined {
  return worlds.value.find(({ test_of, name }) => test_of === id && name === test)
}
