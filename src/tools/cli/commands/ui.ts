import { keepProcessAlive } from '../../../lib/keepProcessAlive.js'
import { openTrace } from '../../../simulator/openTrace.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'
import { stopRequested } from '../process/signals.js'

/** `svc-sim ui FILE`: serves a trace until it is asked to stop. */
export async function ui({ port, json }: OptionValues, [file]: readonly string[]): Promise<number> {
  const { url, close } = await openTrace(file!, port)
  const release = keepProcessAlive()
  const pages = `${url}/_sim/ui/`
  await print(
    json
      ? `${JSON.stringify({ url, controlUrl: `${url}/_sim`, ui: pages })}\n`
      : `${file} is shown at ${pages}\nIt is read-only. Ctrl-C stops it.\n`,
  )
  const { why } = await stopRequested()
  say(`${why}: stopping`)
  await close()
  release()
  return 0
}
