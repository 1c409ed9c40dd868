import type { Why } from '../../../observe/journal/whySchema.js'
import { textOfWhy } from '../../../observe/journal/whyText.js'
import type { OptionValues } from '../options/optionTable.js'
import { control } from '../process/control.js'
import { print } from '../process/output.js'

/** `svc-sim why ID`: the timeline of an account, plan, activity, intent or request, for people, or as JSON. */
export async function why(values: OptionValues, [id]: readonly string[]): Promise<number> {
  const found = await control<Why>(values, `/_sim/why/${encodeURIComponent(id!)}`)
  await print(values.json ? `${JSON.stringify(found, null, 2)}\n` : textOfWhy(found))
  return 0
}
