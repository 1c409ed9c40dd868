import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answered, controlApi, world } from './session.js'
import type { WorldView } from './types.js'
import { useLoaded } from './useLoaded.js'

/** The leased worlds, as of the last `loadWorlds`. */
export const worlds = signal<readonly WorldView[]>([])

/** Worlds in which something failed, worst first; then the others, oldest lease first. */
export function byFailure(all: readonly WorldView[]): WorldView[] {
  const weights = ({ name, failed_tests, lost, failed_activities, ...others }: WorldView) => [
    // What a failed test did comes before the file that had it.
    failed_tests.includes(name ?? '') ? 1 : 0,
    failed_tests.length,
    lost === null ? 0 : 1,
    failed_activities ?? 0,
    others.flaky_tests.length,
    others.refused ?? 0,
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

/** Keeps the list up to date. The stream of the default world does not say that an activity failed in another. */
export function useWorlds(): void {
  useLoaded('worlds', loadWorlds, ({ type }) => type === 'world' || type === 'dropped')
  useEffect(() => {
    const timer = setInterval(() => worlds.peek().length > 0 && loadWorlds(), 5_000)
    return () => clearInterval(timer)
  }, [])
}

/** The worlds with failures, worst first. Not the file whose failed tests have entries of their own, as in a trace. */
export function failedWorlds(): WorldView[] {
  const isEntry = (test: string) => worlds.value.some(({ name }) => name === test)
  const isFile = ({ name, failed_tests: tests }: WorldView): boolean =>
    tests.length > 0 && tests.every((test) => test !== name && isEntry(test))
  return byFailure(worlds.value).filter((each) => hasFailed(each) && !isFile(each))
}

/** The file of the failed test whose entry in a trace is shown. */
export function fileOfTest(): string | null | undefined {
  const test = worlds.value.find(({ id }) => id === world.value)?.name ?? ''
  const isFile = ({ name, failed_tests, flaky_tests }: WorldView): boolean =>
    name !== test && [...failed_tests, ...flaky_tests].includes(test)
  return worlds.value.find(isFile)?.name
}
