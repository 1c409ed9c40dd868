import { urlVariable, variable } from '../../../clients/remote/variables.js'
import { packageFile } from '../../../lib/files/packageFile.js'
import { commandsOf } from '../../../simulator/options/optionSpec.js'
import { defaultApiKey } from '../../../simulator/options/simulatorOptions.js'
import { serveAgents } from '../../mcp/agentServer.js'
import {
  flagOf,
  type OptionName,
  type OptionValues,
  optionNames,
  optionSpecs,
} from '../options/optionTable.js'
import { controlTokenOf } from '../process/control.js'
import { say } from '../process/output.js'
import { stopRequested } from '../process/signals.js'

/** Options that an agent has no use for: it talks to the simulator from this machine, leases no worlds to others, and reads no log. */
const withheld: readonly OptionName[] = [
  'port',
  'host',
  'allowedHost',
  'controlToken',
  'advertise',
  'drainSeconds',
  'keepBlocks',
  'json',
  'log',
  'quiet',
  'verbose',
]

/**
 * `svc-sim mcp`: serves agents on standard input and output until the client closes its end, or the program is stopped. A simulator that
 * an agent has started ends with it.
 */
export async function mcp(values: OptionValues, version: string): Promise<number> {
  const { baseUrl, apiKey } = values
  const stop = stopRequested()
  const server = await serveAgents({
    version,
    program: packageFile('dist/cli/main.js'),
    startInputs: startInputs(),
    keys: {
      apiKey: apiKey[0] ?? variable('SVC_API_KEY') ?? defaultApiKey,
      controlToken: controlTokenOf(values),
    },
    url: baseUrl ?? urlVariable('SVC_BASE_URL'),
    input: process.stdin,
    output: process.stdout,
    log: say,
  })
  await Promise.race([server.gone, stop])
  await server.close()
  return 0
}

/** The options of `start` as arguments of a tool: `dataDir` is `data_dir`. */
function startInputs(): Record<string, Record<string, unknown>> {
  const offered = optionNames.filter(
    (name) => commandsOf(optionSpecs[name]).includes('start') && !withheld.includes(name),
  )
  return Object.fromEntries(
    offered.map((name) => {
      const { takes, many, help: description } = optionSpecs[name]
      const type = takes ? 'string' : 'boolean'
      const schema = many ? { type: 'array', items: { type } } : { type }
      return [flagOf(name).replaceAll('-', '_'), { ...schema, description }]
    }),
  )
}
