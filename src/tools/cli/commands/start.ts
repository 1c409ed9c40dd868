import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'
import { type Launched, type LaunchStyle, launch } from '../process/launch.js'
import { complain, print, say } from '../process/output.js'
import { stopRequested } from '../process/signals.js'

/**
 * `svc-sim start`: runs until it is asked to stop (0) or a node ends (1, with the node's last words). Writes the banner to standard
 * output, or with `--json` one line; everything else goes to standard error.
 */
export async function start(values: OptionValues, version: string): Promise<number> {
  const stopping = new AbortController()
  let stops: Launched['stops'] = () => undefined
  let drain: ((signal: AbortSignal) => Promise<void>) | undefined
  let draining: AbortController | undefined
  const { drainSeconds } = values
  // A second signal ends the drain; without one, it ends the program at once.
  const endDrain = (): boolean => {
    const isDraining = draining?.signal.aborted === false
    draining?.abort()
    return isDraining
  }
  const stopped = stopRequested(endDrain).then(async ({ why }) => {
    if (drain && why === 'SIGTERM') {
      say(`SIGTERM: no new leases; stopping when all have ended, or in ${drainSeconds} s`)
      draining = new AbortController()
      const late = setTimeout(endDrain, drainSeconds * 1000).unref()
      await drain(draining.signal)
      clearTimeout(late)
      draining.abort()
    }
    const counted = stops()
    if (counted !== undefined) say(counted)
    say(`${why}: stopping${values.dataDir === undefined ? '' : `, saving to ${values.dataDir}`}`)
    stopping.abort()
  })
  const style: LaunchStyle = {
    defaultPort,
    says: values.json ? ['begun', 'ready'] : ['begun'],
    live: true,
  }
  const launched = await launch(values, style, stopping.signal)
  if (launched === 'broken off') {
    say('stopped')
    return 0
  }
  const { simulator, prepared } = launched
  stops = launched.stops
  if (drainSeconds > 0) drain = (signal) => simulator.drain(signal)
  if (!stopping.signal.aborted) {
    const { url, apiKey, controlUrl, docsUrl, uiUrl: ui, rpc } = simulator
    const ready = { url, apiKey, controlUrl, docsUrl, ui, rpc }
    if (values.json) await print(`${JSON.stringify(ready)}\n`)
    else if (!values.quiet) {
      const { banner } = await import('../process/banner.js')
      await print(banner(simulator, values, version))
    }
  }
  const ended = await Promise.race([simulator.closed, stopped])
  if (ended) {
    complain(ended.reason)
    return ended.exitCode
  }
  await prepared?.report()
  await simulator.close()
  say('stopped')
  return 0
}
