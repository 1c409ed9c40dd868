import { anvilBinary, anvilVersion } from '../chain/node/anvil.js'
import { worldDir } from '../chain/world/load.js'
import { svcAddresses } from '../generated/svc.js'
import { checkAnvil, checkNode, checkPort, checkWorld, type DoctorCheck } from './checks.js'
import { defaultPort, type OptionValues } from './optionTable.js'
import { print } from './output.js'

/** `svc-sim doctor`: whether the simulator can run here, and the cure of what is wrong. 1 when something is. */
export async function doctor({ host, port = defaultPort }: OptionValues): Promise<number> {
  const checks = [
    checkNode(process.version),
    await checkAnvil(anvilBinary, anvilVersion()),
    await checkPort(host, port),
    checkWorld(worldDir, anvilVersion(), svcAddresses.factory),
  ]
  await print(checks.map(line).join(''))
  return checks.some(({ cure }) => cure !== undefined) ? 1 : 0
}

function line({ what, found, cure }: DoctorCheck): string {
  return cure === undefined
    ? `ok    ${what}: ${found}\n`
    : `FAIL  ${what}: ${found}\n      ${cure}\n`
}
