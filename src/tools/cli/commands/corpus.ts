import { corpusJsonSchema, corpusOf, probeScenario } from '../../verify/corpus.js'
import { readDocument } from '../../verify/documented.js'
import { allProbes } from '../../verify/probes/index.js'
import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { printOrWrite } from '../process/output.js'

/** `svc-sim corpus`: the probes of `verify` as JSON, the scenario of one, or the schema, on standard output or in a file. */
export async function corpus({ schema, probe, out }: OptionValues): Promise<number> {
  const documented = readDocument()
  const probes = allProbes(documented)
  const data =
    probe !== undefined
      ? scenarioNamed(probe)
      : schema
        ? corpusJsonSchema()
        : corpusOf(probes, documented)
  await printOrWrite(`${JSON.stringify(data, null, 1)}\n`, out)
  return 0

  function scenarioNamed(name: string) {
    const named = probes.filter((each) => each.name === name)
    if (named.length === 0)
      throw new ConfigError(
        `There is no probe "${name}" (--probe). "svc-sim corpus" prints all ${probes.length} with their names.`,
      )
    const scenario = named.map(probeScenario).find((each) => each !== undefined)
    if (scenario) return scenario
    throw new ConfigError(
      `--probe "${name}" has no scenario, because it computes something of the answers. "svc-sim verify" runs it.`,
    )
  }
}
