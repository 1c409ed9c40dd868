import { corpusJsonSchema, corpusOf } from '../../verify/corpus/corpus.js'
import { readDocument } from '../../verify/documented.js'
import { allProbes } from '../../verify/probes/index.js'
import type { OptionValues } from '../options/optionTable.js'
import { printOrWrite } from '../process/output.js'

/** `svc-sim corpus`: the probes of `verify` as JSON, or its schema, on standard output or in a file. */
export async function corpus({ schema, out }: OptionValues): Promise<number> {
  const documented = readDocument()
  const data = schema ? corpusJsonSchema() : corpusOf(allProbes(documented), documented)
  await printOrWrite(`${JSON.stringify(data, null, 1)}\n`, out)
  return 0
}
