import type { Why } from '../journal/why.js'
import { textOfWhy } from '../journal/whyText.js'
import { control } from './control.js'
import type { OptionValues } from './optionTable.js'
import { print } from './output.js'

/** `svc-sim why ID`: the timeline of an account, plan, activity, intent or request, for people, or as JSON. */
export async function why(values: OptionValues, [id]: readonly string[]): Promise<number> {
  const found = await control<Why>(values, `/_sim/why/${encodeURIComponent(id!)}`)
  await print(values.json ? `${JSON.stringify(found, null, 2)}\n` : textOfWhy(found))
  return 0
}
