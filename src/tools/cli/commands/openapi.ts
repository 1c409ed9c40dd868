import { writeFile } from 'node:fs/promises'
import { routesOf } from '../../../http/allRoutes.js'
import { documentToJson, documentToYaml, emitOpenApi } from '../../../http/openapi/openapi.js'
import { planKinds } from '../../../service/plans/kinds/index.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'

/** `svc-sim openapi`: the document that the routes give, on standard output or in a file. */
export async function openapi({ control, format, out }: OptionValues): Promise<number> {
  const routes = routesOf(planKinds)
  const document = emitOpenApi(control ? routes.control : routes.service, { control })
  const text = format === 'json' ? documentToJson(document) : documentToYaml(document)
  if (out === undefined) {
    await print(text)
    return 0
  }
  try {
    await writeFile(out, text)
  } catch (error) {
    throw new Error(`cannot write the document to ${out}: ${(error as Error).message}`)
  }
  say(`wrote ${out}`)
  return 0
}
