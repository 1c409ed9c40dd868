import { answerOf } from '../../../clients/control/controlClient.js'
import { briefOfWhy, textOfWhy } from '../../../observe/journal/whyText.js'
import type { OptionValues } from '../options/optionTable.js'
import { controlOf } from '../process/control.js'
import { print, printResult } from '../process/output.js'

/** `svc-sim why ID`: the timeline of an account, plan, activity, intent or request, for people, or as JSON. */
export async function why(values: OptionValues, [id]: readonly string[]): Promise<number> {
  const { cursor } = values
  const params = { path: { id: id! }, query: cursor === undefined ? {} : { cursor } }
  const verdict = await answerOf(controlOf(values).GET('/why/{id}', { params }))
  if (values.json) await print(`${JSON.stringify(verdict, null, 2)}\n`)
  else await printResult(values.brief ? briefOfWhy(verdict) : textOfWhy(verdict))
  return 0
}
