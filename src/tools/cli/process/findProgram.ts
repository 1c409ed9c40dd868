import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Why a program cannot be run, with the exit code that shells give then. */
export interface NotRunnable {
  code: 126 | 127
  why: string
}

/**
 * Looks for a program as the system would: at its place when the name has one, or else in the folders of PATH. Undefined when it can be
 * run, and where only the system can tell: on Windows, and without a PATH.
 */
export function cannotRun(file: string, { PATH }: NodeJS.ProcessEnv): NotRunnable | undefined {
  const hasPlace = file.includes('/')
  if (process.platform === 'win32' || (PATH === undefined && !hasPlace)) return undefined
  const missing = { code: 127, why: 'not found; is it installed, and in the PATH?' } as const
  if (file === '') return missing
  const places = hasPlace ? [file] : PATH!.split(delimiter).map((folder) => join(folder, file))
  const problems = places.map(problemAt)
  if (problems.includes(undefined)) return undefined
  const denied = problems.find((problem) => problem!.startsWith('EACCES'))
  return denied === undefined ? missing : { code: 126, why: denied }
}

/** Undefined where a program stands that may be run. */
function problemAt(place: string): string | undefined {
  try {
    accessSync(place, constants.X_OK)
    return statSync(place).isFile() ? undefined : `EACCES: ${place} is no file`
  } catch (error) {
    return (error as Error).message
  }
}
