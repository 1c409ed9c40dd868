import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'

/** The reporter of a command by its name; not every command has every one. */
export function reporterOf<T>(
  { reporter }: Pick<OptionValues, 'reporter'>,
  reporters: Readonly<Record<string, T>>,
): T {
  const found = reporters[reporter]
  if (found !== undefined) return found
  throw new ConfigError(
    `--reporter is "${reporter}", but this command has ${Object.keys(reporters).join(', ')}.`,
  )
}
