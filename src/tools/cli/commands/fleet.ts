import { stackOf } from '../../../http/core/log.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'
import { stopRequested } from '../process/signals.js'

/**
 * `svc-sim worker`: runs worlds for the fronts of a fleet. Asked to stop, it takes no more leases and leaves when all have ended or
 * `--drain-seconds` are over (0); given up by the fleet, it ends so that it can be started anew (1).
 */
export async function worker(values: OptionValues): Promise<number> {
  const { startFleetWorker } = await import('../../fleet/fleetWorker.js')
  const { host, advertise, fleetToken, drainSeconds, worlds, maxWorlds } = values
  const running = await startFleetWorker({
    directoryUrl: values.directory!,
    host,
    port: values.port ?? (advertise === undefined ? 0 : Number(new URL(advertise).port || 80)),
    advertise,
    token: fleetToken,
    worlds,
    maxWorlds,
    corsOrigins: values.corsOrigin,
    rpcUnsafe: values.rpcUnsafe,
    forkLimits: { forkCache: values.forkCache, forkMaxRequests: values.forkMaxRequests },
    log: { debug() {}, error: (message, cause) => say(`${message}: ${stackOf(cause)}`) },
    say,
  })
  await print(`${JSON.stringify({ role: 'worker', id: running.id, url: running.url })}\n`)
  const asked = await Promise.race([stopRequested(), running.givenUp])
  if (asked) say(`${asked.why}: leaving within ${drainSeconds} s`)
  else say('the fleet has given this worker up: it ends, to be started anew')
  await running.leave(asked ? drainSeconds : 0)
  say('stopped')
  return asked ? 0 : 1
}

/** `svc-sim front`: gives access to the worlds of a fleet, until it is asked to stop. */
export async function front(values: OptionValues): Promise<number> {
  const { startFleetFront } = await import('../../fleet/fleetFront.js')
  const { host, controlToken, allowedHost, corsOrigin } = values
  const running = await startFleetFront({
    directoryUrl: values.directory!,
    port: values.port ?? defaultPort,
    bind: {
      host,
      allowedHosts: allowedHost,
      corsOrigins: corsOrigin,
      controlToken,
    },
    token: values.fleetToken,
    log: { debug() {}, error: (message, cause) => say(`${message}: ${String(cause)}`) },
    say,
  })
  const { url } = running
  await print(`${JSON.stringify({ role: 'front', url, controlUrl: `${url}/_sim` })}\n`)
  const { why } = await stopRequested()
  say(`${why}: stopping`)
  await running.close()
  say('stopped')
  return 0
}
