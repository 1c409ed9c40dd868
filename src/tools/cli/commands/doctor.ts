import { worldDir } from '../../../chain/genesis/load.js'
import { anvilBinary, anvilVersion } from '../../../chain/process/anvil.js'
import { svcAddresses } from '../../../generated/svc.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'
import {
  checkAnvil,
  checkNode,
  checkPort,
  checkSockets,
  checkWorld,
  type DoctorCheck,
} from '../process/checks.js'
import { print, printResult } from '../process/output.js'

/** `svc-sim doctor`: whether the simulator can run here, and the cure of what is wrong. 1 when something is. */
export async function doctor({ host, port = defaultPort, json }: OptionValues): Promise<number> {
  const checks = [
    checkNode(process.version),
    await checkAnvil(anvilBinary, anvilVersion()),
    await checkSockets(),
    await checkPort(host, port),
    checkWorld(worldDir, anvilVersion(), svcAddresses.factory),
  ]
  const isWell = checks.every(({ cure }) => cure === undefined)
  if (json) await print(`${JSON.stringify({ ok: isWell, checks })}\n`)
  else await printResult(checks.map(line).join(''))
  return isWell ? 0 : 1
}

function line({ what, found, cure }: DoctorCheck): string {
  return cure === undefined
    ? `ok    ${what}: ${found}\n`
    : `FAIL  ${what}: ${found}\n      ${cure}\n`
}
