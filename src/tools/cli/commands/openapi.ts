import { writeFile } from 'node:fs/promises'
import { routesOf } from '../../../http/allRoutes.js'
import { documentToJson, documentToYaml, emitOpenApi } from '../../../http/openapi/openapi.js'
import { planKinds } from '../../../service/plans/kinds/index.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'

/** `svc-sim openapi`: the document that the routes give, on standard output or in a file. */
export async function openapi(values: OptionValues): Promise<number> {
  const { control, forClients, format, oas, out } = values
  if (control && forClients)
    throw new Error(
      '--for-clients is about the document of the service, --control about another one; use one of them',
    )
  const routes = routesOf(planKinds)
  const options = { control, forClients, oas }
  const document = emitOpenApi(control ? routes.control : routes.service, options)
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
