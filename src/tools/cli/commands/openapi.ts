import { routesOf } from '../../../http/allRoutes.js'
import { documentToJson, documentToYaml, emitOpenApi } from '../../../http/openapi/openapi.js'
import { planKinds } from '../../../service/plans/kinds/index.js'
import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { printOrWrite } from '../process/output.js'

/** `svc-sim openapi`: the OpenAPI document, on standard output or in a file, whose name decides the format. */
export async function openapi(values: OptionValues): Promise<number> {
  const { control, forClients, json, oas, out } = values
  const isJson = json || out?.endsWith('.json')
  const format = values.format ?? (isJson ? 'json' : 'yaml')
  if (format !== 'yaml' && format !== 'json')
    throw new ConfigError(`--format is "${format}", but openapi has yaml and json.`)
  if (control && forClients)
    throw new ConfigError(
      '--for-clients is about the document of the service, --control about another one; use one of them',
    )
  const routes = routesOf(planKinds)
  const options = { control, forClients, oas }
  const document = emitOpenApi(control ? routes.control : routes.service, options)
  const text = format === 'json' ? documentToJson(document) : documentToYaml(document)
  await printOrWrite(text, out)
  return 0
}
