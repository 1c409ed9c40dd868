import type { SimulatorOptions } from '../sim.js'
import type { OptionValues } from './optionTable.js'
import { say } from './output.js'

/** The options of `start` and `exec` as the simulator takes them, with progress on standard error. */
export function simulatorOptions(values: OptionValues, defaultPort: number): SimulatorOptions {
  return {
    host: values.host,
    port: values.port ?? defaultPort,
    apiKeys: values.apiKey,
    revokedApiKeys: values.revokedApiKey,
    onProgress: say,
    ...(values.dataDir === undefined ? {} : { dataDir: values.dataDir }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(values.rpcPortBase === undefined ? {} : { rpcPortBase: values.rpcPortBase }),
    ...(values.controlToken === undefined ? {} : { controlToken: values.controlToken }),
  }
}
