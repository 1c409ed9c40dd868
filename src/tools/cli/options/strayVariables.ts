import type { OptionSpec } from '../../../simulator/options/optionSpec.js'
import { optionTable, variableOf } from './optionTable.js'

const known: readonly string[] = Object.entries<OptionSpec>(optionTable).flatMap(
  ([name, { alias }]) => [name, alias ?? []].flat().map(variableOf),
)

/** What Kubernetes and Docker links set for a Service or container whose name begins with `svc-sim`. */
const ofLinks = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** A line for each variable `SVC_SIM_*` that names no option: nothing reads it, so it is probably misspelled. */
export function strayVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_SIM_') && !known.includes(name) && !ofLinks.test(name))
    .sort()
    .map((name) => {
      const meant = known.filter((each) => isTypo(name, each))
      const next =
        meant.length > 0
          ? `Did you mean ${meant.join(' or ')}?`
          : 'Every option has a variable of its name: see "svc-sim COMMAND --help".'
      return `the environment variable ${name} is ignored, because no option has this name. ${next}`
    })
}

/** Whether one text becomes the other by one letter more, less or other, or by two neighbours that swap places. */
function isTypo(given: string, meant: string): boolean {
  let from = 0
  while (from < given.length && given[from] === meant[from]) from++
  const [rest, wanted] = [given.slice(from), meant.slice(from)]
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    (rest.slice(2) === wanted.slice(2) && rest[0] === wanted[1] && rest[1] === wanted[0])
  )
}
